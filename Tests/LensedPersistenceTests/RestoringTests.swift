import Foundation
import Lensed
import LensedPersistence
import LensedTestSupport
import Testing

/// Notes what it sees when it is attached, and in each commit.
private final class Watcher: Middleware {
  let seen = Locked<[String]>([])

  func attached(to store: ScopedStore<Board>) {
    let title = store.title
    seen.withLock { $0.append("attached: \(title)") }
  }

  func didReduce(_ change: Change<Board>) {
    seen.withLock { $0.append("\(change.cause.rawValue): \(change.state.title)") }
  }
}

private struct Draft: Codable, Sendable, Equatable {
  var text = ""
  var words = 0
}

private struct DraftV1: Codable { var text: String }

private struct Pad: Sendable, Equatable {
  var draft = Draft()
  var old = ""
}

private struct Write: Action {
  var text: String
  init(_ text: String) { self.text = text }
}

extension Pad {
  fileprivate static func makeStore(_ disk: Persistence<Pad>) throws -> Store<Pad> {
    try Store(initialState: Pad(draft: Draft(text: "initial")), middleware: [disk]) {
      Mutator(\.draft) { (draft: inout Draft, action: Write) in
        draft = Draft(text: action.text, words: action.text.split(separator: " ").count)
      }
      Mutator(\.old) { (old: inout String, action: Write) in old = action.text }
    }
  }
}

/// A row that counts how often it is compared.
private struct Looked: Identifiable, Codable, Sendable, Equatable {
  static let looks = Counter()
  var id: Int

  static func == (left: Looked, right: Looked) -> Bool {
    looks.increment()
    return left.id == right.id
  }
}

private struct Shelf: Sendable {
  var rows = Entities<Looked>()
  var sorted = SortedEntities<Looked>(by: { $0.id < $1.id })
}

private struct Put: Action { var ids: Range<Int> }

@Suite struct RestoringTests {
  @Test func `the first write after a restart compares what has changed alone, of sorted rows too`()
    async throws
  {
    let memory = MemoryStorage()
    for ids in [0..<1_000, 1_000..<1_001] {
      let disk = try Persistence<Shelf>(in: memory) {
        KeptRows(\.rows)
        KeptRows(\.sorted)
      }
      let store = try Store(initialState: Shelf(), middleware: [disk]) {
        Mutator(\.rows) { (rows: inout Entities<Looked>, put: Put) in
          for id in put.ids { rows.append(Looked(id: id)) }
        }
        Mutator(\.sorted) { (rows: inout SortedEntities<Looked>, put: Put) in
          for id in put.ids { rows.insert(Looked(id: id)) }
        }
      }
      #expect(store.rows.count == ids.lowerBound && store.sorted.count == ids.lowerBound)
      store.dispatch(Put(ids: ids))
      let before = Looked.looks.value
      try await disk.close()
      let looks = Looked.looks.value - before
      #expect(looks < 200, "\(looks)")
    }
  }

  /// A memory with a board that has a title.
  private func memory(titled title: String) async throws -> MemoryStorage {
    let memory = MemoryStorage()
    let disk = try Persistence(board: memory)
    let store = try Board.makeStore(disk)
    store.dispatch(BoardAction.rename(title))
    try await disk.close()
    return memory
  }

  @Test func `it restores before anything else is attached, wherever it is in the list`()
    async throws
  {
    let memory = try await memory(titled: "kept")
    let (watcher, history) = (Watcher(), History<Board>(limit: 5))
    let seen = Locked<[String]>([])
    let disk = try Persistence(board: memory)
    let store = try Store(initialState: Board(), middleware: [watcher, history, disk]) {
      for part in Board.parts() { part }
      Effect<Board>(whenChanged: \.title, .latest, including: .installation) { title, _ in
        seen.withLock { $0.append(title) }
      }
      Feature<Board>(
        "opener",
        onInstall: { context in seen.withLock { $0.append("installed: \(context.state.title)") } }
      ) {}
    }
    try await store.settled()
    #expect(watcher.seen.withLock { $0 } == ["attached: kept"])
    #expect(history.entries.map(\.state.title) == ["kept"])
    #expect(Set(seen.withLock { $0 }) == ["kept", "installed: kept"])
    #expect(store.commits == 1)
  }

