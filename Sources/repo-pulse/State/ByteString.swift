/// A name as its bytes: two are equal only where each byte is.
///
/// A path or an author in git is any bytes but zero. A `String` cannot hold those that are no UTF-8,
/// and calls two equal that differ only in their Unicode normalisation, which are two files to git.
struct ByteString: Sendable {
  let bytes: [UInt8]

  init(_ bytes: some Sequence<UInt8>) {
    self.bytes = Array(bytes)
  }

  init(_ text: String) {
    bytes = Array(text.utf8)
  }

  /// For people: what is no UTF-8 becomes a replacement character.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  var isEmpty: Bool { bytes.isEmpty }

  func hasPrefix(_ prefix: String) -> Bool { bytes.starts(with: prefix.utf8) }

  /// The bytes as C has them, up to a zero.
  var terminated: [CChar] { bytes.prefix { $0 != 0 }.map { CChar(bitPattern: $0) } + [0] }
}

extension ByteString: Hashable, Comparable {
  func hash(into hasher: inout Hasher) {
    // The hasher keeps no address.
    unsafe bytes.withUnsafeBytes { bytes in unsafe hasher.combine(bytes: bytes) }
    hasher.combine(0xFF as UInt8)
  }

  static func < (left: ByteString, right: ByteString) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}

extension ByteString: ExpressibleByStringInterpolation, CustomStringConvertible {
  init(stringLiteral value: String) {
    self.init(value)
  }

  var description: String { text }
}

// In JSON, UTF-8 stands as it is; any other byte, and a zero, as a zero character and two hexadecimal digits.
extension ByteString: Codable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    var rest = try container.decode(String.self).utf8[...]
    var bytes: [UInt8] = []
    while let byte = rest.popFirst() {
      if byte != 0 {
        bytes.append(byte)
        continue
      }
      let digits = String(rest.prefix(2)) ?? ""
      guard digits.utf8.count == 2, digits.allSatisfy(\.isHexDigit),
        let escaped = UInt8(digits, radix: 16)
      else {
        throw DecodingError.dataCorruptedError(
          in: container, debugDescription: "a zero in it is not followed by two hexadecimal digits")
      }
      bytes.append(escaped)
      rest.removeFirst(2)
    }
    self.bytes = bytes
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) {
      return try container.encode(text)
    }
    var (text, rest) = ("", bytes[...])
    while let byte = rest.first {
      let scalar = (1...4).lazy.compactMap { String(validating: rest.prefix($0), as: UTF8.self) }
      if byte != 0, let scalar = scalar.first {
        text += scalar
        rest.removeFirst(scalar.utf8.count)
      } else {
        text += "\0" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        rest.removeFirst()
      }
    }
    try container.encode(text)
  }
}
