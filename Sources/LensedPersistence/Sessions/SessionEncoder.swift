internal import Foundation
internal import Lensed

// Values as JSON, for sessions: what `JSONDecoder` reads with its default strategies, written without a tree in between.
//
// What is `NotLogged` is left out at any depth: in its place stands an object with the type's name alone.

/// Writes values as JSON.
package enum SessionEncoder {
  /// A value as JSON on one line.
  ///
  /// - Throws: The error of the value's own `encode(to:)`, `HiddenValue` for the first value that is `NotLogged` where
  ///   these are refused, and an `EncodingError` where a container was asked for twice in one place.
  package static func json(
    _ value: any Encodable, hidden: Hidden = .named
  ) throws -> [UInt8] {
    let output = Output(hidden)
    try output.write(value, at: [])
    return output.bytes
  }

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

/// The bytes so far.
private final class Output {
  var bytes: [UInt8] = []
  private let hidden: SessionEncoder.Hidden

  init(_ hidden: SessionEncoder.Hidden) {
    self.hidden = hidden
  }

  func write(_ value: any Encodable, at path: [any CodingKey]) throws {
    if value is any NotLogged {
      let type = "\(type(of: value))"
      if hidden == .refused { throw HiddenValue(type: type) }
      bytes += #"{"notLogged":"#.utf8
      JSONText.write(type, to: &bytes)
      bytes.append(UInt8(ascii: "}"))
      return
    }
    switch value {
    case let text as String: JSONText.write(text, to: &bytes)
    case let number as Int: bytes += String(number).utf8
    case let flag as Bool: bytes += (flag ? "true" : "false").utf8
    case let number as Double: write(number)
    case let data as Data: JSONText.write(data.base64EncodedString(), to: &bytes)
    case let url as URL: JSONText.write(url.absoluteString, to: &bytes)
    case let number as Decimal: bytes += "\(number)".utf8
    default:
      let encoder = ValueEncoder(self, path)
      try value.encode(to: encoder)
      encoder.close()
    }
  }

  func write(_ number: some BinaryFloatingPoint & LosslessStringConvertible) {
    if number.isFinite {
      let text = "\(number)"
      bytes += (text.hasSuffix(".0") ? text.dropLast(2) : text[...]).utf8
    } else {
      // As `ActionCoder.json` reads them.
      JSONText.write(number.isNaN ? "nan" : number < 0 ? "-inf" : "inf", to: &bytes)
    }
  }
}

/// What one value writes: nothing yet, a single value, an object, or a list.
///
/// A container may be asked for again while it is the last thing that was written; once something follows, what it
/// writes would stand in the wrong place, so that traps in debug builds and is refused in all.
private final class ValueEncoder: Encoder {
  enum Form { case none, single, object, list }

  let output: Output
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }
  private(set) var form = Form.none
  /// How many members an object or a list has so far.
  var count = 0
  /// The nested containers that are open: the last one has to be closed before the next member.
  private var open: ValueEncoder?

  init(_ output: Output, _ path: [any CodingKey]) {
    (self.output, codingPath) = (output, path)
  }

  func begin(_ form: Form) {
    if self.form == form && form != .single { return }
    if self.form != .none {
      fatalError(
        """
        Lensed: a value of a session asked its encoder for two kinds of containers at \
        \(codingPath.map(\.stringValue)); a value is an object, a list or a single value.
        """)
    }
    self.form = form
    switch form {
    case .object: output.bytes.append(UInt8(ascii: "{"))
    case .list: output.bytes.append(UInt8(ascii: "["))
    case .single, .none: break
    }
  }

  /// Begins a member of an object or of a list.
  func member(_ key: String?) {
    closeNested()
    if count > 0 { output.bytes.append(UInt8(ascii: ",")) }
    count += 1
    if let key {
      JSONText.write(key, to: &output.bytes)
      output.bytes.append(UInt8(ascii: ":"))
    }
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
    switch form {
    // What encodes nothing is an empty object, as for `JSONEncoder`.
    case .none: output.bytes += "{}".utf8
    case .object: output.bytes.append(UInt8(ascii: "}"))
    case .list: output.bytes.append(UInt8(ascii: "]"))
    case .single: break
    }
    form = .single
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
    switch value {
    case let number as Float: encoder.output.write(number)
    case let number as any BinaryInteger: encoder.output.bytes += "\(number)".utf8
    default: try encoder.output.write(value, at: codingPath)
    }
  }
}