  @Test func `what is dispatched while the store is being made meets the restored state`()
    async throws
  {
    final class Dispatching: Middleware {
      let seen = Locked<[String]>([])
      func attached(to store: ScopedStore<Board>) {
        store.dispatch(BoardAction.limit(7))
        seen.withLock { $0.append(store.title) }
      }
    }
    let memory = try await memory(titled: "kept")
    let dispatching = Dispatching()
    let disk = try Persistence(board: memory)
    let store = try Store(initialState: Board(), middleware: [dispatching, disk]) {
      for part in Board.parts() { part }
    }
    #expect(dispatching.seen.withLock { $0 } == ["kept"])
    #expect(store.title == "kept" && store.limits.cards == 7)
    try await disk.close()
    let board = Board.makeBoard(try Persistence(board: memory))
    #expect(board.title == "kept" && board.limits.cards == 7)
  }

  @Test func `a part that is no longer kept stays in the folder until the next snapshot`()
    async throws
  {
    let memory = MemoryStorage()
    let disk = try Persistence(board: memory)
    let store = try Board.makeStore(disk)
    store.dispatch([BoardAction.rename("kept"), .limit(3)])
    try await disk.close()
    func isThere() -> Bool {
      memory.files.values.contains { String(decoding: $0, as: UTF8.self).contains(#""title""#) }
    }
    // A version of the program that keeps the limits alone, and one that keeps the title again.
    var options = PersistenceOptions(
      writing: .eachCommit, clock: ManualClock(), onFailure: { _ in })
    let parts = PersistenceBuilder<Board>.buildExpression(Kept(\.limits))
    let other = try Persistence<Board>(memory, parts, .strictly, options)
    try Board.makeStore(other).dispatch(BoardAction.limit(4))
    try await other.close()
    #expect(isThere())
    let again = Board.makeBoard(try Persistence(board: MemoryStorage(memory.files)))
    #expect(again.title == "kept" && again.limits.cards == 4)
    options.minimalSegments = 0
    let last = try Persistence<Board>(memory, parts, .strictly, options)
    let next = try Board.makeStore(last)
    for number in 5..<20 {
      next.dispatch(BoardAction.limit(number))
      try await last.sync()
    }
    try await last.close()
    #expect(!isThere())
  }

  @Test func `in a new folder nothing is replaced`() throws {
    let store = try Board.makeStore(try Persistence(board: .memory))
    #expect(store.commits == 0)
  }

  @Test func `a store that has committed is refused, and stays as it is`() async throws {
    let disk = try Persistence(board: try await memory(titled: "kept"))
    let store = try Store(initialState: Board()) { for part in Board.parts() { part } }
    store.dispatch(BoardAction.rename("mine"))
    #expect(throws: PersistenceError.alreadyRunning) { _ = try store.attach(disk) }
    #expect(store.title == "mine")
    await #expect(throws: PersistenceError.alreadyRunning) { try await disk.sync() }
    try await disk.close()
  }

  @Test func `a store that has made no commit is restored when it is attached later`() async throws
  {
    let disk = try Persistence(board: try await memory(titled: "kept"))
    let store = try Store(initialState: Board()) { for part in Board.parts() { part } }
    let subscription = try store.attach(disk)
    #expect(store.title == "kept")
    #expect(throws: PersistenceError.alreadyRunning) { _ = try store.attach(disk) }
    subscription.cancel()
    try await disk.close()
  }

  @Test func `a part that nobody wrote keeps its initial value, and is not written either`()
    async throws
  {
    let memory = MemoryStorage()
    let disk = try Persistence<Pad>(in: memory, writing: .eachCommit) { Kept(\.old) }
    let store = try Pad.makeStore(disk)
    store.dispatch(Write("one two"))
    try await disk.close()
    let next = try Persistence<Pad>(in: memory) {
      Kept(\.old)
      Kept(\.draft)
    }
    let restored = try Pad.makeStore(next).state
    #expect(restored == Pad(draft: Draft(text: "initial"), old: "one two"))
  }

  @Test func `an older version is migrated, and written in the new one from then on`() async throws
  {
    let memory = MemoryStorage()
    let disk = try Persistence<Pad>(in: memory, writing: .eachCommit) {
      Kept(
        Lens<Pad, DraftV1>(
          name: "draft", get: { DraftV1(text: $0.draft.text) },
          set: { pad, draft in Pad(draft: Draft(text: draft.text), old: pad.old) }))
    }
    let store = try Pad.makeStore(disk)
    store.dispatch(Write("one two"))
    try await disk.close()
    let versions = Locked<[Int]>([])
    for expected in [[1], [1]] {
      let next = try Persistence<Pad>(in: memory, writing: .eachCommit) {
        Kept(\.draft, version: 2) { version, old in
          versions.withLock { $0.append(version) }
          return Draft(text: try old.decode(DraftV1.self).text, words: 99)
        }
      }
      let store = try Pad.makeStore(next)
      #expect(store.draft.words == (versions.withLock { $0.count } == 1 ? 99 : 3))
      #expect(versions.withLock { $0 } == expected)
      store.dispatch(Write("one two three"))
      try await next.close()
      versions.withLock { $0 = $0 }
      break
    }
    let last = try Persistence<Pad>(in: memory) { Kept(\.draft, version: 2) }
    #expect(try Pad.makeStore(last).draft.words == 3)
    try await last.close()
    #expect {
      _ = try Persistence<Pad>(in: memory) { Kept(\.draft) }
    } throws: { error in
      if case .newerVersion("draft", 2, 1, _, _)? = error as? PersistenceError {
        true
      } else {
        false
      }
    }
  }

  @Test func `rows are migrated one by one`() async throws {
    struct OldCard: Codable { var id: Int }
    let memory = MemoryStorage()
    let disk = try Persistence(board: memory)
    let store = try Board.makeStore(disk)
    store.dispatch([
      BoardAction.add(Card(id: 1, text: "a"), at: 0), .add(Card(id: 2, text: "b"), at: 0),
      .vote("x", 1),
    ])
    try await disk.sync()
    store.dispatch(BoardAction.add(Card(id: 3, text: "c"), at: 1))
    try await disk.close()
    let next = try Persistence<Board>(in: memory) {
      KeptRows(\.cards, version: 2) { _, old in
        Card(id: try old.decode(OldCard.self).id, text: "migrated")
      }
      KeptRows(\.votes, version: 3) { version, old in try old.decode(Int.self) + version }
    }
    let board = Board.makeBoard(next)
    #expect(board.cards.map(\.id) == [2, 3, 1])
    #expect(board.cards.allSatisfy { $0.text == "migrated" })
    #expect(board.votes == ["x": 2])
  }

  @Test func `without a migration, or with one that throws, nothing is overwritten`() async throws {
    let memory = try await memory(titled: "kept")
    let files = memory.files
    struct Failure: Error {}
    #expect {
      _ = try Persistence<Board>(in: memory) { Kept(\.title, version: 2) }
    } throws: {
      "\($0)".contains("Give its Kept a migration")
    }
    #expect {
      _ = try Persistence<Board>(in: memory) {
        Kept(\.title, version: 2) { _, _ in throw Failure() }
      }
    } throws: {
      "\($0)".contains("Failure()") && "\($0)".contains("segment-1.lensed")
    }
    #expect {
      _ = try Persistence<Board>(in: memory) {
        Kept(\.limits, named: "title")
      }
    } throws: {
      if case .undecodable("title", 1, "segment-1.lensed", _, _)? = $0 as? PersistenceError {
        true
      } else {
        false
      }
    }
    #expect(memory.files == files)
  }

  @Test func `the list of what is kept has to be sound`() {
    func fault(@PersistenceBuilder<Board> _ parts: () -> [PersistedPart<Board>]) -> String {
      do throws(PersistenceError) {
        _ = try Persistence<Board>(in: .memory, parts: parts)
        return ""
      } catch {
        return "\(error)"
      }
    }
    #expect(
      fault {
        Kept(\.title)
        Kept(\.limits, named: "title")
      }.contains("Two parts are kept as `title`"))
    #expect(
      fault {
        Kept(\.limits)
        Kept(\.limits.cards)
      }.contains("one is a part of the other"))
    #expect(
      fault { Kept(Lens<Board, String>(get: { $0.title }, set: { board, _ in board })) }.contains(
        "named:"))
  }

  @Test func `a damaged folder is salvaged, and its files are moved aside`() async throws {
    let memory = MemoryStorage()
    let disk = try Persistence(board: memory)
    let store = try Board.makeStore(disk)
    store.dispatch(BoardAction.rename("first"))
    try await disk.sync()
    let whole = memory.files["segment-1.lensed"]?.count ?? 0
    store.dispatch(BoardAction.rename("second"))
    try await disk.close()
    var files = memory.files
    files["segment-1.lensed"]?[whole + 40] ^= 1
    let damaged = MemoryStorage(files)
    #expect {
      _ = try Persistence(board: damaged)
    } throws: {
      "\($0)".contains("segment-1.lensed is damaged at byte \(whole):")
    }
    #expect(damaged.files == files)
    let salvaged = try Persistence(board: damaged, recovering: .salvage)
    #expect(salvaged.recovery.losses.count == 1)
    #expect(salvaged.recovery.setAside == ["damaged-segment-1.lensed"])
    #expect(damaged.files["damaged-segment-1.lensed"] == files["segment-1.lensed"])
    let next = try Board.makeStore(salvaged)
    #expect(next.title == "first")
    next.dispatch(BoardAction.rename("third"))
    try await salvaged.close()
    #expect(Board.makeBoard(try Persistence(board: damaged)).title == "third")
  }

  @Test(.enabled(if: countsAllocations))
  func `restoring takes at most twice the memory of the state`() async {
    await #expect(processExitsWith: .success) {
      let memory = MemoryStorage()
      let disk = try Persistence<Board>(in: memory) { KeptRows(\.cards) }
      let store = try Board.makeStore(disk)
      let cards = (0..<8_000).map { Card(id: $0, text: "a card of the number \($0)") }
      store.dispatch(cards.map { BoardAction.add($0, at: .max) })
      try await disk.close()
      let json = try JSONEncoder().encode(cards)
      let state = try bytesInUse { try JSONDecoder().decode(Entities<Card>.self, from: json) }.kept
      let restoring = try bytesInUse {
        let disk = try Persistence<Board>(in: memory) { KeptRows(\.cards) }
        return Store(initialState: Board(), coverage: .partial, middleware: [disk])
      }
      #expect(restoring.most <= 2 * state, "\(restoring.most) of \(state)")
      #expect(restoring.kept < restoring.most)
    }
  }

  @Test func `what is older than the snapshot may be anything`() async throws {
    let memory = MemoryStorage()
    let disk = try Persistence(board: memory, compactingAt: 100)
    let store = try Board.makeStore(disk)
    for number in 0..<9 {
      store.dispatch(BoardAction.limit(number))
      try await disk.sync()
    }
    try await disk.close()
    #expect(memory.files["segment-1.lensed"] == nil)
    // A power cut brings it back: its removal was not synced. It may be what a salvage set aside.
    memory.append([UInt8]("1a2b3c4d 2 {}\n".utf8), to: "segment-1.lensed")
    #expect(Board.makeBoard(try Persistence(board: memory)) == store.state)
  }

  @Test func `salvage leaves out a part that cannot be decoded, and keeps the others`() async throws
  {
    let memory = MemoryStorage()
    let disk = try Persistence(board: memory)
    let store = try Board.makeStore(disk)
    store.dispatch([BoardAction.rename("kept"), .limit(4)])
    try await disk.close()
    let salvaged = try Persistence<Board>(in: memory, recovering: .salvage) {
      Kept(\.title)
      Kept(\.votes, named: "limits")
    }
    #expect(Board.makeBoard(salvaged).title == "kept")
    #expect(salvaged.recovery.losses.count == 1)
  }

  @Test func `a torn tail is reported`() async throws {
    let memory = try await memory(titled: "kept")
    memory.append([UInt8]("1234".utf8), to: "segment-1.lensed")
    let disk = try Persistence(board: memory)
    #expect(disk.recovery.tornTail?.file == "segment-1.lensed")
    #expect(disk.recovery.losses.isEmpty)
  }

  @Test func `a newer format is an error that salvage does not touch either`() async throws {
    var (writer, bytes) = (RecordWriter(), [UInt8]())
    writer.add(#"{"segment":1,"format":2}"#.utf8, to: &bytes)
    let memory = MemoryStorage(["segment-1.lensed": bytes])
    for recovering in [PersistenceRecovering.strictly, .salvage] {
      #expect(throws: PersistenceError.newerFormat(file: "segment-1.lensed", format: 2)) {
        _ = try Persistence(board: memory, recovering: recovering)
      }
    }
  }
}
