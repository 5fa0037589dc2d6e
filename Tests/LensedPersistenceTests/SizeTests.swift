import Foundation
import Lensed
import LensedPersistence
import LensedTestSupport
import LensedTesting
import Testing

/// Parts that are empty, large, deep, or have nothing to say.
@Suite(.timeLimit(.minutes(30))) struct SizeTests {
  private struct Holder<Value: Sendable>: Sendable {
    var value: Value
    var other = 0
  }

  private struct Put<Value: Sendable>: Action {
    var value: Value
  }

  private func makeStore<Value: Sendable>(
    _ initial: Value, _ disk: Persistence<Holder<Value>>
  ) throws -> Store<Holder<Value>> {
    try Store(initialState: Holder(value: initial), middleware: [disk]) {
      Mutator(\.value) { (value: inout Value, action: Put<Value>) in value = action.value }
      Mutator(\.other) { (other: inout Int, action: CountAction) in other += 1 }
    }
  }

  /// Keeps each value in turn, and returns what comes back after each.
  private func keep<Value: Sendable>(
    _ initial: Value, _ values: [Value],
    _ parts: @escaping () -> [PersistedPart<Holder<Value>>]
  ) async throws -> [Value] {
    let memory = MemoryStorage()
    let disk = try Persistence<Holder<Value>>(
      in: memory, writing: .eachCommit, onFailure: { _ in }, parts: parts)
    let store = try makeStore(initial, disk)
    var kept: [Value] = []
    for value in values {
      store.dispatch(Put(value: value))
      try await disk.sync()
      let next = try Persistence<Holder<Value>>(in: MemoryStorage(memory.files), parts: parts)
      kept.append(try makeStore(initial, next).value)
    }
    return kept
  }

  @Test func `no rows come back as no rows, whatever the initial state has`() async throws {
    let initial = try Entities([Card(id: 1, text: "initial")])
    let many = try Entities((0..<3).map { Card(id: $0) })
    let rows = [Entities<Card>(), many, Entities(), initial, Entities()]
    #expect(
      try await keep(initial, rows) {
        PersistenceBuilder.buildExpression(KeptRows(\.value))
      } == rows)
    let entries: [[Int: Card]] = [[:], [1: Card(id: 1)], [:]]
    #expect(
      try await keep([7: Card(id: 7)], entries) {
        PersistenceBuilder.buildExpression(KeptRows(\.value))
      } == entries)
    let texts = ["", "text", ""]
    #expect(
      try await keep("initial", texts) {
        PersistenceBuilder.buildExpression(Kept(\.value))
      } == texts)
    let optionals = [nil, 1, nil]
    #expect(
      try await keep(7, optionals) {
        PersistenceBuilder.buildExpression(Kept(\.value))
      } == optionals)
  }

  @Test func `a large row is kept, among small ones too`() async throws {
    // In the long form 10 MB.
    let count = VerificationLength.factor > 1 ? 1_700_000 : 50_000
    let large = String(repeating: "large ", count: count)
    let rows = try Entities((0..<200).map { Card(id: $0, text: $0 == 77 ? large : "small") })
    let next = try Entities((0..<200).map { Card(id: $0, text: $0 == 78 ? large : "small") })
    #expect(
      try await keep(Entities(), [rows, next]) {
        PersistenceBuilder.buildExpression(KeptRows(\.value))
      } == [rows, next])
  }

  @Test func `rows that are larger than those before them are written in records that can be read`()
    async throws
  {
    let memory = MemoryStorage()
    let parts = { PersistenceBuilder<Holder<Entities<Card>>>.buildExpression(KeptRows(\.value)) }
    let disk = try Persistence(in: memory, writing: .eachCommit, onFailure: { _ in }, parts: parts)
    let store = try makeStore(Entities(), disk)
    let large = String(repeating: "x", count: 1 << 18)
    let count = 20
    let rows = try Entities((0..<2_500).map { Card(id: $0, text: $0 < 2_500 - count ? "" : large) })
    store.dispatch(Put(value: rows))
    try await disk.close()
    var longest = 0
    for (name, bytes) in memory.files {
      var reader = RecordReader(file: name) { Array(bytes.dropFirst(Int($0)).prefix($1)) }
      while let record = try reader.next() { longest = max(longest, record.json.count) }
    }
    // Not all of them in one.
    #expect((1 << 18..<1 << 22).contains(longest))
    let next = try Persistence(in: memory, parts: parts)
    #expect(try makeStore(Entities(), next).value == rows)
  }

  @Test(.enabled(if: VerificationLength.factor > 10))
  func `what is too long for a record is an error of its part, and what came before stays`()
    async throws
  {
    let memory = MemoryStorage()
    let parts = { PersistenceBuilder<Holder<String>>.buildExpression(Kept(\.value)) }
    let disk = try Persistence(in: memory, writing: .eachCommit, onFailure: { _ in }, parts: parts)
    let store = try makeStore("", disk)
    store.dispatch(Put(value: "short"))
    try await disk.sync()
    store.dispatch(Put(value: String(repeating: "x", count: 1 << 30)))
    await #expect {
      try await disk.sync()
    } throws: {
      "\($0)".contains("one record") && "\($0)".contains("`value` cannot be encoded")
    }
    let next = try Persistence(in: MemoryStorage(memory.files), parts: parts)
    #expect(try makeStore("", next).value == "short")
    store.dispatch(Put(value: "shorter"))
    try await disk.close()
  }

  /// JSON as Foundation reads it has 512 levels at most.
  private struct Nested: Codable, Sendable, Equatable {
    var levels: Int

    init(levels: Int) {
      self.levels = levels
    }

    init(from decoder: any Decoder) throws {
      var container = try decoder.unkeyedContainer()
      levels = container.isAtEnd ? 1 : try container.decode(Nested.self).levels + 1
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.unkeyedContainer()
      if levels > 1 { try container.encode(Nested(levels: levels - 1)) }
    }
  }

  private struct NestedRow: Codable, Sendable, Equatable, Identifiable {
    var id: Int
    var nested: Nested
  }

  /// Syncs a value, and returns the error, or else whether it came back.
  private func outcome<Value: Sendable & Equatable>(
    _ initial: Value, _ value: Value,
    _ parts: @escaping () -> [PersistedPart<Holder<Value>>]
  ) async throws -> PersistenceError? {
    do {
      #expect(try await keep(initial, [value], parts) == [value])
      return nil
    } catch let error as PersistenceError {
      return error
    }
  }

  @Test func `what is safe can be read again, however deep it is`() async throws {
    for levels in [1, 505, 509, 510, 511, 512, 513, 600] {
      let value = try await outcome(Nested(levels: 1), Nested(levels: levels)) {
        PersistenceBuilder.buildExpression(Kept(\.value))
      }
      let rows = try await outcome(
        Entities(), try Entities([NestedRow(id: 1, nested: Nested(levels: levels))])
      ) { PersistenceBuilder.buildExpression(KeptRows(\.value)) }
      let entries = try await outcome([:], [1: Nested(levels: levels)]) {
        PersistenceBuilder.buildExpression(KeptRows(\.value))
      }
      for error in [value, rows, entries] {
        guard let error else { continue }
        #expect(levels > 505, "\(error)")
        if case .unencodable("value", _) = error { continue }
        Issue.record("\(levels) levels: \(error)")
      }
    }
  }

  @Test func `what a type throws as it is encoded is an error of its part, and not of the disk`()
    async throws
  {
    struct Refusal: Error {}
    struct Mute: Codable, Sendable, Equatable {
      init() {}
      init(from decoder: any Decoder) throws {}
      func encode(to encoder: any Encoder) throws {}
    }
    struct Refusing: Codable, Sendable, Equatable, Identifiable {
      var id = 1
      init() {}
      init(from decoder: any Decoder) throws { throw Refusal() }
      func encode(to encoder: any Encoder) throws { throw Refusal() }
    }
    let errors = [
      try await outcome(Refusing(), Refusing()) {
        PersistenceBuilder.buildExpression(Kept(\.value))
      },
      try await outcome(Entities(), try Entities([Refusing()])) {
        PersistenceBuilder.buildExpression(KeptRows(\.value))
      },
      try await outcome([:], [1: Refusing()]) {
        PersistenceBuilder.buildExpression(KeptRows(\.value))
      },
    ]
    for error in errors {
      if case .unencodable("value", _) = error { continue }
      Issue.record("\(String(describing: error))")
    }
    // A value, and an entry, that say nothing are kept as such.
    #expect(
      try await outcome(Mute(), Mute()) { PersistenceBuilder.buildExpression(Kept(\.value)) }
        == nil)
    #expect(
      try await outcome([:], [1: Mute()]) {
        PersistenceBuilder.buildExpression(KeptRows(\.value))
      } == nil)
  }
}
