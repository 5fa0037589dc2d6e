import Foundation
import Lensed
import LensedPersistence
import LensedTestSupport
import Testing

@Suite struct WritingTests {
  /// The records of all segments, as text.
  private func records(_ files: [String: [UInt8]]) throws -> [String] {
    var texts: [String] = []
    for (name, bytes) in files.sorted(by: { $0.key < $1.key }) {
      var reader = RecordReader(file: name) { Array(bytes.dropFirst(Int($0)).prefix($1)) }
      while let record = try reader.next() {
        texts.append(String(decoding: record.json, as: UTF8.self))
      }
    }
    return texts
  }

  @Test func `a lull writes, and what is committed in a row is one write`() async throws {
    let (faulty, clock) = (FaultyStorage(), ManualClock())
    let disk = try Persistence(
      board: faulty, writing: .debounced(for: .milliseconds(50), atMost: .seconds(1)), clock: clock)
    let store = try Board.makeStore(disk)
    store.dispatch(BoardAction.limit(0))
    for number in 1..<5 {
      await clock.waitForSleepers()
      store.dispatch(BoardAction.limit(number))
      await clock.advance(by: .milliseconds(50))
      #expect(faulty.operations == 0)
    }
    await clock.waitForSleepers()
    faulty.hold()
    await clock.advance(by: .milliseconds(50))
    await faulty.waitUntilHeld()
    faulty.release()
    try await disk.sync()
    #expect(try records(faulty.files).filter { $0.hasPrefix(#"{"commit""#) } == [#"{"commit":5}"#])
  }

  @Test func `without a lull it writes when the limit has passed`() async throws {
    let (faulty, clock) = (FaultyStorage(), ManualClock())
    faulty.hold()
    let disk = try Persistence(
      board: faulty, writing: .debounced(for: .milliseconds(50), atMost: .milliseconds(120)),
      clock: clock)
    let store = try Board.makeStore(disk)
    store.dispatch(BoardAction.limit(0))
    for (number, wait) in [50, 50, 20].enumerated() {
      await clock.waitForSleepers()
      store.dispatch(BoardAction.limit(number))
      await clock.advance(by: .milliseconds(wait))
    }
    await faulty.waitUntilHeld()
    faulty.release()
    try await disk.close()
  }

