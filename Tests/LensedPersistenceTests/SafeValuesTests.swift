import Foundation
import Lensed
import LensedPersistence
import LensedTesting
import Testing

/// A sync that returned says that the values can be read again, whatever they are; an error does not show them.
@Suite(.timeLimit(.minutes(30))) struct SafeValuesTests {
  private struct Held<Value: Codable & Equatable & Sendable>: Sendable {
    var value: Value?
    var rows = Entities<Row<Value>>()
    var values: [String: Value] = [:]
  }

  private struct Row<Value: Codable & Equatable & Sendable>: Codable, Equatable, Identifiable,
    Sendable
  {
    var id: Int
    var value: Value
  }

  private struct Put<Value: Sendable>: Action { var value: Value }

  private enum How: CaseIterable { case whole, rows, values }

  private func open<Value>(
    _ how: How, _ memory: MemoryStorage
  ) throws -> (Persistence<Held<Value>>, Store<Held<Value>>) {
    let disk = try Persistence<Held<Value>>(
      in: memory, writing: .eachCommit, clock: ManualClock(), onFailure: { _ in }
    ) {
      switch how {
      case .whole: Kept(\.value)
      case .rows: KeptRows(\.rows)
      case .values: KeptRows(\.values)
      }
    }
    let store = try Store(initialState: Held<Value>(), middleware: [disk]) {
      Mutator(\.value) { (value: inout Value?, put: Put<Value>) in value = put.value }
      Mutator(\.rows) { (rows: inout Entities<Row<Value>>, put: Put<Value>) in
        rows.upsert(Row(id: 1, value: put.value))
      }
      Mutator(\.values) { (values: inout [String: Value], put: Put<Value>) in
        values["N\"a\\N"] = put.value
      }
    }
    return (disk, store)
  }

  /// Whether a sync of a value returned, for each way to keep it: what it says is safe is read again.
  @discardableResult
  private func safety<Value: Codable & Equatable & Sendable>(
    of value: Value, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Set<Bool> {
    var safe: Set<Bool> = []
    for how in How.allCases {
      let memory = MemoryStorage()
      let (disk, store): (Persistence<Held<Value>>, Store<Held<Value>>) = try open(how, memory)
      store.dispatch(Put(value: value))
      do {
        try await disk.sync()
        let (_, again): (_, Store<Held<Value>>) = try open(how, MemoryStorage(memory.files))
        let found = [again.value, again.rows.first?.value, again.values.first?.value]
          .compactMap { $0 }
        let isSame = try found.map(json) == [json(value)]
        #expect(isSame, "\(how)", sourceLocation: sourceLocation)
        safe.insert(true)
      } catch let error as PersistenceError {
        guard case .unencodable = error else { throw error }
        #expect("\(error)".count < 800, sourceLocation: sourceLocation)
        safe.insert(false)
      }
      withExtendedLifetime(store) {}
    }
    return safe
  }

  /// A value as text, which says of a NaN too that it is the same.
  private func json(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return try encoder.encode(value)
  }

  private enum Nest: Codable, Equatable, Sendable {
    indirect case deeper([Nest])
    case end

    static func make(_ depth: Int) -> Nest {
      (0..<depth).reduce(.end) { nest, _ in .deeper([nest]) }
    }

    init(from decoder: any Decoder) throws {
      guard var list = try? decoder.unkeyedContainer() else {
        self = .end
        return
      }
      self = .deeper(list.isAtEnd ? [] : [try list.decode(Nest.self)])
    }

    func encode(to encoder: any Encoder) throws {
      switch self {
      case .deeper(let inner):
        var list = encoder.unkeyedContainer()
        for nest in inner { try list.encode(nest) }
      case .end:
        var single = encoder.singleValueContainer()
        try single.encode(0)
      }
    }
  }

  @Test func `a number that JSON lacks is safe only if it can be read again`() async throws {
    for number in [
      Double.nan, .infinity, -.infinity, -0.0, .greatestFiniteMagnitude, .leastNonzeroMagnitude,
    ] {
      #expect(try await safety(of: number) == [true])
      #expect(try await safety(of: Float(number)) == [true])
      #expect(try await safety(of: CGFloat(number)) == [true])
      #expect(try await safety(of: [Optional(number), nil]) == [true])
      try await safety(of: Date(timeIntervalSinceReferenceDate: number))
    }
    #expect(try await safety(of: Float16.nan) == [true])
    #expect(try await safety(of: [Int128.min, .max]) == [true])
    #expect(try await safety(of: UInt128.max) == [true])
    for text in ["1e127", "-1e-127", "0", "12345678901234567890.123456789"] {
      #expect(try await safety(of: #require(Decimal(string: text))) == [true])
    }
    #expect(try await safety(of: Decimal.greatestFiniteMagnitude) == [true])
    #expect(try await safety(of: "NaN \"NaN\" \\NaN\\") == [true])
    #expect(try await safety(of: ["NaN": ["\\": "N\""]]) == [true])
    #expect(try await safety(of: Decimal.nan) == [false])
    #expect(try await safety(of: [Decimal.nan]) == [false])
    #expect(try await safety(of: ["\\\"": [1, Decimal.nan]]) == [false])
  }

  @Test func `a value of any depth is safe only if it can be read again`() async throws {
    for depth in [1, 100, 500] + Array(502...516) { try await safety(of: Nest.make(depth)) }
  }

  @Test func `once a number can be written again, the next sync returns`() async throws {
    let memory = MemoryStorage()
    let (disk, store): (Persistence<Held<Decimal>>, Store<Held<Decimal>>) = try open(.whole, memory)
    store.dispatch(Put(value: Decimal.nan))
    await #expect {
      try await disk.sync()
    } throws: { error in
      "\(error)".contains("`value`") && "\(error)".contains("Decimal.nan")
        && "\(error)".contains("Make it optional")
    }
    store.dispatch(Put(value: Decimal(2)))
    try await disk.close()
    #expect(try (open(.whole, memory) as (_, Store<Held<Decimal>>)).1.value == 2)
  }

  /// What cannot be encoded, and what is in none of its errors.
  private struct Secret: Codable, Equatable, Sendable, NotLogged {
    var words = [String](repeating: "swordfish", count: 1_000)
    var how: Int

    struct Refusal: Error { var secret: Secret }
    struct LongRefusal: Error { var reason = String(repeating: "x", count: 100_000) }
    enum Keys: CodingKey { case words, how }

    func encode(to encoder: any Encoder) throws {
      let path = [Keys.words]
      switch how {
      case 0: throw Refusal(secret: self)
      case 1: throw LongRefusal()
      case 2:
        throw EncodingError.invalidValue(
          self, EncodingError.Context(codingPath: path, debugDescription: "no such words"))
      default:
        var box = encoder.container(keyedBy: Keys.self)
        try box.encode(words, forKey: .words)
        try box.encode(how, forKey: .how)
      }
    }
  }

  private enum Color: String, Codable, Sendable, NotLogged { case red }

  @Test func `no error of an encoder or a decoder shows what is not logged, and each is short`()
    async throws
  {
    var texts: [String] = []
    for how in 0...2 {
      let (disk, store): (Persistence<Held<Secret>>, Store<Held<Secret>>) =
        try open(.whole, MemoryStorage())
      store.dispatch(Put(value: Secret(how: how)))
      do { try await disk.sync() } catch { texts.append("\(error)") }
      withExtendedLifetime(store) {}
    }
    #expect(texts.count == 3)
    #expect(texts.last?.contains("`Secret` cannot be encoded at `words`: no such words") == true)
    // A colour that a later version of the app does not have any more.
    let memory = MemoryStorage()
    let (disk, store): (Persistence<Held<String>>, Store<Held<String>>) = try open(.whole, memory)
    store.dispatch(Put(value: "swordfish"))
    try await disk.close()
    #expect {
      let _: (_, Store<Held<Color>>) = try open(.whole, memory)
    } throws: { error in
      texts.append("\(error)")
      return "\(error)".contains("`value`")
    }
    #expect(texts.allSatisfy { !$0.contains("swordfish") && $0.count < 800 }, "\(texts)")
  }
}
