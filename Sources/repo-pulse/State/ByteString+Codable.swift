import Foundation

extension ByteString: Codable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let name = ByteString(escaped: try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "a zero in it is not followed by two hexadecimal digits")
    }
    self = name
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(escaped)
  }
}

extension ByteString: CodingKeyRepresentable {
  /// A name as the key of a JSON object.
  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// Coders compare keys as strings, so a name that is not in the composed form has all but its ASCII
  /// escaped.
  var codingKey: any CodingKey {
    let isComposed = escaped.precomposedStringWithCanonicalMapping.utf8.elementsEqual(escaped.utf8)
    if escaped.utf8.allSatisfy({ $0 < 0x80 }) || isComposed { return Key(stringValue: escaped) }
    return Key(stringValue: ByteString.escaping(bytes) { $0 == 0 || $0 >= 0x80 })
  }

  init?(codingKey: some CodingKey) {
    self.init(escaped: codingKey.stringValue)
  }
}