  @Test func `a slow disk is one write behind, whatever is dispatched`() async throws {
    let faulty = FaultyStorage()
    let disk = try Persistence(board: faulty)
    let store = try Board.makeStore(disk)
    faulty.hold()
    store.dispatch(BoardAction.limit(0))
    await faulty.waitUntilHeld()
    for number in 1...2_000 { store.dispatch(BoardAction.limit(number)) }
    faulty.release()
    try await disk.close()
    let commits = try records(faulty.files).filter { $0.hasPrefix(#"{"commit""#) }
    #expect(commits == [#"{"commit":1}"#, #"{"commit":2001}"#])
  }

  @Test func `an edited row among many is the one row that is written`() async throws {
    let memory = MemoryStorage()
    let disk = try Persistence(board: memory)
    let store = try Board.makeStore(disk)
    store.dispatch((0..<500).map { BoardAction.add(Card(id: $0, text: "row"), at: $0) })
    try await disk.sync()
    let before = try records(memory.files).count
    store.dispatch(BoardAction.write(250, "edited"))
    store.dispatch(BoardAction.move(499, to: 0))
    try await disk.close()
    let cards = try records(memory.files).dropFirst(before).filter {
      $0.contains(#""part":"cards""#)
    }
    #expect(
      cards == [
        #"{"part":"cards","version":1,"edited":[{"id":250,"text":"edited"}]}"#,
        #"{"part":"cards","version":1,"placed":[{"id":499}]}"#,
      ])
  }

  @Test func `an edited row is the one row that is written, also of a million`() async throws {
    struct Pile: Sendable { var cards = Entities<Card>() }
    struct Fill: Action { var count: Int }
    struct Edit: Action { var id: Int }
    let count = VerificationLength.factor > 1 ? 1_000_000 : 5_000
    let memory = MemoryStorage()
    let disk = try Persistence<Pile>(in: memory, writing: .eachCommit, onFailure: { _ in }) {
      KeptRows(\.cards)
    }
    let store = try Store(initialState: Pile(), middleware: [disk]) {
      Mutator(\.cards) { (cards: inout Entities<Card>, action: Edit) in
        cards[id: action.id]?.text = "edited"
      }
      .on(Fill.self) { cards, action in
        for id in 0..<action.count { cards.append(Card(id: id)) }
      }
    }
    store.dispatch(Fill(count: count))
    try await disk.sync()
    let before = memory.files.mapValues(\.count)
    store.dispatch(Edit(id: count / 2))
    try await disk.sync()
    let (name, bytes) = try #require(memory.files.first { before[$0.key] != $0.value.count })
    let written = String(decoding: bytes.dropFirst(before[name] ?? 0), as: UTF8.self)
    #expect(written.contains(#""edited":[{"id":\#(count / 2),"text":"edited"}]}"#))
    // The row, the commit, the mark; and the head of a segment, if a snapshot was due.
    #expect((3...4).contains(written.split(separator: "\n").count))
    try await disk.close()
  }

  @Test func `a dispatch that touches no kept part writes nothing`() async throws {
    let faulty = FaultyStorage()
    let disk = try Persistence(board: faulty)
    let store = try Board.makeStore(disk)
    store.dispatch(BoardAction.select(1))
    try await disk.sync()
    // That action is one of the whole board: the reducer of every part has run.
    let operations = faulty.operations
    store.dispatch(CountAction.add(1))
    try await disk.sync()
    #expect(faulty.operations == operations)
    try await disk.close()
  }

  @Test func `syncs that come together share a write`() async throws {
    let faulty = FaultyStorage()
    let disk = try Persistence(board: faulty)
    let store = try Board.makeStore(disk)
    faulty.hold()
    store.dispatch(BoardAction.limit(0))
    await faulty.waitUntilHeld()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 1...20 {
        group.addTask {
          store.dispatch(BoardAction.limit(number))
          try await disk.sync()
        }
      }
      await Task.yield()
      faulty.release()
      try await group.waitForAll()
    }
    #expect(store.commits == 21)
    try await disk.close()
  }

  @Test func `a failure is told by the status, the handler and each sync, and ends with the fault`()
    async throws
  {
    let (faulty, clock) = (FaultyStorage(), ManualClock())
    let told = Locked<[PersistenceError]>([])
    let disk = try Persistence<Board>(
      in: faulty, writing: .eachCommit, clock: clock,
      onFailure: { error in told.withLock { $0.append(error) } }
    ) { for part in Board.kept() { part } }
    let store = try Board.makeStore(disk)
    faulty.fail(.append, with: ENOSPC, lasts: true)
    store.dispatch(BoardAction.rename("kept"))
    let fault = PersistenceError.storage(DiskFault(.code(ENOSPC), .write, "segment-1.lensed"))
    await #expect(throws: PersistenceError.self) { try await disk.sync() }
    guard case .failing(.storage, since: .zero) = disk.status else {
      Issue.record("\(disk.status)")
      return
    }
    #expect(told.withLock { $0.first } == fault)
    #expect("\(fault)".contains("it failed to write segment-1.lensed"))
    store.dispatch(BoardAction.rename("newest"))
    faulty.heal()
    // The next attempt comes by itself.
    await clock.waitForSleepers()
    await clock.advance(by: .seconds(20))
    try await disk.sync()
    #expect(disk.status == .healthy)
    try await disk.close()
    #expect(disk.status == .closed)
    #expect(Board.makeBoard(try Persistence(board: MemoryStorage(faulty.files))).title == "newest")
  }

  @Test func `a value that cannot be encoded is an error of its part`() async throws {
    struct Stubborn: Codable, Sendable {
      var number = 0
      func encode(to encoder: any Encoder) throws {
        throw EncodingError.invalidValue(number, .init(codingPath: [], debugDescription: "no"))
      }
    }
    struct Holder: Sendable { var value = Stubborn() }
    let disk = try Persistence<Holder>(in: .memory, onFailure: { _ in }) { Kept(\.value) }
    let store = try Store(initialState: Holder(), middleware: [disk]) {
      Mutator(\.value) { (value: inout Stubborn, action: CountAction) in value.number += 1 }
    }
    store.dispatch(CountAction.add(1))
    await #expect {
      try await disk.sync()
    } throws: {
      "\($0)".contains("`value` cannot be encoded")
    }
  }

