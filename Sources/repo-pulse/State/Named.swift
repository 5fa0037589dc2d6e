import Lensed

/// What a history has many of, each with a name of its own: authors, files.
protocol Named: Identifiable where ID == ByteString {
  var name: ByteString { get set }
}

extension Named {
  var id: ByteString { name }
}

// JSON holds them by their names. So does the text of a state in a recording, and `Entities` would be an array
// there: the synthesised conformances of the states choose these two instead.

extension KeyedEncodingContainer {
  mutating func encode<Element: Named & Encodable>(
    _ entities: Entities<Element>, forKey key: Key
  ) throws {
    let byName = Dictionary(entities.lazy.map { ($0.name, $0) }) { _, next in next }
    try encode(byName, forKey: key)
  }
}

extension KeyedDecodingContainer {
  /// In the order of the names, since a JSON object has none.
  func decode<Element: Named & Decodable>(
    _: Entities<Element>.Type, forKey key: Key
  ) throws -> Entities<Element> {
    let byName = try decode([ByteString: Element].self, forKey: key)
    let elements = byName.sorted { $0.key < $1.key }.map { name, element in
      var element = element
      element.name = name
      return element
    }
    return Entities(elements) { _, next in next }
  }
}
