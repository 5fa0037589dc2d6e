import Foundation
import Lensed
import LensedPersistence
import LensedTestSupport
import Testing

/// Rows and keys whose JSON is unusual, and rows that are equal in the order of a sort.
@Suite("Rows of any JSON come back as they were", .timeLimit(.minutes(30)))
struct UnusualRowsTests {
  private struct Pile<Row: UnusualRow>: Sendable {
    var rows = Entities<Row>()
    /// Many rows are equal in this order: they stand as they came.
    var sorted = SortedEntities<Row>(by: { $0.number < $1.number })
    var values: [Row.ID: Row] = [:]
    var marks: [Row.ID: Int?] = [:]
  }

  private enum Step<Row: UnusualRow>: Action {
    case insert(Row, at: Int)
    case write(Row)
    case move(Row.ID, to: Int)
    case remove(Row.ID)
    case mark(Row.ID, Int?)
  }

  private func makeStore<Row: UnusualRow>(
    _ row: Row.Type, _ memory: MemoryStorage
  ) throws -> (Persistence<Pile<Row>>, Store<Pile<Row>>) {
    @PersistenceBuilder<Pile<Row>> func parts() -> [PersistedPart<Pile<Row>>] {
      KeptRows(\.rows)
      KeptRows(\.sorted)
      KeptRows(\.values)
      KeptRows(\.marks)
    }
    var options = PersistenceOptions(writing: .eachCommit, clock: ManualClock()) { _ in }
    options.minimalSegments = 2_000
    let disk = try Persistence(memory, parts(), .strictly, options)
    let store = try Store(initialState: Pile<Row>(), middleware: [disk]) {
      Mutator(\.rows) { (rows: inout Entities<Row>, step: Step<Row>) in
        switch step {
        case .insert(let row, let index): _ = rows.insert(row, at: min(index, rows.count))
        case .write(let row): _ = rows.update(row)
        case .move(let id, let index):
          if rows.contains(id: id) { _ = rows.move(id: id, to: min(index, rows.count - 1)) }
        case .remove(let id): _ = rows.remove(id: id)
        case .mark: break
        }
      }
      Mutator(\.sorted) { (rows: inout SortedEntities<Row>, step: Step<Row>) in
        switch step {
        case .insert(let row, _): _ = rows.insert(row)
        case .write(let row): _ = rows.update(row)
        case .remove(let id): _ = rows.remove(id: id)
        case .move, .mark: break
        }
      }
      Mutator(\.values) { (values: inout [Row.ID: Row], step: Step<Row>) in
        switch step {
        case .insert(let row, _), .write(let row): values[row.id] = row
        case .remove(let id): values[id] = nil
        case .move, .mark: break
        }
      }
      Mutator(\.marks) { (marks: inout [Row.ID: Int?], step: Step<Row>) in
        switch step {
        case .mark(let id, let number): marks.updateValue(number, forKey: id)
        case .remove(let id): marks.removeValue(forKey: id)
        case .insert, .write, .move: break
        }
      }
    }
    return (disk, store)
  }

  private func step<Row: UnusualRow>(
    _ row: Row.Type, _ generator: inout SeededGenerator
  ) -> Step<Row> {
    let row = Row(
      Int.random(in: 0..<8, using: &generator), Int.random(in: 0..<3, using: &generator))
    let index = Int.random(in: 0..<8, using: &generator)
    return switch Int.random(in: 0..<9, using: &generator) {
    case 0, 1, 2: .insert(row, at: index)
    case 3, 4: .write(row)
    case 5: .move(row.id, to: index)
    case 6: .remove(row.id)
    default: .mark(row.id, index % 3 == 0 ? nil : index)
    }
  }

  private func run<Row: UnusualRow>(_ row: Row.Type) async throws {
    for seed in 0..<UInt64((isOptimized ? 4 : 2) * VerificationLength.factor) {
      var generator = SeededGenerator(seed: seed)
      let memory = MemoryStorage()
      var (disk, store) = try makeStore(row, memory)
      for number in 0..<40 {
        let count = Int.random(in: 1...3, using: &generator)
        store.dispatch((0..<count).map { _ in step(row, &generator) })
        try await disk.sync()
        let (_, restored) = try makeStore(row, MemoryStorage(memory.files))
        let name: Comment = "seed \(seed), step \(number)"
        #expect(Array(restored.rows) == Array(store.rows), name)
        #expect(Array(restored.sorted) == Array(store.sorted), name)
        #expect(restored.values == store.values && restored.marks == store.marks, name)
        if number % 10 == 9 {
          try await disk.close()
          (disk, store) = try makeStore(row, memory)
        }
      }
    }
  }

