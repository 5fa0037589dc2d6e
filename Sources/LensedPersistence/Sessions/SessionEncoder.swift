internal import Foundation
internal import Lensed

// Values as JSON, for sessions: what `JSONDecoder` reads with its default strategies, written without a tree in between.
//
// What is `NotLogged` is left out at any depth: in its place stands an object with the type's name alone.
//
//   1. The bytes are written in the order in which the value writes: each container is closed by the next member.
//   2. A value may write to two containers in turn, or one key twice, or go on without what could not be encoded. That is
//      noticed, and the bytes count for nothing: it is encoded again as a tree (`TreeEncoder`), which takes all of that.

/// Writes values as JSON.
package enum SessionEncoder {
  /// A value as JSON on one line.
  ///
  /// - Throws: The error of the value's own `encode(to:)`, `HiddenValue` for the first value that is `NotLogged` where
  ///   these are refused, and an `EncodingError` for what cannot be read again: two kinds of containers in one place, a
  ///   number that is none, more than 500 containers within each other.
  package static func json(
    _ value: any Encodable, hidden: Hidden = .named
  ) throws -> [UInt8] {
    let output = ValueOutput(hidden)
    do {
      try output.write(value, at: [])
    } catch {
      if !output.isTangled { throw error }
    }
    if let refused = output.refused { throw refused }
    if output.isTangled || output.hasThrown { return try TreeEncoder.json(value, hidden) }
    if output.isTooDeep { throw EncodingError.ofValue("Its values nest too deep", []) }
    return output.bytes
  }

  /// How many containers may stand within each other: a reader takes 512, and a record has some around the value.
  static let depth = 500

  /// What becomes of a value that is `NotLogged`.
  package enum Hidden: Sendable {
    /// The name of its type stands in its place: `{"notLogged":"Token"}`.
    case named
    /// Encoding ends with a `HiddenValue`: for what must be read again.
    case refused
  }
}

/// A value that is `NotLogged` was to be written where it must not be.
package struct HiddenValue: Error {
  package let type: String
}

extension EncodingError {
  /// Why a value cannot be written; the value itself is in no error.
  static func ofValue(_ problem: String, _ path: [any CodingKey]) -> EncodingError {
    .invalidValue((), EncodingError.Context(codingPath: path, debugDescription: problem))
  }
}

// MARK: In one go

/// The bytes of a value so far.
final class ValueOutput {
  var bytes: [UInt8] = []
  /// Whether something was written where it does not stand in its place.
  var isTangled = false
  /// Whether a value could not be written: whoever wrote it may have gone on without it.
  private(set) var hasThrown = false
  private(set) var refused: HiddenValue?
  /// How many containers are open.
  var depth = 0
  var isTooDeep = false
  /// The keys of the objects that are open, of each a sum: to compare numbers costs little.
  private var keys: [UInt64] = []
  private let hidden: SessionEncoder.Hidden

  init(_ hidden: SessionEncoder.Hidden) {
    self.hidden = hidden
  }

  func write(_ value: any Encodable, at path: [any CodingKey]) throws {
    do {
      if try writePlain(value, at: path) { return }
      if isTangled || isTooDeep { throw EncodingError.ofValue("Its values nest too deep", path) }
      let encoder = ValueEncoder(self, path)
      try value.encode(to: encoder)
      encoder.close()
    } catch {
      hasThrown = true
      refused = refused ?? error as? HiddenValue
      throw error
    }
  }

  /// Writes a value that needs no container.
  ///
  /// - Returns: Whether it is such a value.
  func writePlain(_ value: any Encodable, at path: [any CodingKey]) throws -> Bool {
    if value is any NotLogged {
      let type = "\(type(of: value))"
      if hidden == .refused { throw HiddenValue(type: type) }
      bytes += #"{"notLogged":"#.utf8
      JSONText.write(type, to: &bytes)
      bytes.append(UInt8(ascii: "}"))
      return true
    }
    switch value {
    case let text as String: JSONText.write(text, to: &bytes)
    case let number as Int: bytes += String(number).utf8
    case let flag as Bool: bytes += (flag ? "true" : "false").utf8
    case let number as Double: write(number)
    case let data as Data: JSONText.write(data.base64EncodedString(), to: &bytes)
    case let url as URL: JSONText.write(url.absoluteString, to: &bytes)
    case let number as Decimal:
      if number.isNaN { throw EncodingError.ofValue("A Decimal is no number", path) }
      bytes += "\(number)".utf8
    default: return false
    }
    return true
  }

  /// Writes a number that encodes itself as a single value.
  func writeNumber(_ value: some Encodable) -> Bool {
    switch value {
    case let number as Float: write(number)
    case let number as any BinaryInteger: bytes += "\(number)".utf8
    default: return false
    }
    return true
  }

  private func write(_ number: some BinaryFloatingPoint & LosslessStringConvertible) {
    if number.isFinite {
      let text = "\(number)"
      bytes += (text.hasSuffix(".0") ? text.dropLast(2) : text[...]).utf8
    } else {
      // As `ActionCoder.json` reads them.
      JSONText.write(number.isNaN ? "nan" : number < 0 ? "-inf" : "inf", to: &bytes)
    }
  }

