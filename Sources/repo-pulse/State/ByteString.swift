/// A name as its bytes: two are equal only where each byte is.
///
/// A path or an author in git is any bytes but zero. A `String` cannot hold those that are no UTF-8,
/// and calls two equal that differ only in their Unicode normalisation, which are two files to git.
struct ByteString: Sendable {
  /// UTF-8 as it is; any other byte, and a zero, as a zero character and two hexadecimal digits.
  let escaped: String

  init(_ bytes: some Collection<UInt8>) {
    if let text = String(validating: bytes, as: UTF8.self), !text.utf8.contains(0) {
      escaped = text
    } else {
      escaped = ByteString.escaping(Array(bytes))
    }
  }

  init(_ text: String) {
    self.init(text.utf8)
  }

  /// Undoes `escaped`; nil where a zero is not followed by two digits.
  init?(escaped text: String) {
    guard let bytes = ByteString.unescaping(text) else { return nil }
    self.init(bytes)
  }

  /// The bytes as git and the system have them.
  var bytes: [UInt8] { ByteString.unescaping(escaped) ?? Array(escaped.utf8) }

  /// For people: what is no UTF-8 becomes a replacement character.
  var text: String {
    escaped.utf8.contains(0) ? String(decoding: bytes, as: UTF8.self) : escaped
  }

  var isEmpty: Bool { escaped.isEmpty }

  func hasPrefix(_ prefix: String) -> Bool {
    escaped.utf8.starts(with: prefix.utf8)
  }

  /// The bytes, with the escape for each that `needsEscape` and each that is no UTF-8.
  static func escaping(
    _ bytes: [UInt8], where needsEscape: (UInt8) -> Bool = { $0 == 0 }
  ) -> String {
    var text = ""
    var rest = bytes[...]
    while let byte = rest.first {
      let scalar = (1...4).lazy.compactMap { String(validating: rest.prefix($0), as: UTF8.self) }
      if !needsEscape(byte), let scalar = scalar.first {
        text += scalar
        rest.removeFirst(scalar.utf8.count)
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        text += "\0" + (byte < 16 ? "0" : "") + digits
        rest.removeFirst()
      }
    }
    return text
  }

  private static func unescaping(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == 0 else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst()?.hexadecimal, let low = rest.popFirst()?.hexadecimal else {
        return nil
      }
      bytes.append(high << 4 | low)
    }
    return bytes
  }
}

extension ByteString: Hashable, Comparable {
  static func == (left: ByteString, right: ByteString) -> Bool {
    left.escaped.utf8.count == right.escaped.utf8.count
      && left.escaped.utf8.elementsEqual(right.escaped.utf8)
  }

  /// By the bytes, since texts of equal hashes that a repository can make at will fill a dictionary
  /// slowly.
  func hash(into hasher: inout Hasher) {
    var text = escaped
    // The bytes are those of the copy in this frame, and the hasher keeps no address.
    text.withUTF8 { bytes in unsafe hasher.combine(bytes: UnsafeRawBufferPointer(bytes)) }
    hasher.combine(0xFF as UInt8)
  }

  static func < (left: ByteString, right: ByteString) -> Bool {
    left.escaped.utf8.lexicographicallyPrecedes(right.escaped.utf8)
  }
}

extension ByteString: ExpressibleByStringInterpolation, CustomStringConvertible {
  init(stringLiteral value: String) {
    self.init(value)
  }

  var description: String { text }
}

extension UInt8 {
  fileprivate var hexadecimal: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