  @Test func `rows that are equal in the order of a sort stand as they stood`() async throws {
    try await run(PlainRow.self)
  }

  @Test func `an id can be an optional, an object, a list, a date, or any text`() async throws {
    try await run(OptionalRow.self)
    try await run(ObjectRow.self)
    try await run(ChoiceRow.self)
    try await run(DateRow.self)
    try await run(TextRow.self)
  }

  @Test func `a row can encode itself as null, a number, or nothing at all`() async throws {
    try await run(NullRow.self)
    try await run(NumberRow.self)
    try await run(EmptyRow.self)
  }
}

private protocol UnusualRow: Identifiable, Codable, Equatable, Sendable
where ID: Codable & Sendable {
  init(_ id: Int, _ number: Int)
  var number: Int { get }
}

private struct PlainRow: UnusualRow {
  var id: Int
  var number: Int

  init(_ id: Int, _ number: Int) { (self.id, self.number) = (id, number) }
}

private struct OptionalRow: UnusualRow {
  var id: Int?
  var number: Int

  init(_ id: Int, _ number: Int) { (self.id, self.number) = (id == 0 ? nil : id, number) }
}

private struct ObjectRow: UnusualRow {
  struct ID: Codable, Hashable, Sendable {
    var path: [String]
    var place: [String: Int?]
  }
  var id: ID
  var number: Int

  init(_ id: Int, _ number: Int) {
    self.id = ID(path: Array(repeating: "a", count: id % 3), place: ["b": id == 0 ? nil : id])
    self.number = number
  }
}

private struct ChoiceRow: UnusualRow {
  enum ID: Codable, Hashable, Sendable {
    case none
    case one(Int)
    indirect case two(ID, ID?)
  }
  var id: ID
  var number: Int

  init(_ id: Int, _ number: Int) {
    self.id = id == 0 ? .none : id % 2 == 0 ? .one(id) : .two(.one(id), nil)
    self.number = number
  }
}

private struct DateRow: UnusualRow {
  var id: Date
  var number: Int

  init(_ id: Int, _ number: Int) {
    self.id = Date(timeIntervalSinceReferenceDate: Double(id) / 3)
    self.number = number
  }
}

private struct TextRow: UnusualRow {
  var id: String
  var number: Int

  init(_ id: Int, _ number: Int) {
    self.id = ["", "\"", "\\", "\u{0}\n", "null", "{}", "\u{1F468}\u{200D}\u{1F469}", "/"][id]
    self.number = number
  }
}

private struct NullRow: UnusualRow {
  var id: Int
  var number: Int

  init(_ id: Int, _ number: Int) { (self.id, self.number) = (id, number) }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      (id, number) = (0, 0)
    } else {
      let both = try container.decode([Int].self)
      (id, number) = (both[0], both[1])
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if id == 0 && number == 0 {
      try container.encodeNil()
    } else {
      try container.encode([id, number])
    }
  }
}

private struct NumberRow: UnusualRow {
  var id: Int
  var number: Int

  init(_ id: Int, _ number: Int) { (self.id, self.number) = (id, number) }

  init(from decoder: any Decoder) throws {
    let both = try decoder.singleValueContainer().decode(Int.self)
    (id, number) = (both / 10, both % 10)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(id * 10 + number)
  }
}

private struct EmptyRow: UnusualRow {
  private enum CodingKeys: CodingKey { case id, number }

  var id: Int
  var number: Int

  init(_ id: Int, _ number: Int) { (self.id, self.number) = (id, number) }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decodeIfPresent(Int.self, forKey: .id) ?? 0
    number = try container.decodeIfPresent(Int.self, forKey: .number) ?? 0
  }

  func encode(to encoder: any Encoder) throws {
    if id == 0 && number == 0 { return }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(number, forKey: .number)
  }
}
