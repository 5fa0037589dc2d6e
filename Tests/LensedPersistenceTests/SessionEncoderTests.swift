import Foundation
import Lensed
import LensedTestSupport
import Testing

@testable import LensedPersistence

/// What the encoder of sessions writes decodes as what `JSONEncoder` writes.
@Suite(.timeLimit(.minutes(30))) struct SessionEncoderTests {
  private enum Keys: String, CodingKey, CaseIterable { case a, b, c, d, `super` }

  /// A value that encodes itself as a closure does.
  private struct Writer: Encodable, Sendable {
    var write: @Sendable (any Encoder) throws -> Void

    init(_ write: @escaping @Sendable (any Encoder) throws -> Void) { self.write = write }

    func encode(to encoder: any Encoder) throws { try write(encoder) }
  }

  private static func json(_ value: some Encodable) throws -> JSONText {
    let encoder = JSONEncoder()
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return try JSONText(parsing: encoder.encode(value))
  }

  /// A value with the members of objects in the order of their keys.
  private static func sorted(_ json: JSONText) -> JSONText {
    switch json {
    case .object(let members):
      .object(members.sorted { $0.key < $1.key }.map { .init($0.key, sorted($0.value)) })
    case .list(let list): .list(list.map(sorted))
    case .number(let text): .number(Double(text).map { "\($0)" } ?? text)
    default: json
    }
  }

  private func expectSame(
    _ value: some Encodable, _ comment: Comment, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let own = try JSONText(parsing: SessionEncoder.json(value))
    let other = try Self.json(value)
    #expect(Self.sorted(own) == Self.sorted(other), comment, sourceLocation: sourceLocation)
  }

  private enum Choice: Codable, Hashable, Sendable {
    case none
    case one(Int)
    case two(left: String, right: [Choice])
  }

  private class Base: Codable {
    var a = 1
    init() {}
  }

  private final class Derived: Base {
    var b = 2
    override init() { super.init() }
    required init(from decoder: any Decoder) throws { try super.init(from: decoder) }

    override func encode(to encoder: any Encoder) throws {
      try super.encode(to: encoder)
      var box = encoder.container(keyedBy: Keys.self)
      try box.encode(b, forKey: .b)
      try super.encode(to: box.superEncoder())
    }
  }

  private struct Wide: Codable {
    var signed = [Int128.min, 0, .max]
    var unsigned: UInt128? = .max
    var one: Int128 = -5
    var byKey = ["a": Int128(7)]
  }

  @Test func `a value of any type decodes as from JSONEncoder`() throws {
    let url = try #require(URL(string: "https://a.b/c%20d?e=f&g=/#h"))
    let values: [any Encodable] = [
      Int8.min, UInt64.max, Int128.min, UInt128.max, Wide(), 0.1, -0.0,
      Double.leastNonzeroMagnitude, Double.nan,
      [Double.infinity, -.infinity], Float(0.1), [Float.nan], Float16(1.5), CGFloat(1.5), true,
      "é\u{0}\u{2028}\u{1F600}\"\\/", "", [nil, 3] as [Int?], Optional<Optional<Int>>.some(nil),
      [String: Int](), ["a": [1: "x"]], [UUID(): 1], Set([1]), [Choice.none: Choice.one(1)],
      Choice.two(left: "", right: [.none, .two(left: "x", right: [])]), Data([1, 2, 255]), url,
      Date(timeIntervalSinceReferenceDate: 0.1), Decimal(string: "-12345678901234567890.125") ?? 0,
      [Decimal.greatestFiniteMagnitude], 1...3, ..<4, Duration.seconds(1.5), Base(), Derived(),
      Locale(identifier: "de"), DateComponents(year: 2020), URLComponents(string: "a://b/c"),
      Measurement(value: 1, unit: UnitLength.meters), IndexSet([1, 2, 9]), IndexPath(indexes: [1]),
      CharacterSet(charactersIn: "a"), TimeZone(secondsFromGMT: 0), Calendar(identifier: .iso8601),
      Dictionary(uniqueKeysWithValues: (0..<1_000).map { ("key \($0)", $0) }),
      Dictionary(uniqueKeysWithValues: (0..<40).map { ($0, ["a": $0, "b": $0]) }),
    ]
    for value in values { try expectSame(value, "\(type(of: value))") }
  }

  @Test func `a value that writes to its containers in any order decodes as from JSONEncoder`()
    throws
  {
    let values: [(String, Writer)] = [
      (
        "two lists in turn",
        Writer { encoder in
          var box = encoder.container(keyedBy: Keys.self)
          var (keys, values) = (
            box.nestedUnkeyedContainer(forKey: .a), box.nestedUnkeyedContainer(forKey: .b)
          )
          for number in 0..<3 {
            try keys.encode(number)
            try values.encode(10 * number)
          }
        }
      ),
      (
        "an object after its sibling",
        Writer { encoder in
          var box = encoder.container(keyedBy: Keys.self)
          var inner = box.nestedContainer(keyedBy: Keys.self, forKey: .a)
          try inner.encode(1, forKey: .a)
          try box.encode(2, forKey: .b)
          try inner.encode(["x": 3], forKey: .c)
        }
      ),
      (
        "a container that is asked for twice",
        Writer { encoder in
          var box = encoder.container(keyedBy: Keys.self)
          var first = box.nestedContainer(keyedBy: Keys.self, forKey: .a)
          try first.encode(1, forKey: .a)
          var second = box.nestedContainer(keyedBy: Keys.self, forKey: .a)
          try second.encode(2, forKey: .b)
        }
      ),
      (
        "one key twice",
        Writer { encoder in
          var box = encoder.container(keyedBy: Keys.self)
          try box.encode(1, forKey: .a)
          try box.encode("two", forKey: .b)
          try box.encode([3], forKey: .a)
          try box.encodeNil(forKey: .b)
        }
      ),
      (
        "a super encoder that is used late, and one that is not used",
        Writer { encoder in
          var box = encoder.container(keyedBy: Keys.self)
          let parent = box.superEncoder()
          _ = box.superEncoder(forKey: .b)
          try box.encode(1, forKey: .a)
          var single = parent.singleValueContainer()
          try single.encode(2)
        }
      ),
      (
        "a container of a value that is complete",
        Writer { encoder in
          var box = encoder.container(keyedBy: Keys.self)
          try box.encode(["x": [1], "y": []], forKey: .a)
          try box.encode([[1], [2]], forKey: .b)
          var object = box.nestedContainer(keyedBy: Keys.self, forKey: .a)
          try object.encode(2, forKey: .b)
          var list = box.nestedUnkeyedContainer(forKey: .b)
          try list.encode([3])
          try object.encode("x", forKey: .b)
        }
      ),
      (
        "containers of many keys, each asked for twice",
        Writer { encoder in
          var box = encoder.container(keyedBy: AnyKey.self)
          for number in 0..<100 {
            var list = box.nestedUnkeyedContainer(forKey: AnyKey("\(number % 50)"))
            try list.encode(number)
          }
        }
      ),
      (
        "one key twice among many",
        Writer { encoder in
          var box = encoder.container(keyedBy: AnyKey.self)
          for number in 0..<100 { try box.encode(number, forKey: AnyKey("\(number % 90)")) }
        }
      ),
      (
        "a list after its list",
        Writer { encoder in
          var list = encoder.unkeyedContainer()
          var inner = list.nestedUnkeyedContainer()
          try list.encode(Int128(1))
          try inner.encode(UInt128(2))
          try inner.encode(Float.infinity)
          try inner.encode(0.5)
          try inner.encodeNil()
        }
      ),
    ]
    for (name, value) in values {
      try expectSame(value, "\(name)")
      try expectSame(["a": [value, value], "b": []], "\(name), within others")
    }
  }

  @Test func `keys that differ in their Unicode form alone are two keys`() throws {
    let (one, two) = ("\u{e9}", "e\u{301}")
    let value = Writer { encoder in
      var box = encoder.container(keyedBy: AnyKey.self)
      for key in [one, two, one] { try box.encode(key.utf8.count, forKey: AnyKey(key)) }
      for key in [one, two] {
        var list = box.nestedUnkeyedContainer(forKey: AnyKey("list \(key)"))
        try list.encode(1)
      }
    }
    let expected = #"{"\#(one)":2,"\#(two)":3,"list \#(one)":[1],"list \#(two)":[1]}"#
    #expect(try SessionEncoder.json(value) == Array(expected.utf8))
  }

  private struct AnyKey: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(_ text: String) { stringValue = text }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
  }

  /// Writes values at random to containers that are all open at once, as `JSONEncoder` takes it.
  private static func writer(_ seed: UInt64) -> Writer {
    Writer { encoder in
      var generator = SeededGenerator(seed: seed)
      var objects = [(encoder.container(keyedBy: Keys.self), [Keys: Int]())]
      var lists: [any UnkeyedEncodingContainer] = []
      var encoders: [any Encoder] = []
      for step in 0..<Int.random(in: 1...25, using: &generator) {
        let what = Int.random(in: 0..<12, using: &generator)
        let index = Int.random(in: 0..<objects.count, using: &generator)
        let key = Keys.allCases[Int.random(in: 0..<4, using: &generator)]
        let used = objects[index].1[key]
        switch what {
        case 0...2 where used != 3:
          try objects[index].0.encode([step], forKey: key)
          objects[index].1[key] = 0
        case 3 where used != 3:
          try objects[index].0.encode(["a": "\(step)"], forKey: key)
          objects[index].1[key] = 0
        case 4, 5:
          guard used == nil || used == 1 else { continue }
          objects[index].1[key] = 1
          // What is in a container that is asked for twice is not known here: it gets keys of its own.
          let isNew = used == nil
          var inner = objects[index].0.nestedContainer(keyedBy: Keys.self, forKey: key)
          if isNew { objects.append((inner, [:])) } else { try inner.encode(step, forKey: .super) }
        case 6, 7:
          guard used == nil || used == 2 else { continue }
          objects[index].1[key] = 2
          lists.append(objects[index].0.nestedUnkeyedContainer(forKey: key))
        case 8:
          guard used == nil else { continue }
          objects[index].1[key] = 3
          encoders.append(objects[index].0.superEncoder(forKey: key))
        case 9:
          guard let last = encoders.popLast() else { continue }
          if step % 2 == 0 {
            objects.append((last.container(keyedBy: Keys.self), [:]))
          } else {
            var single = last.singleValueContainer()
            try single.encode("\(step)")
          }
        default:
          guard !lists.isEmpty else { continue }
          let list = Int.random(in: 0..<lists.count, using: &generator)
          if step % 3 == 0 {
            lists.append(lists[list].nestedUnkeyedContainer())
          } else if step % 3 == 1 {
            objects.append((lists[list].nestedContainer(keyedBy: Keys.self), [:]))
          } else {
            try lists[list].encode(step)
          }
        }
      }
    }
  }

  @Test func `what is written to open containers at random decodes as from JSONEncoder`() throws {
    for seed in 0..<UInt64(500 * VerificationLength.factor) {
      try expectSame(Self.writer(seed), "seed \(seed)")
    }
  }

  private struct Token: Encodable, NotLogged { var text = "swordfish" }

  @Test func `what is not logged stays out, however a value writes`() throws {
    let value = Writer { encoder in
      var box = encoder.container(keyedBy: Keys.self)
      var (left, right) = (
        box.nestedUnkeyedContainer(forKey: .a), box.nestedUnkeyedContainer(forKey: .b)
      )
      try left.encode(1)
      try right.encode([Token()])
      try left.encode(["a": Token()])
      try box.encode(Token(), forKey: .c)
    }
    let name = #"{"notLogged":"Token"}"#
    #expect(
      String(decoding: try SessionEncoder.json(value), as: UTF8.self)
        == #"{"a":[1,{"a":\#(name)}],"b":[[\#(name)]],"c":\#(name)}"#)
    #expect(throws: HiddenValue.self) { try SessionEncoder.json([value], hidden: .refused) }
  }

  @Test func `a value that goes on without what could not be encoded is a value without it`() throws
  {
    let value = Writer { encoder in
      var box = encoder.container(keyedBy: Keys.self)
      try? box.encode(Decimal.nan, forKey: .a)
      try? box.encode(["x": [Decimal.nan]], forKey: .b)
      try box.encode("c", forKey: .c)
    }
    #expect(String(decoding: try SessionEncoder.json(value), as: UTF8.self) == #"{"c":"c"}"#)
    let list = Writer { encoder in
      var list = encoder.unkeyedContainer()
      try? list.encode(Decimal.nan)
      try list.encode(1)
    }
    #expect(String(decoding: try SessionEncoder.json(list), as: UTF8.self) == "[1]")
    let single = Writer { encoder in
      var single = encoder.singleValueContainer()
      try? single.encode(["x": [Decimal.nan]])
      try single.encode(["y": 1])
    }
    #expect(String(decoding: try SessionEncoder.json(single), as: UTF8.self) == #"{"y":1}"#)
    let hiding = Writer { encoder in
      var box = encoder.container(keyedBy: Keys.self)
      try? box.encode(Token(), forKey: .a)
      try box.encode(1, forKey: .b)
    }
    #expect(throws: HiddenValue.self) { try SessionEncoder.json(hiding, hidden: .refused) }
  }

  /// A value that writes to what is around it, too.
  private struct Stray: Encodable {
    var write: (any Encoder) throws -> Void

    func encode(to encoder: any Encoder) throws { try write(encoder) }
  }

  @Test func `what writes out of turn leaves nothing, also where that is overlooked`() throws {
    let value = Writer { encoder in
      var box = encoder.container(keyedBy: Keys.self)
      let outer = box
      let inner = Stray { encoder in
        var (own, outer) = (encoder.container(keyedBy: Keys.self), outer)
        try? outer.encode(1, forKey: .c)
        try? outer.encode([1], forKey: .c)
        try? outer.encodeNil(forKey: .d)
        _ = outer.nestedContainer(keyedBy: Keys.self, forKey: .d)
        try own.encode(1, forKey: .a)
      }
      try? box.encode(inner, forKey: .a)
      try box.encode(1, forKey: .b)
      #expect(throws: EncodingError.self) { try box.encode(inner, forKey: .a) }
    }
    #expect(String(decoding: try SessionEncoder.json(value), as: UTF8.self) == #"{"b":1}"#)
    let list = Writer { encoder in
      var list = encoder.unkeyedContainer()
      let outer = encoder
      let inner = Stray { _ in
        var list = outer.unkeyedContainer()
        try? list.encode(2)
      }
      try? list.encode(inner)
      try list.encode(1)
    }
    #expect(String(decoding: try SessionEncoder.json(list), as: UTF8.self) == "[1]")
  }

  private struct NameKey: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
  }

  @Test func `a container that a key has is found among many`() throws {
    for (count, step) in [(1, 1), (2, 1), (3, 2), (40, 7), (500, 37)] {
      let value = Writer { encoder in
        var box = encoder.container(keyedBy: NameKey.self)
        for round in 0..<3 {
          for index in 0..<count {
            let number = index * step % count
            if round == 0 && number % 3 == 0 {
              try box.encode(["k0": number], forKey: NameKey("k\(number)"))
              continue
            }
            var inner = box.nestedContainer(
              keyedBy: NameKey.self, forKey: NameKey("k\(number)"))
            try inner.encode(number, forKey: NameKey("k\(round)"))
          }
        }
      }
      try expectSame(value, "\(count)")
    }
  }

  @Test func `what cannot be read again throws, and does not trap`() throws {
    let mixed: [Writer] = [
      Writer { encoder in
        var box = encoder.container(keyedBy: Keys.self)
        try box.encode(1, forKey: .a)
        var list = encoder.unkeyedContainer()
        try list.encode(1)
      },
      Writer { encoder in
        var single = encoder.singleValueContainer()
        try single.encode(1)
        try single.encode(2)
      },
      Writer { encoder in
        var box = encoder.container(keyedBy: Keys.self)
        try box.encode(1, forKey: .a)
        var list = box.nestedUnkeyedContainer(forKey: .a)
        try list.encode(1)
      },
    ]
    for value in mixed {
      #expect(throws: EncodingError.self) { try SessionEncoder.json(value) }
      #expect(throws: EncodingError.self) { try SessionEncoder.json(["a": [value]]) }
    }
    #expect(throws: EncodingError.self) { try SessionEncoder.json(Decimal.nan) }
    #expect(throws: EncodingError.self) { try SessionEncoder.json(["a": [Decimal.nan]]) }
  }

  private struct Deep: Codable {
    var inner: [Deep]
    var isTangled = false

    static func make(_ depth: Int, isTangled: Bool = false) -> Deep {
      (0..<depth).reduce(Deep(inner: [], isTangled: isTangled)) { deep, _ in
        Deep(inner: [deep], isTangled: isTangled)
      }
    }

    func encode(to encoder: any Encoder) throws {
      var list = encoder.unkeyedContainer()
      if isTangled {
        let late = list.superEncoder()
        try list.encode(0)
        _ = late.unkeyedContainer()
      }
      for deep in inner { try list.encode(deep) }
    }
  }

  @Test func `a value that nests deeper than a record can throws`() throws {
    for isTangled in [false, true] {
      // There is one more container in a value that is tangled.
      let limit = isTangled ? 498 : 499
      for depth in [1, 400, 497, 498, 499, 500, 501, 513, 2_000] {
        let value = Deep.make(depth, isTangled: isTangled)
        guard let json = try? SessionEncoder.json(value) else {
          #expect(depth > limit)
          continue
        }
        #expect(depth <= limit)
        // Within the record of a commit.
        _ = try JSONText(parsing: #"{"changed":{"a":{"rows":[[0,1,["#.utf8 + json + "]]]}}}".utf8)
      }
    }
    // Containers within containers of one value.
    for depth in [600, 1_000_000] {
      let nested = Writer { encoder in
        var list = encoder.unkeyedContainer()
        for _ in 0..<depth { list = list.nestedUnkeyedContainer() }
      }
      #expect(throws: EncodingError.self) { try SessionEncoder.json(nested) }
    }
  }
}
