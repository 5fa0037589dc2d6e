/// A value of JSON, as it is read from a session.
///
/// Numbers are kept as they are written, so none loses a digit; the members of an object keep their order.
package indirect enum JSONText: Sendable, Equatable {
  case null
  case bool(Bool)
  case number(String)
  case string(String)
  case list([JSONText])
  case object([Member])

  package struct Member: Sendable, Equatable {
    package var key: String
    package var value: JSONText

    package init(_ key: String, _ value: JSONText) {
      (self.key, self.value) = (key, value)
    }
  }

  /// Why text is no JSON, and at which byte.
  package struct Fault: Error, CustomStringConvertible {
    package let byte: Int
    package let problem: String

    package var description: String { "\(problem) at byte \(byte)" }
  }

  /// A member of an object; nil where there is none, and of anything else.
  package subscript(key: String) -> JSONText? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }

  package var string: String? { if case .string(let text) = self { text } else { nil } }
  package var int: Int? { if case .number(let text) = self { Int(text) } else { nil } }
  package var double: Double? { if case .number(let text) = self { Double(text) } else { nil } }
  package var bool: Bool? { if case .bool(let flag) = self { flag } else { nil } }
  package var list: [JSONText]? { if case .list(let list) = self { list } else { nil } }
  package var members: [Member]? { if case .object(let list) = self { list } else { nil } }
}

// MARK: Writing

extension JSONText {
  /// The value on one line.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    write(to: &bytes)
    return bytes
  }

  /// The value on one line.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The value on lines of its own, indented; what is short stands on one line.
  package func pretty(_ indent: String = "") -> String {
    let line = text
    if line.utf8.count + indent.utf8.count <= 80 { return line }
    let inner = indent + "  "
    switch self {
    case .list(let list) where !list.isEmpty:
      let lines = list.map { inner + $0.pretty(inner) }
      return "[\n" + lines.joined(separator: ",\n") + "\n\(indent)]"
    case .object(let members) where !members.isEmpty:
      let lines = members.map { member in
        inner + JSONText.string(member.key).text + ": " + member.value.pretty(inner)
      }
      return "{\n" + lines.joined(separator: ",\n") + "\n\(indent)}"
    default: return line
    }
  }

  package func write(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes += "null".utf8
    case .bool(let flag): bytes += (flag ? "true" : "false").utf8
    case .number(let text): bytes += text.utf8
    case .string(let text): Self.write(text, to: &bytes)
    case .list(let list):
      bytes.append(UInt8(ascii: "["))
      for (index, value) in list.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        value.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        Self.write(member.key, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        member.value.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  package static func write(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 10: bytes += #"\n"#.utf8
      case 13: bytes += #"\r"#.utf8
      case 9: bytes += #"\t"#.utf8
      case ..<32:
        bytes += #"\u00"#.utf8
        bytes.append(digits[Int(byte >> 4)])
        bytes.append(digits[Int(byte & 15)])
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static let digits = Array("0123456789abcdef".utf8)
}

// MARK: Reading

extension JSONText {
  /// Reads one value, which is all of the bytes.
  package init(parsing bytes: some Collection<UInt8>) throws(Fault) {
    var parser = Parser(bytes: Array(bytes))
    self = try parser.whole()
  }
}

private struct Parser {
  let bytes: [UInt8]
  var position = 0
  /// How deep values may nest: a recursion has to end before the stack does.
  static let depth = 512

  mutating func whole() throws(JSONText.Fault) -> JSONText {
    let value = try value(Self.depth)
    skipSpace()
    if position < bytes.count { throw fault("Something follows the value") }
    return value
  }

  private func fault(_ problem: String) -> JSONText.Fault {
    JSONText.Fault(byte: position, problem: problem)
  }

  private mutating func skipSpace() {
    while position < bytes.count, [32, 9, 10, 13].contains(bytes[position]) { position += 1 }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    skipSpace()
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  private mutating func value(_ depth: Int) throws(JSONText.Fault) -> JSONText {
    skipSpace()
    guard position < bytes.count else { throw fault("The text ends before its value") }
    if depth == 0 { throw fault("Values nest more than \(Self.depth) deep") }
    switch bytes[position] {
    case UInt8(ascii: "{"): return try object(depth)
    case UInt8(ascii: "["): return try list(depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return try number()
    }
  }

  private mutating func word(
    _ word: String, _ value: JSONText
  ) throws(JSONText.Fault) -> JSONText {
    guard bytes[position...].starts(with: word.utf8) else { throw fault("There is no value") }
    position += word.utf8.count
    return value
  }

  private mutating func number() throws(JSONText.Fault) -> JSONText {
    let start = position
    while position < bytes.count, Self.isOfNumber(bytes[position]) { position += 1 }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    guard Double(text) != nil, text.first != "+", text.first != "." else {
      position = start
      throw fault("There is no value")
    }
    return .number(text)
  }

  private static func isOfNumber(_ byte: UInt8) -> Bool {
    switch byte {
    case 48...57, UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "e"),
      UInt8(ascii: "E"):
      true
    default: false
    }
  }

  private mutating func list(_ depth: Int) throws(JSONText.Fault) -> JSONText {
    position += 1
    var list: [JSONText] = []
    if take(UInt8(ascii: "]")) { return .list(list) }
    repeat { list.append(try value(depth - 1)) } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "]")) else { throw fault("A list has no end") }
    return .list(list)
  }

  private mutating func object(_ depth: Int) throws(JSONText.Fault) -> JSONText {
    position += 1
    var members: [JSONText.Member] = []
    if take(UInt8(ascii: "}")) { return .object(members) }
    repeat {
      skipSpace()
      guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
        throw fault("An object's member has no name")
      }
      let key = try string()
      guard take(UInt8(ascii: ":")) else { throw fault("An object's member has no value") }
      members.append(JSONText.Member(key, try value(depth - 1)))
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "}")) else { throw fault("An object has no end") }
    return .object(members)
  }

  private mutating func string() throws(JSONText.Fault) -> String {
    position += 1
    let start = position
    while position < bytes.count, bytes[position] != UInt8(ascii: "\""),
      bytes[position] != UInt8(ascii: "\\")
    { position += 1 }
    if position < bytes.count, bytes[position] == UInt8(ascii: "\"") {
      defer { position += 1 }
      return String(decoding: bytes[start..<position], as: UTF8.self)
    }
    var units = Array(String(decoding: bytes[start..<position], as: UTF8.self).utf16)
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") {
        position += 1
        return String(decoding: units, as: UTF16.self)
      }
      if byte == UInt8(ascii: "\\") {
        units.append(try escape())
        continue
      }
      let from = position
      while position < bytes.count, bytes[position] != UInt8(ascii: "\""),
        bytes[position] != UInt8(ascii: "\\")
      { position += 1 }
      units += String(decoding: bytes[from..<position], as: UTF8.self).utf16
    }
    throw fault("A string has no end")
  }

  private mutating func escape() throws(JSONText.Fault) -> UInt16 {
    position += 1
    guard position < bytes.count else { throw fault("A string has no end") }
    let byte = bytes[position]
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return UInt16(byte)
    case UInt8(ascii: "n"): return 10
    case UInt8(ascii: "r"): return 13
    case UInt8(ascii: "t"): return 9
    case UInt8(ascii: "b"): return 8
    case UInt8(ascii: "f"): return 12
    case UInt8(ascii: "u"):
      let digits = bytes.dropFirst(position).prefix(4)
      guard digits.count == 4,
        let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
      else { throw fault("An escape has no four digits") }
      position += 4
      return unit
    default: throw fault("There is no such escape")
    }
  }
}
