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

// In JSON, UTF-8 stands as it is; what is none is a list of its bytes.
extension ByteString: Codable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let text = try? container.decode(String.self) {
      self.init(text)
    } else {
      self.init(try container.decode([UInt8].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let text = String(validating: bytes, as: UTF8.self) {
      try container.encode(text)
    } else {
      try container.encode(bytes)
    }
  }
}
