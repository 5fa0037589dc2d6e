import Foundation
import Lensed
import LensedPersistence
import LensedTestSupport
import LensedTesting
import Testing

/// Migrations that are called again, that change ids, or throw half-way.
@Suite(.timeLimit(.minutes(30))) struct MigrationTests {
  /// A row whose id the type of the id says.
  private struct Note<ID: Hashable & Codable & Sendable>: Codable, Sendable, Equatable,
    Identifiable
  {
    var id: ID
    var text = ""
    var stamp = 0
  }

  private struct Pad<Row: Identifiable & Codable & Equatable & Sendable>: Sendable
  where Row.ID: Codable & Sendable {
    var notes = Entities<Row>()
    var byName: [String: Row] = [:]
    var head: Row?
    var other = 0
  }

  /// Edits the rows.
  private enum Edit<Row: Identifiable & Sendable>: Action where Row.ID: Sendable {
    case put([Row])
    case remove([Row.ID])
    case move(Row.ID, to: Int)
    case touch
  }

  private typealias Disk<Row: Identifiable & Codable & Equatable & Sendable> = Persistence<Pad<Row>>
  where Row.ID: Codable & Sendable

  private func open<Row>(
    _ memory: some PersistenceStorage, version: Int = 1, migration: PartMigration<Row>? = nil
  ) throws -> (Persistence<Pad<Row>>, Store<Pad<Row>>) {
    var ofHead: PartMigration<Row?>?
    if let migration { ofHead = { version, old in try migration(version, old) } }
    let parts: [[PersistedPart<Pad<Row>>]] = [
      PersistenceBuilder.buildExpression(
        KeptRows(\.notes, version: version, migration: migration)),
      PersistenceBuilder.buildExpression(
        KeptRows(\.byName, version: version, migration: migration)),
      PersistenceBuilder.buildExpression(Kept(\.head, version: version, migration: ofHead)),
      PersistenceBuilder.buildExpression(Kept(\.other)),
    ]
    let disk = try Persistence<Pad<Row>>(in: memory, writing: .eachCommit, onFailure: { _ in }) {
      for part in parts.joined() { part }
    }
    let store = try Store(initialState: Pad<Row>(), middleware: [disk]) {
      Mutator(\.notes) { (notes: inout Entities<Row>, action: Edit<Row>) in
        switch action {
        case .put(let rows): for row in rows { _ = notes.upsert(row) }
        case .remove(let ids): for id in ids { _ = notes.remove(id: id) }
        case .move(let id, let index): _ = notes.move(id: id, to: index)
        case .touch: break
        }
      }
      Mutator(\.byName) { (rows: inout [String: Row], action: Edit<Row>) in
        if case .put(let new) = action { for row in new { rows["\(row.id)"] = row } }
      }
      Mutator(\.head) { (head: inout Row?, action: Edit<Row>) in
        if case .put(let rows) = action { head = rows.last }
      }
      Mutator(\.other) { (other: inout Int, action: CountAction) in other += 1 }
    }
    return (disk, store)
  }

  private typealias Plain = Note<Int>

  /// A memory with rows of version 1, some of which were removed and moved.
  private func makeOld() async throws -> MemoryStorage {
    let memory = MemoryStorage()
    let (disk, store): (Persistence<Pad<Plain>>, Store<Pad<Plain>>) = try open(memory)
    store.dispatch(Edit<Plain>.put((1...5).map { Note(id: $0, text: "old \($0)") }))
    try await disk.sync()
    store.dispatch(Edit<Plain>.remove([2]))
    try await disk.sync()
    store.dispatch(Edit<Plain>.move(5, to: 0))
    try await disk.close()
    return memory
  }

  /// A migration whose result is another one each time.
  private static func stamping() -> PartMigration<Plain> {
    let stamps = Locked(0)
    return { _, old in
      var row = try old.decode(Plain.self)
      row.stamp = stamps.withLock { stamps in
        stamps += 1
        return stamps
      }
      return row
    }
  }

  @Test func `what a migration made is what comes back, once a sync has returned`() async throws {
    let migration = Self.stamping()
    for touching in [false, true] {
      let memory = try await makeOld()
      let (disk, store) = try open(memory, version: 2, migration: migration)
      if touching { store.dispatch(CountAction.add(1)) }
      try await disk.sync()
      let shown = store.state
      for crashed in [MemoryStorage(memory.files), memory] {
        if crashed === memory { try await disk.close() }
        let (_, next) = try open(crashed, version: 2, migration: migration)
        #expect(next.notes == shown.notes, "touching: \(touching)")
        #expect(next.byName == shown.byName, "touching: \(touching)")
        #expect(next.head == shown.head, "touching: \(touching)")
      }
    }
  }

  @Test func `a folder that is only looked at stays as an older version left it`() async throws {
    let memory = try await makeOld()
    let files = memory.files
    do {
      let disk = try Persistence<Pad<Plain>>(in: memory) {
        KeptRows(\.notes, version: 2, migration: Self.stamping())
      }
      try await disk.close()
    }
    #expect(memory.files.filter { $0.key != "lock" } == files)
  }

  @Test func `rows that a migration gives new ids are all there, or it is an error`() async throws {
    let memory = try await makeOld()
    let files = memory.files
    let migration: PartMigration<Plain> = { _, old in
      var row = try old.decode(Plain.self)
      row.id += 1_000
      return row
    }
    do {
      let (_, store) = try open(memory, version: 2, migration: migration)
      #expect(store.notes.map(\.id) == [1_005, 1_001, 1_003, 1_004])
    } catch {
      #expect("\(error)".contains("keep the ids"), "\(error)")
    }
    #expect(memory.files == files)
  }

  @Test func `rows whose ids change their form are all there, or it is an error that says so`()
    async throws
  {
    let memory = try await makeOld()
    let files = memory.files
    do {
      let (_, store): (Persistence<Pad<Note<String>>>, Store<Pad<Note<String>>>) = try open(
        memory, version: 2,
        migration: { _, old in
          let old = try old.decode(Plain.self)
          return Note(id: "\(old.id)", text: old.text)
        })
      #expect(store.notes.map(\.id) == ["5", "1", "3", "4"])
    } catch {
      #expect("\(error)".contains("keep the ids"), "\(error)")
    }
    #expect(memory.files == files)
  }

  /// A row whose id is not in its JSON.
  private struct Nameless: Codable, Sendable, Equatable, Identifiable {
    var id = UUID()
    var text: String

    private enum CodingKeys: String, CodingKey { case text }

    init(_ text: String) { self.text = text }

    init(from decoder: any Decoder) throws {
      text = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .text)
    }
  }

  @Test func `a row that was removed does not come back, whatever its JSON says of its id`()
    async throws
  {
    let memory = MemoryStorage()
    let (disk, store): (Persistence<Pad<Nameless>>, Store<Pad<Nameless>>) = try open(memory)
    store.dispatch(Edit.put(["a", "b", "c"].map(Nameless.init)))
    try await disk.close()
    let (next, again): (Persistence<Pad<Nameless>>, Store<Pad<Nameless>>) = try open(memory)
    let gone = try #require(again.notes.first { $0.text == "b" }?.id)
    again.dispatch(Edit<Nameless>.remove([gone]))
    try await next.close()
    do {
      let (_, last): (Persistence<Pad<Nameless>>, Store<Pad<Nameless>>) = try open(memory)
      #expect(last.notes.map(\.text) == ["a", "c"])
    } catch {
      #expect("\(error)".contains("ids"), "\(error)")
    }
  }

  @Test func `a row that was edited does not come back twice, whatever its JSON says of its id`()
    async throws
  {
    let memory = MemoryStorage()
    let (disk, store): (Persistence<Pad<Nameless>>, Store<Pad<Nameless>>) = try open(memory)
    store.dispatch(Edit.put(["a", "b", "c"].map(Nameless.init)))
    try await disk.close()
    let (next, again): (Persistence<Pad<Nameless>>, Store<Pad<Nameless>>) = try open(memory)
    var edited = try #require(again.notes.first { $0.text == "b" })
    edited.text = "B"
    again.dispatch(Edit.put([edited]))
    try await next.close()
    let files = memory.files
    do {
      let (_, last): (Persistence<Pad<Nameless>>, Store<Pad<Nameless>>) = try open(memory)
      #expect(last.notes.map(\.text) == ["a", "B", "c"])
    } catch {
      #expect("\(error)".contains("keep the ids"), "\(error)")
    }
    #expect(memory.files == files)
    // A salvage keeps what can be read of it.
    let salvaged = try Persistence<Pad<Nameless>>(in: memory, recovering: .salvage) {
      KeptRows(\.notes)
    }
    let last = Store(initialState: Pad<Nameless>(), coverage: .partial, middleware: [salvaged])
    #expect(last.notes.contains { $0.text == "B" } && salvaged.recovery.losses.count == 1)
  }

  @Test func `a migration that throws half-way changes nothing, and is asked again`() async throws {
    struct Failure: Error {}
    let memory = try await makeOld()
    let files = memory.files
    for limit in 0..<11 {
      let calls = Locked(0)
      #expect("after \(limit) calls") {
        let _: (Persistence<Pad<Plain>>, Store<Pad<Plain>>) = try open(
          memory, version: 2,
          migration: { _, old in
            let call = calls.withLock { calls in
              calls += 1
              return calls
            }
            if call > limit { throw Failure() }
            return try old.decode(Plain.self)
          })
      } throws: {
        "\($0)".contains("Failure()") && "\($0)".contains("segment-1.lensed")
      }
      #expect(memory.files == files)
    }
    let (_, store) = try open(memory, version: 2) { _, old in try old.decode(Plain.self) }
    #expect(store.notes.map(\.id) == [5, 1, 3, 4])
  }

  @Test func `a part that was given the name of another one is an error, or takes its value`()
    async throws
  {
    struct Texts: Sendable {
      var first = "initial"
      var second = "initial"
      var number = 0
    }
    struct Write: Action { var text: String }
    func open(
      _ memory: MemoryStorage, @PersistenceBuilder<Texts> _ parts: () -> [PersistedPart<Texts>]
    ) throws -> (Persistence<Texts>, Store<Texts>) {
      let disk = try Persistence<Texts>(in: memory, writing: .eachCommit, parts: parts)
      let store = try Store(initialState: Texts(), middleware: [disk]) {
        Mutator(\.first) { (text: inout String, action: Write) in text = action.text + " 1" }
        Mutator(\.second) { (text: inout String, action: Write) in text = action.text + " 2" }
        Mutator(\.number) { (number: inout Int, action: Write) in number = action.text.count }
      }
      return (disk, store)
    }
    let memory = MemoryStorage()
    let (disk, store) = try open(memory) { Kept(\.first) }
    store.dispatch(Write(text: "old"))
    try await disk.close()
    // Renamed, and its old name went to a part of the same type: `named:` decides.
    func openRenamed() throws -> (Persistence<Texts>, Store<Texts>) {
      try open(memory) {
        Kept(\.second, named: "first")
        Kept(\.first, named: "second")
      }
    }
    let (next, renamed) = try openRenamed()
    #expect(renamed.second == "old 1" && renamed.first == "initial")
    renamed.dispatch(Write(text: "new"))
    try await next.close()
    let (last, again) = try openRenamed()
    #expect(again.second == "new 2" && again.first == "new 1")
    try await last.close()
    // To one of another type: an error, and nothing is changed.
    let files = memory.files
    #expect(throws: PersistenceError.self) {
      _ = try open(memory) { Kept(\.number, named: "first") }
    }
    #expect(memory.files == files)
  }
}
