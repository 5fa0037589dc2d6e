internal import Foundation
internal import Lensed

/// One value of a tree, or one container: what it has been given so far.
final class TreeNode {
  enum Form { case none, plain, object, list }

  var form = Form.none
  var bytes: [UInt8] = []
  private var keys: [String] = []
  private var places: [String: Int] = [:]
  private(set) var nodes: [TreeNode] = []

  /// The value for a key: a new one in place of the former, or the container that is there.
  func member(_ key: String, isNew: Bool) -> TreeNode {
    if let place = places[key], !isNew { return nodes[place] }
    let node = TreeNode()
    set(node, for: key)
    return node
  }

  func set(_ node: TreeNode, for key: String) {
    if let place = places[key] {
      nodes[place] = node
    } else {
      places[key] = nodes.count
      keys.append(key)
      nodes.append(node)
    }
  }

  func append(_ node: TreeNode) { nodes.append(node) }

  func write(to bytes: inout [UInt8], _ depth: Int = 0) throws {
    if depth > SessionEncoder.depth { throw EncodingError.ofValue("Its values nest too deep", []) }
    switch form {
    case .none: bytes += "{}".utf8
    case .plain: bytes += self.bytes
    case .object, .list:
      let isObject = form == .object
      bytes.append(isObject ? UInt8(ascii: "{") : UInt8(ascii: "["))
      for (index, node) in nodes.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        if isObject {
          JSONText.write(keys[index], to: &bytes)
          bytes.append(UInt8(ascii: ":"))
        }
        try node.write(to: &bytes, depth + 1)
      }
      bytes.append(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
    }
  }
}

/// Encodes a value as a tree, whose containers may be written to in any order, as with `JSONEncoder`.
struct TreeEncoder: Encoder {
  /// What all encoders of a tree share.
  final class Common {
    let hidden: SessionEncoder.Hidden
    /// Where two kinds of containers were asked for: that cannot be thrown where it is found.
    var mixed: [any CodingKey]?
    var refused: HiddenValue?

    init(_ hidden: SessionEncoder.Hidden) {
      self.hidden = hidden
    }
  }

  let common: Common
  let node: TreeNode
  let codingPath: [any CodingKey]
  var depth = 0
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  static func json(_ value: any Encodable, _ hidden: SessionEncoder.Hidden) throws -> [UInt8] {
    let encoder = TreeEncoder(common: Common(hidden), node: TreeNode(), codingPath: [])
    try encoder.write(value)
    if let refused = encoder.common.refused { throw refused }
    if let path = encoder.common.mixed {
      throw EncodingError.ofValue("It asks for two kinds of containers in one place", path)
    }
    var bytes: [UInt8] = []
    try encoder.node.write(to: &bytes)
    return bytes
  }

  func begin(_ form: TreeNode.Form) {
    if node.form == form && form != .plain { return }
    if node.form != .none { common.mixed = common.mixed ?? codingPath }
    node.form = form
  }

  func write(_ value: any Encodable) throws {
    let output = ValueOutput(common.hidden)
    if common.hidden == .refused, value is any NotLogged {
      common.refused = common.refused ?? HiddenValue(type: "\(type(of: value))")
    }
    if try output.writePlain(value, at: codingPath) {
      put(output.bytes)
    } else if depth > SessionEncoder.depth {
      throw EncodingError.ofValue("Its values nest too deep", codingPath)
    } else {
      try value.encode(to: self)
    }
  }

  func put(_ text: some StringProtocol) { put(Array(text.utf8)) }

  private func put(_ bytes: [UInt8]) {
    begin(.plain)
    node.bytes = bytes
  }

  func writeNumber(_ value: some Encodable) -> Bool {
    let output = ValueOutput(common.hidden)
    guard output.writeNumber(value) else { return false }
    put(output.bytes)
    return true
  }

  func member(_ key: some CodingKey, isNew: Bool = true) -> TreeEncoder {
    TreeEncoder(
      common: common, node: node.member(key.stringValue, isNew: isNew),
      codingPath: codingPath + [key], depth: depth + 1)
  }

  func element() -> TreeEncoder {
    let element = detached(at: codingPath)
    node.append(element.node)
    return element
  }

  /// Encodes what counts once it has been written: what cannot be is left out.
  func detached(at path: [any CodingKey]) -> TreeEncoder {
    TreeEncoder(common: common, node: TreeNode(), codingPath: path, depth: depth + 1)
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    begin(.object)
    return KeyedEncodingContainer(TreeObject(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    begin(.list)
    return TreeList(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { TreeValue(encoder: self) }
}

private enum SuperKey: String, CodingKey { case `super` }

private struct TreeObject<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: TreeEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }

  mutating func encodeNil(forKey key: Key) { encoder.member(key).put("null") }

  mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    let member = encoder.detached(at: codingPath + [key])
    try member.write(value)
    encoder.node.set(member.node, for: key.stringValue)
  }

  mutating func encode(_ value: Int128, forKey key: Key) throws {
    encoder.member(key).put("\(value)")
  }

  mutating func encode(_ value: UInt128, forKey key: Key) throws {
    encoder.member(key).put("\(value)")
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    encoder.member(key, isNew: false).container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoder.member(key, isNew: false).unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder { encoder.member(SuperKey.super) }

  mutating func superEncoder(forKey key: Key) -> any Encoder { encoder.member(key) }
}

private struct TreeList: UnkeyedEncodingContainer {
  let encoder: TreeEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }
  var count: Int { encoder.node.nodes.count }

  mutating func encodeNil() { encoder.element().put("null") }

  mutating func encode<T: Encodable>(_ value: T) throws {
    let element = encoder.detached(at: codingPath)
    try element.write(value)
    encoder.node.append(element.node)
  }

  mutating func encode(_ value: Int128) throws { encoder.element().put("\(value)") }

  mutating func encode(_ value: UInt128) throws { encoder.element().put("\(value)") }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    encoder.element().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    encoder.element().unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder { encoder.element() }
}

private struct TreeValue: SingleValueEncodingContainer {
  let encoder: TreeEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }

  mutating func encodeNil() { encoder.put("null") }

  mutating func encode<T: Encodable>(_ value: T) throws {
    if !encoder.writeNumber(value) { try encoder.write(value) }
  }

  mutating func encode(_ value: Int128) throws { encoder.put("\(value)") }

  mutating func encode(_ value: UInt128) throws { encoder.put("\(value)") }
}