  func write(key: String) {
    JSONText.write(key, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    // Two keys with one sum, which is next to impossible, count as one key, and a tree says that they are not.
    var sum = FNV1a()
    sum.mix(key)
    keys.append(sum.value)
  }

  func beginObject() -> Int { keys.count }

  /// Ends the object whose keys begin there.
  func endObject(_ first: Int) {
    if isTangled { return }
    if keys.count - first <= 16 {
      isTangled = Self.hasRepeated(keys[first...])
    } else {
      isTangled = Set(keys[first...]).count < keys.count - first
    }
    keys.removeLast(keys.count - first)
  }

  private static func hasRepeated(_ keys: ArraySlice<UInt64>) -> Bool {
    keys.indices.dropFirst().contains { later in
      keys[..<later].contains(keys[later])
    }
  }
}

/// What one value writes: nothing yet, a single value, an object, or a list.
///
/// A container may be asked for again while it is the last thing that was written. Once something follows, what it writes
/// would stand in the wrong place: the output is tangled then.
private final class ValueEncoder: Encoder {
  enum Form { case none, single, object, list }

  let output: ValueOutput
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }
  private(set) var form = Form.none
  /// How many members an object or a list has so far.
  var count = 0
  /// The nested containers that are open: the last one has to be closed before the next member.
  private var open: ValueEncoder?
  private var isClosed = false
  /// Where its keys begin among those of the output.
  private var firstKey = 0

  init(_ output: ValueOutput, _ path: [any CodingKey]) {
    (self.output, codingPath) = (output, path)
  }

  func begin(_ form: Form) {
    if isClosed { output.isTangled = true }
    if self.form == form && form != .single { return }
    if self.form != .none { output.isTangled = true }
    self.form = form
    switch form {
    case .object:
      output.bytes.append(UInt8(ascii: "{"))
      firstKey = output.beginObject()
    case .list: output.bytes.append(UInt8(ascii: "["))
    case .single, .none: return
    }
    output.depth += 1
    if output.depth > SessionEncoder.depth { output.isTooDeep = true }
  }

  /// Begins a member of an object or of a list.
  func member(_ key: String?) {
    if isClosed { output.isTangled = true }
    closeNested()
    if count > 0 { output.bytes.append(UInt8(ascii: ",")) }
    count += 1
    if let key { output.write(key: key) }
  }

  func nested(_ key: (any CodingKey)?) -> ValueEncoder {
    let encoder = ValueEncoder(output, key.map { codingPath + [$0] } ?? codingPath)
    open = encoder
    return encoder
  }

  private func closeNested() {
    open?.close()
    open = nil
  }

  func close() {
    closeNested()
    isClosed = true
    switch form {
    // What encodes nothing is an empty object, as for `JSONEncoder`.
    case .none: output.bytes += "{}".utf8
    case .object:
      output.bytes.append(UInt8(ascii: "}"))
      output.endObject(firstKey)
      output.depth -= 1
    case .list:
      output.bytes.append(UInt8(ascii: "]"))
      output.depth -= 1
    case .single: break
    }
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    begin(.object)
    return KeyedEncodingContainer(ObjectContainer(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    begin(.list)
    return ListContainer(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { SingleContainer(encoder: self) }
}

private struct ObjectContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: ValueEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }

  mutating func encodeNil(forKey key: Key) {
    encoder.member(key.stringValue)
    encoder.output.bytes += "null".utf8
  }

  mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    encoder.member(key.stringValue)
    try encoder.output.write(value, at: codingPath + [key])
  }

  mutating func encode(_ value: Int128, forKey key: Key) throws {
    encoder.member(key.stringValue)
    encoder.output.bytes += "\(value)".utf8
  }

  mutating func encode(_ value: UInt128, forKey key: Key) throws {
    encoder.member(key.stringValue)
    encoder.output.bytes += "\(value)".utf8
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    encoder.member(key.stringValue)
    return encoder.nested(key).container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoder.member(key.stringValue)
    return encoder.nested(key).unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder {
    encoder.member("super")
    return encoder.nested(nil)
  }

  mutating func superEncoder(forKey key: Key) -> any Encoder {
    encoder.member(key.stringValue)
    return encoder.nested(key)
  }
}

private struct ListContainer: UnkeyedEncodingContainer {
  let encoder: ValueEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }
  var count: Int { encoder.count }

  mutating func encodeNil() {
    encoder.member(nil)
    encoder.output.bytes += "null".utf8
  }

  mutating func encode<T: Encodable>(_ value: T) throws {
    encoder.member(nil)
    try encoder.output.write(value, at: codingPath)
  }

  mutating func encode(_ value: Int128) throws {
    encoder.member(nil)
    encoder.output.bytes += "\(value)".utf8
  }

  mutating func encode(_ value: UInt128) throws {
    encoder.member(nil)
    encoder.output.bytes += "\(value)".utf8
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    encoder.member(nil)
    return encoder.nested(nil).container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    encoder.member(nil)
    return encoder.nested(nil).unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder {
    encoder.member(nil)
    return encoder.nested(nil)
  }
}

private struct SingleContainer: SingleValueEncodingContainer {
  let encoder: ValueEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }

  mutating func encodeNil() {
    encoder.begin(.single)
    encoder.output.bytes += "null".utf8
  }

  mutating func encode<T: Encodable>(_ value: T) throws {
    encoder.begin(.single)
    if encoder.output.writeNumber(value) { return }
    try encoder.output.write(value, at: codingPath)
  }

  mutating func encode(_ value: Int128) throws {
    encoder.begin(.single)
    encoder.output.bytes += "\(value)".utf8
  }

  mutating func encode(_ value: UInt128) throws {
    encoder.begin(.single)
    encoder.output.bytes += "\(value)".utf8
  }
}
