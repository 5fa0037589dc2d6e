internal import Foundation
internal import Lensed

// Values as JSON, for sessions: what `JSONDecoder` reads with its default strategies, written without a tree between.
//
// What is `NotLogged` is left out at any depth: in its place stands an object with the type's name alone.
//
//   1. The bytes are written in the order in which the values encode themselves, to one output.
//   2. A container that a value asks for within its own has an output of its own, since a value may write to several in
//      turn. When the value is complete, the bytes of that are put in.
//   3. Of members with one key the last one counts, in the place of the first: an object is cleared of others when its
//      value is complete.
//   4. What a value has written that could not be encoded is taken back: whoever encodes it may go on without.

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
    let common = Common(hidden)
    let output = ValueOutput(common)
    try output.write(value, at: [], depth: 0)
    if let refused = common.refused { throw refused }
    return output.written.bytes
  }

  /// How many containers may stand within each other: a reader takes 512, and a record has some around the value.
  fileprivate static let depth = 500

  /// What becomes of a value that is `NotLogged`.
  package enum Hidden: Sendable {
    /// The name of its type stands in its place: `{"notLogged":"Token"}`.
    case named
    /// Encoding ends with a `HiddenValue`: for what must be read again.
    case refused
  }

  /// What all outputs of one call share.
  fileprivate final class Common {
    let hidden: Hidden
    /// The first value that is `NotLogged` where these are refused, also if whoever encoded it went on without.
    var refused: HiddenValue?
    /// What is wrong where nothing can be thrown: the value that it is found in throws it.
    var fault: (any Error)?
    /// The outputs of containers that are complete, for others.
    var spare: [ValueOutput] = []

    init(_ hidden: Hidden) {
      self.hidden = hidden
    }
  }
}

/// A value that is `NotLogged` was to be written where it must not be.
package struct HiddenValue: Error {
  package let type: String
}

extension EncodingError {
  /// Why a value cannot be written; the value itself is in no error.
  fileprivate static func ofValue(_ problem: String, _ path: [any CodingKey]) -> EncodingError {
    .invalidValue((), EncodingError.Context(codingPath: path, debugDescription: problem))
  }
}

/// What is written so far, and what of it is not complete.
private struct Written {
  typealias End = (byte: Int, member: Int, nested: Int)

  var bytes: [UInt8] = []
  /// The members of the objects that are open: of each key a sum, where it begins, and how long it is.
  private(set) var members: [(key: UInt64, start: Int, length: Int)] = []
  /// The containers that were asked for within others, and where their bytes are to be put in.
  private(set) var nested: [(position: Int, encoder: ValueEncoder)] = []

  var end: End { (bytes.count, members.count, nested.count) }

  mutating func beginMember(_ key: String?, isFirst: Bool) {
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    guard let key else { return }
    let start = bytes.count
    JSONText.write(key, to: &bytes)
    members.append((Self.sum(of: key), start, bytes.count - start))
    bytes.append(UInt8(ascii: ":"))
  }

  /// To compare numbers costs little; keys with one sum are compared then.
  static func sum(of key: String) -> UInt64 {
    var sum = FNV1a()
    sum.mix(key)
    return sum.value
  }

  func key(of member: Int) -> ArraySlice<UInt8> {
    bytes[members[member].start...].prefix(members[member].length)
  }

  /// Where a member stands, but for containers that were asked for in it.
  func range(of member: Int) -> Range<Int> {
    let isLast = member + 1 == members.count
    return members[member].start..<(isLast ? bytes.count : members[member + 1].start - 1)
  }

  /// The container that was asked for as the value of a member; nil where it has another value.
  func container(of member: Int) -> ValueEncoder? {
    let range = range(of: member)
    // Their positions ascend.
    var (low, high) = (0, nested.count)
    while low < high {
      let middle = (low + high) / 2
      if nested[middle].position <= range.upperBound { low = middle + 1 } else { high = middle }
    }
    guard low > 0, nested[low - 1].position > range.lowerBound else { return nil }
    return nested[low - 1].encoder
  }

  mutating func add(_ nested: ValueEncoder) { self.nested.append((bytes.count, nested)) }

