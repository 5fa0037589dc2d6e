import Foundation
import Lensed
import LensedPersistence
import LensedTestSupport
import LensedTesting
import Testing

private struct Sheet: Sendable {
  var rows: SortedEntities<Card>
  /// What is not kept.
  var other = 0
}

/// A persistence that is given to a store late, twice, or beside another one.
@Suite(.timeLimit(.minutes(30))) struct AttachmentTests {
  private func memory(_ title: String, _ limit: Int) async throws -> MemoryStorage {
    let memory = MemoryStorage()
    let disk = try Persistence(board: memory)
    try Board.makeStore(disk).dispatch([BoardAction.rename(title), .limit(limit)])
    try await disk.close()
    return memory
  }

  private func open(
    _ memory: MemoryStorage, onFailure: @escaping @Sendable (PersistenceError) -> Void = { _ in },
    @PersistenceBuilder<Board> parts: () -> [PersistedPart<Board>]
  ) throws -> Persistence<Board> {
    try Persistence<Board>(in: memory, writing: .eachCommit, onFailure: onFailure, parts: parts)
  }

  @Test func `what was erased before there was a store does not come back in it`() async throws {
    for erasing in 1...2 {
      let memory = try await memory("secret", 7)
      let disk = try Persistence(board: memory)
      for _ in 0..<erasing { try await disk.erase() }
      let store = try Board.makeStore(disk)
      #expect(store.state == Board())
      store.dispatch(BoardAction.limit(3))
      try await disk.close()
      let board = Board.makeBoard(try Persistence(board: memory))
      #expect(board.title == "new" && board.limits.cards == 3)
    }
  }

  @Test func `an erasure that fails before there is a store has all of it or nothing`()
    async throws
  {
    let memory = try await memory("kept", 7)
    for call in 0..<6 {
      let faulty = FaultyStorage(memory.files)
      let disk = try Persistence(board: faulty)
      faulty.fail(after: call, with: EIO)
      let isErased = (try? await disk.erase()) != nil
      let store = try Board.makeStore(disk)
      let shown = store.state
      #expect(shown == Board() || shown.title == "kept" && shown.limits.cards == 7, "call \(call)")
      if isErased { #expect(shown == Board(), "call \(call)") }
      try await disk.sync()
      #expect(
        Board.makeBoard(try Persistence(board: MemoryStorage(faulty.files))) == shown,
        "call \(call)")
    }
  }

  @Test func `of two stores that are given it at once, one has all that was kept`() async throws {
    let memory = try await memory("kept", 7)
    for round in 0..<100 {
      let disk = try Persistence(board: MemoryStorage(memory.files))
      let stores = try (0..<2).map { _ in
        try Store(initialState: Board()) { for part in Board.parts() { part } }
      }
      let attached = Recorder<(Int, StoreSubscription)>()
      DispatchQueue.concurrentPerform(iterations: 2) { index in
        do throws(PersistenceError) {
          attached.append((index, try stores[index].attach(disk)))
        } catch {
          #expect(error == .alreadyRunning)
        }
      }
      let (winner, subscription) = try #require(attached.last)
      #expect(attached.count == 1)
      #expect(stores[winner].state.title == "kept", "round \(round)")
      #expect(stores[1 - winner].state == Board())
      subscription.cancel()
      try await disk.close()
    }
  }

  @Test func `one that was closed restores and keeps nothing, and says so`() async throws {
    let memory = try await memory("kept", 7)
    let disk = try Persistence(board: memory)
    try await disk.close()
    let store = try Store(initialState: Board()) { for part in Board.parts() { part } }
    #expect(throws: PersistenceError.closed) { _ = try store.attach(disk) }
    #expect(store.state == Board())
    // Given as middleware, nothing can be thrown.
    let told = Locked<[PersistenceError]>([])
    let closed = try open(memory, onFailure: { error in told.withLock { $0.append(error) } }) {
      for part in Board.kept() { part }
    }
    try await closed.close()
    let other = try Board.makeStore(closed)
    #expect(other.state == Board())
    other.dispatch(BoardAction.limit(1))
    await #expect(throws: PersistenceError.closed) { try await closed.sync() }
    #expect(told.withLock { $0 } == [.closed])
  }

  @Test func `two persistences of one store restore and keep what each is for`() async throws {
    let (first, second) = (MemoryStorage(), MemoryStorage())
    for round in 1...3 {
      let one = try open(first) { Kept(\.title) }
      let two = try open(second) { Kept(\.limits) }
      let store = try Store(initialState: Board(), middleware: [one, two]) {
        for part in Board.parts() { part }
      }
      #expect(store.title == (round == 1 ? "new" : "title \(round - 1)"))
      #expect(store.limits.cards == (round == 1 ? 10 : round - 1))
      store.dispatch([BoardAction.rename("title \(round)"), .limit(round)])
      try await one.close()
      try await two.close()
    }
  }

  @Test func `a store that is attached to has committed is told to whoever hears of failures`()
    async throws
  {
    let told = Locked<[PersistenceError]>([])
    let disk = try open(
      try await memory("kept", 7), onFailure: { error in told.withLock { $0.append(error) } }
    ) { Kept(\.title) }
    let store = try Store(initialState: Board()) { for part in Board.parts() { part } }
    store.dispatch(BoardAction.limit(1))
    let subscription = store.attach(disk as any Middleware<Board>)
    #expect(told.withLock { $0 } == [.alreadyRunning])
    #expect(store.title == "new")
    subscription.cancel()
    try await disk.close()
  }

  @Test func `what another thread commits elsewhere, while it restores, is not undone`()
    async throws
  {
    let memory = MemoryStorage()
    // The order of the rows runs as they are put into the state.
    let meanwhile = Locked<(@Sendable () -> Void)?>(nil)
    let order: SortedEntities<Card>.Order = { left, right in
      meanwhile.withLock { $0.take() }?()
      return left.id < right.id
    }
    func makeStore(_ middleware: [any Middleware<Sheet>] = []) throws -> Store<Sheet> {
      try Store(
        initialState: Sheet(rows: SortedEntities(by: order)), middleware: middleware
      ) {
        Mutator(\.rows) { (rows: inout SortedEntities<Card>, action: BoardAction) in
          if case .add(let card, _) = action { rows.insert(card) }
        }
        Mutator(\.other) { (other: inout Int, _: CountAction) in other += 1 }
      }
    }
    func open() throws -> Persistence<Sheet> {
      try Persistence(in: memory, writing: .eachCommit) { KeptRows(\.rows) }
    }
    let first = try open()
    let former = try makeStore([first])
    for id in 1...3 { former.dispatch(BoardAction.add(Card(id: id), at: 0)) }
    try await first.close()

    let (disk, store) = (try open(), try makeStore())
    meanwhile.withLock { meanwhile in
      meanwhile = {
        let isMade = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
          store.dispatch(CountAction.add(1))
          isMade.signal()
        }
        isMade.wait()
      }
    }
    #expect(throws: PersistenceError.alreadyRunning) { _ = try store.attach(disk) }
    #expect(store.other == 1 && store.rows.isEmpty)
    try await disk.close()
  }

  #if os(Linux) || os(macOS)
    @Test
    func `one that is given to two stores, or twice to one, ends the process with a sentence`()
      async throws
    {
      let two = try await #require(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        let disk = try Persistence(board: MemoryStorage())
        let store = try Board.makeStore(disk)
        let other = try Board.makeStore(disk)
        withExtendedLifetime((store, other)) {}
      }
      #expect(
        String(decoding: two.standardErrorContent, as: UTF8.self).contains(
          "was given to two stores, or to one store twice"))
      let twice = try await #require(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        let disk = try Persistence(board: MemoryStorage())
        _ = try Store(initialState: Board(), middleware: [disk, disk]) {
          for part in Board.parts() { part }
        }
      }
      #expect(
        String(decoding: twice.standardErrorContent, as: UTF8.self).contains(
          "was given to two stores, or to one store twice"))
    }
  #endif

  @Test func `a store that goes while its syncs are under way has them answered, and is kept`()
    async throws
  {
    for writing in [PersistenceWriting.eachCommit, .standard] {
      let faulty = FaultyStorage()
      let disk = try Persistence(board: faulty, writing: writing, clock: ManualClock())
      var store: Store<Board>? = try Board.makeStore(disk)
      faulty.hold()
      store?.dispatch(BoardAction.limit(1))
      let first = Task { try await disk.sync() }
      await faulty.waitUntilHeld()
      store?.dispatch(BoardAction.limit(2))
      let second = Task { try await disk.sync() }
      store?.dispatch(BoardAction.limit(3))
      store = nil
      faulty.release()
      try await first.value
      try await second.value
      try await disk.close()
      #expect(
        Board.makeBoard(try Persistence(board: MemoryStorage(faulty.files))).limits.cards == 3)
    }
  }
}