  @Test func `numbers that JSON has not come back`() async throws {
    struct Holder: Sendable { var values = [0.0, 1] }
    let memory = MemoryStorage()
    let disk = try Persistence<Holder>(in: memory) { Kept(\.values) }
    func store(_ disk: Persistence<Holder>) throws -> Store<Holder> {
      try Store(initialState: Holder(), middleware: [disk]) {
        Mutator(\.values) { (values: inout [Double], action: CountAction) in
          values = [.infinity, -.infinity, .nan, -0.0, 0.1]
        }
      }
    }
    let first = try store(disk)
    first.dispatch(CountAction.add(1))
    try await disk.close()
    let values = try store(try Persistence<Holder>(in: memory) { Kept(\.values) }).values
    #expect(values.map(\.description) == ["inf", "-inf", "nan", "-0.0", "0.1"])
  }

  @Test func `what was committed before a store was released is written`() async throws {
    let memory = MemoryStorage()
    let disk = try Persistence(
      board: memory, writing: .debounced(for: .seconds(60), atMost: .seconds(60)),
      clock: ManualClock())
    var store: Store<Board>? = try Board.makeStore(disk)
    store?.dispatch(BoardAction.rename("last"))
    store = nil
    try await disk.sync()
    try await disk.close()
    #expect(Board.makeBoard(try Persistence(board: memory)).title == "last")
  }

  @Test func `after it was closed, nothing is kept, and another one may come`() async throws {
    let memory = MemoryStorage()
    let disk = try Persistence(board: memory)
    let store = try Board.makeStore(disk)
    store.dispatch(BoardAction.rename("kept"))
    #expect(throws: PersistenceError.locked(folder: "in memory")) {
      _ = try Persistence(board: memory)
    }
    try await disk.close()
    try await disk.close()
    let files = memory.files
    store.dispatch(BoardAction.rename("later"))
    await #expect(throws: PersistenceError.closed) { try await disk.sync() }
    await #expect(throws: PersistenceError.closed) { try await disk.erase() }
    #expect(memory.files == files)
    _ = try Persistence(board: memory)
  }

  @Test func `erasing leaves nothing of what was kept, and goes on`() async throws {
    let memory = MemoryStorage()
    let disk = try Persistence(board: memory)
    let store = try Board.makeStore(disk)
    store.dispatch([BoardAction.rename("secret"), .add(Card(id: 1, text: "secret"), at: 0)])
    try await disk.sync()
    store.dispatch([BoardAction.rename("new"), .remove(1)])
    try await disk.erase()
    #expect(!(try records(memory.files).joined().contains("secret")))
    #expect(Board.makeBoard(try Persistence(board: MemoryStorage(memory.files))) == Board())
    store.dispatch(BoardAction.add(Card(id: 2), at: 0))
    try await disk.close()
    let board = Board.makeBoard(try Persistence(board: memory))
    #expect(board.cards == store.cards)
  }

  @Test func `erasing that fails leaves all of it or nothing, and what is committed later is kept`()
    async throws
  {
    for call in [FaultyStorage.Call.append, .sync, .publish, .list, .remove] {
      let faulty = FaultyStorage()
      let disk = try Persistence(board: faulty, clock: ManualClock())
      let store = try Board.makeStore(disk)
      for id in 0..<3 { store.dispatch(BoardAction.add(Card(id: id, text: "old"), at: 0)) }
      try await disk.sync()
      let before = store.state
      faulty.fail(call, with: EIO)
      try? await disk.erase()
      for seed in 0..<UInt64(4) {
        let files = faulty.afterPowerCut(seed: seed)
        let board = Board.makeBoard(try Persistence(board: MemoryStorage(files)))
        #expect(board == before || board == Board(), "\(call)")
      }
      store.dispatch(BoardAction.write(1, "new"))
      store.dispatch(BoardAction.move(2, to: 2))
      try await disk.close()
      let board = Board.makeBoard(try Persistence(board: MemoryStorage(faulty.files)))
      #expect(board.cards == store.cards, "\(call)")
    }
  }

  @Test func `segments that outgrow their snapshot are compacted, and their files go`() async throws
  {
    let memory = MemoryStorage()
    let disk = try Persistence(board: memory, compactingAt: 2_000)
    let store = try Board.makeStore(disk)
    for number in 0..<400 {
      store.dispatch(BoardAction.limit(number))
      try await disk.sync()
    }
    try await disk.close()
    let size = memory.files.values.reduce(0) { $0 + $1.count }
    #expect(size < 8_000, "\(memory.files.mapValues(\.count))")
    #expect(Board.makeBoard(try Persistence(board: memory)) == store.state)
  }

  @Test func `a store is released while its persistence is there`() async throws {
    let disk = try Persistence(board: .memory)
    let gone = WeakReference(try Board.makeStore(disk))
    try await disk.sync()
    #expect(gone.object == nil)
  }
}