  /// Takes back all that was written since.
  mutating func takeBack(to end: End) {
    bytes.removeLast(bytes.count - end.byte)
    members.removeLast(members.count - end.member)
    nested.removeLast(nested.count - end.nested)
  }

  /// Takes back the key of a member that could not be written, and the comma before it.
  mutating func takeBackMember(hasKey: Bool, isFirst: Bool) {
    if hasKey, let member = members.popLast() { bytes.removeLast(bytes.count - member.start) }
    if !isFirst { bytes.removeLast() }
  }

  /// Ends an object or a list that begins there.
  mutating func complete(_ form: ValueEncoder.Form, from start: End) {
    if nested.count > start.nested { putInNested(from: start) }
    switch form {
    // What encodes nothing is an empty object, as for `JSONEncoder`.
    case .none: bytes += "{}".utf8
    case .object:
      bytes.append(UInt8(ascii: "}"))
      removeRepeated(from: start)
      members.removeLast(members.count - start.member)
    case .list: bytes.append(UInt8(ascii: "]"))
    case .single: break
    }
  }

  private mutating func putInNested(from start: End) {
    let first = nested[start.nested].position
    let rest = Array(bytes[first...])
    bytes.removeLast(rest.count)
    var member = start.member
    for index in start.nested..<nested.count {
      let (position, encoder) = nested[index]
      encoder.complete(into: &bytes)
      let next = index + 1 < nested.count ? nested[index + 1].position : first + rest.count
      let shift = bytes.count - position
      while member < members.count, members[member].start <= next {
        if members[member].start > position { members[member].start += shift }
        member += 1
      }
      bytes += rest[position - first..<next - first]
    }
    nested.removeLast(nested.count - start.nested)
  }

  /// Of members with one key the last one stays, in the place of the first.
  private mutating func removeRepeated(from start: End) {
    let own = members[start.member...]
    let isRepeated =
      own.count > 16
      ? Set(own.map(\.key)).count < own.count
      : own.indices.contains { later in
        own[..<later].contains { $0.key == own[later].key }
      }
    if !isRepeated { return }
    var (places, ranges) = ([ArraySlice<UInt8>: Int](), [Range<Int>]())
    for index in own.indices {
      let next = index + 1 < own.endIndex ? own[index + 1].start : bytes.count
      let range = own[index].start..<next - 1
      if let place = places[key(of: index)] {
        ranges[place] = range
      } else {
        places[key(of: index)] = ranges.count
        ranges.append(range)
      }
    }
    let whole = ranges.map { bytes[$0] }.joined(separator: [UInt8(ascii: ",")])
    bytes.replaceSubrange(start.byte + 1..<bytes.count - 1, with: Array(whole))
  }
}

/// What a value, and those in it, write to, or a container that was asked for within others.
private final class ValueOutput {
  var written = Written()
  /// Whose value is being encoded: nobody else may write here.
  var writer: ObjectIdentifier?
  let common: SessionEncoder.Common

  init(_ common: SessionEncoder.Common) {
    self.common = common
  }

  func write(
    _ value: any Encodable, at path: @autoclosure () -> [any CodingKey], depth: Int
  ) throws {
    if try writePlain(value, at: path()) { return }
    if let fault = common.fault { throw fault }
    let encoder = ValueEncoder(self, path(), depth)
    let former = exchange(&writer, with: ObjectIdentifier(encoder))
    defer { writer = former }
    do {
      try value.encode(to: encoder)
      if let fault = common.fault { throw fault }
    } catch {
      common.fault = nil
      written.takeBack(to: encoder.start)
      throw error
    }
    written.complete(encoder.form, from: encoder.start)
  }

  /// Writes a value that needs no container.
  ///
  /// - Returns: Whether it is such a value.
  private func writePlain(
    _ value: any Encodable, at path: @autoclosure () -> [any CodingKey]
  ) throws -> Bool {
    if value is any NotLogged {
      let type = "\(type(of: value))"
      if common.hidden == .refused {
        common.refused = common.refused ?? HiddenValue(type: type)
        throw HiddenValue(type: type)
      }
      written.bytes += JSONText.object([.init("notLogged", .string(type))]).bytes
      return true
    }
    switch value {
    case let text as String: JSONText.write(text, to: &written.bytes)
    case let number as Int: written.bytes += String(number).utf8
    case let flag as Bool: written.bytes += (flag ? "true" : "false").utf8
    case let number as Double: write(number)
    case let data as Data: JSONText.write(data.base64EncodedString(), to: &written.bytes)
    case let url as URL: JSONText.write(url.absoluteString, to: &written.bytes)
    case let number as Decimal:
      if number.isNaN { throw EncodingError.ofValue("A Decimal is no number", path()) }
      written.bytes += "\(number)".utf8
    default: return false
    }
    return true
  }

  /// Writes a number that encodes itself as a single value.
  func writeNumber(_ value: some Encodable) -> Bool {
    switch value {
    case let number as Float: write(number)
    case let number as any BinaryInteger: written.bytes += "\(number)".utf8
    default: return false
    }
    return true
  }

  private func write(_ number: some BinaryFloatingPoint & LosslessStringConvertible) {
    if number.isFinite {
      let text = "\(number)"
      written.bytes += (text.hasSuffix(".0") ? text.dropLast(2) : text[...]).utf8
    } else {
      // As `ActionCoder.json` reads them.
      JSONText.write(number.isNaN ? "nan" : number < 0 ? "-inf" : "inf", to: &written.bytes)
    }
  }
}

/// What one value writes, or what is in one container within it: nothing yet, a single value, an object, or a list.
private final class ValueEncoder: Encoder {
  enum Form { case none, single, object, list }

  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }
  private(set) var form = Form.none
  /// How many members an object or a list has so far.
  private(set) var count = 0
  /// Where it begins in the output.
  let start: Written.End
  private let output: ValueOutput
  /// How many containers are around it.
  private let depth: Int
  /// The last member of each key, of so many members: once there are many, and containers in them.
  private var places: (last: [UInt64: Int], count: Int) = ([:], 0)

  init(_ output: ValueOutput, _ path: [any CodingKey], _ depth: Int) {
    (self.output, codingPath, self.depth) = (output, path, depth)
    start = output.written.end
  }

  // MARK: Members

  /// Begins what the value is, unless it has.
  func begin(_ form: Form) {
    if output.writer != ObjectIdentifier(self) {
      note("It writes to a container of a value that is complete, or is not at its turn")
    } else if self.form == .none {
      self.form = form
      if form == .single { return }
      output.written.bytes.append(form == .object ? UInt8(ascii: "{") : UInt8(ascii: "["))
      if depth >= SessionEncoder.depth { note("Its values nest too deep") }
    } else if self.form != form || form == .single {
      note("It asks for two kinds of containers in one place")
    }
  }

  private func note(_ problem: String) {
    let common = output.common
    common.fault = common.fault ?? EncodingError.ofValue(problem, codingPath)
  }

  /// Begins a member of an object or of a list, or the single value.
  ///
  /// - Returns: Whether it is to be written: after a fault nothing is.
  private func beginMember(_ key: String?, of form: Form) -> Bool {
    begin(form)
    if output.common.fault != nil { return false }
    if form == .single { return true }
    output.written.beginMember(key, isFirst: count == 0)
    count += 1
    return true
  }

  func put(_ json: String, _ key: (any CodingKey)?, in form: Form) {
    if beginMember(key?.stringValue, of: form) { output.written.bytes += json.utf8 }
  }

  func write(_ value: some Encodable, _ key: (any CodingKey)?, in form: Form) throws {
    let isBegun = beginMember(key?.stringValue, of: form)
    if !isBegun, let fault = output.common.fault { throw fault }
    if form == .single && output.writeNumber(value) { return }
    do {
      try output.write(value, at: path(key), depth: form == .single ? depth : depth + 1)
    } catch {
      if form == .single {
        self.form = .none
      } else {
        count -= 1
        output.written.takeBackMember(hasKey: key != nil, isFirst: count == 0)
        places = ([:], 0)
      }
      throw error
    }
  }

  private func path(_ key: (any CodingKey)?) -> [any CodingKey] {
    key.map { codingPath + [$0] } ?? codingPath
  }

  // MARK: Containers within

  /// A container within this one; one that a key has already, unless it is to be new.
  func nested(_ key: (any CodingKey)?, in form: Form, isNew: Bool = true) -> ValueEncoder {
    begin(form)
    // Nothing of it counts any more.
    if output.common.fault != nil { return self }
    if !isNew, let key, let known = known(key) { return known }
    _ = beginMember(key?.stringValue, of: form)
    let inner = output.common.spare.popLast() ?? ValueOutput(output.common)
    let encoder = ValueEncoder(inner, path(key), depth + 1)
    inner.writer = ObjectIdentifier(encoder)
    output.written.add(encoder)
    return encoder
  }

  /// Ends a container within another one: nothing can be added to it any more, and its output is for others.
  func complete(into bytes: inout [UInt8]) {
    output.written.complete(form, from: start)
    bytes += output.written.bytes
    output.written.takeBack(to: start)
    output.writer = nil
    output.common.spare.append(output)
  }

  /// The container that a key has already, to go on with; nil where it has nothing.
  private func known(_ key: any CodingKey) -> ValueEncoder? {
    guard let index = place(of: Written.sum(of: key.stringValue)),
      output.written.key(of: index).elementsEqual(JSONText.string(key.stringValue).bytes)
    else { return nil }
    if let own = output.written.container(of: index) { return own }
    // A value that was complete: it is written again, in place of the former.
    let range = output.written.range(of: index)
    let member = [UInt8(ascii: "{")] + output.written.bytes[range] + [UInt8(ascii: "}")]
    let encoder = nested(key, in: .object)
    switch (try? JSONText(parsing: member))?.members?.first?.value {
    case .object(let members):
      encoder.begin(.object)
      for member in members { encoder.put(member.value.text, TextKey(member.key), in: .object) }
    case .list(let list):
      encoder.begin(.list)
      for value in list { encoder.put(value.text, nil, in: .list) }
    default: encoder.begin(.single)
    }
    return encoder
  }

  /// The last member with a key.
  private func place(of key: UInt64) -> Int? {
    let members = output.written.members[start.member...]
    if members.count <= 16 { return members.lastIndex { $0.key == key } }
    for index in members.indices.dropFirst(places.count) { places.last[members[index].key] = index }
    places.count = members.count
    return places.last[key]
  }

  // MARK: Containers

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    begin(.object)
    return KeyedEncodingContainer(ObjectContainer(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    begin(.list)
    return ValueContainer(encoder: self, form: .list)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    ValueContainer(encoder: self, form: .single)
  }
}

private struct TextKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }
  init(_ text: String) { stringValue = text }
  init?(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { nil }
}

private struct ObjectContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: ValueEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }

  mutating func encodeNil(forKey key: Key) { encoder.put("null", key, in: .object) }

  mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    try encoder.write(value, key, in: .object)
  }

  mutating func encode(_ value: Int128, forKey key: Key) {
    encoder.put("\(value)", key, in: .object)
  }

  mutating func encode(_ value: UInt128, forKey key: Key) {
    encoder.put("\(value)", key, in: .object)
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    encoder.nested(key, in: .object, isNew: false).container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoder.nested(key, in: .object, isNew: false).unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder { encoder.nested(TextKey("super"), in: .object) }

  mutating func superEncoder(forKey key: Key) -> any Encoder { encoder.nested(key, in: .object) }
}

/// A list, or a single value.
private struct ValueContainer: UnkeyedEncodingContainer, SingleValueEncodingContainer {
  let encoder: ValueEncoder
  let form: ValueEncoder.Form
  var codingPath: [any CodingKey] { encoder.codingPath }
  var count: Int { encoder.count }

  mutating func encodeNil() { encoder.put("null", nil, in: form) }

  mutating func encode<T: Encodable>(_ value: T) throws {
    try encoder.write(value, nil, in: form)
  }

  mutating func encode(_ value: Int128) { encoder.put("\(value)", nil, in: form) }

  mutating func encode(_ value: UInt128) { encoder.put("\(value)", nil, in: form) }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    encoder.nested(nil, in: form).container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    encoder.nested(nil, in: form).unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder { encoder.nested(nil, in: form) }
}
