import Foundation
import Lensed
import LensedPersistence
import LensedTestSupport
import LensedTesting
import Testing

/// Closing, erasing, syncing and releasing, beside each other and beside writers.
@Suite(.timeLimit(.minutes(30))) struct EndingTests {
  /// A persistence of which a snapshot is being written, and waits at a gate: what ends it waits for that.
  private func makeHeld() async throws -> (GatedStorage, Persistence<Board>, Store<Board>) {
    let storage = GatedStorage()
    let disk = try Persistence(board: storage, compactingAt: 300)
    let store = try Board.makeStore(disk)
    var number = 0
    while storage.memory.files.count < 2 {
      number += 1
      store.dispatch(BoardAction.limit(number))
      try await disk.sync()
    }
    await storage.waitForSnapshot()
    return (storage, disk, store)
  }

  /// What was acknowledged.
  private final class Known: Sendable {
    let state = Locked((safe: 0, isErased: false))
  }

  private func restore(_ memory: MemoryStorage) throws -> Board {
    Board.makeBoard(try Persistence(board: MemoryStorage(memory.files)))
  }

  @Test func `what is synced while it is being closed is kept, or the sync says that it is closed`()
    async throws
  {
    let (storage, disk, store) = try await makeHeld()
    async let closed: Void = disk.close()
    for number in 1_000..<1_200 {
      store.dispatch(BoardAction.limit(number))
      try await disk.sync()
      #expect(try restore(storage.memory).limits.cards == number)
      await Task.yield()
    }
    storage.open()
    try await closed
    #expect(storage.strays == 0)
  }

  @Test func `whatever ends it beside writers, a sync that returned was true`()
    async throws
  {
    for seed in 0..<UInt64(20 * VerificationLength.factor) {
      var generator = SeededGenerator(seed: seed)
      let (storage, disk, store) = try await makeHeld()
      let known = Known()
      let (erasures, closings) = (Bool.random(using: &generator) ? 2 : 0, 2)
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<closings { group.addTask { try? await disk.close() } }
        for _ in 0..<erasures {
          group.addTask {
            do {
              try await disk.erase()
              known.state.withLock { $0.isErased = true }
            } catch {
              #expect(error as? PersistenceError == .closed)
            }
          }
        }
        group.addTask {
          for number in 1_000... {
            store.dispatch(BoardAction.limit(number))
            do {
              try await disk.sync()
              known.state.withLock { $0.safe = number }
            } catch {
              #expect(error as? PersistenceError == .closed)
              return
            }
          }
        }
        for _ in 0..<Int.random(in: 0..<20, using: &generator) { await Task.yield() }
        storage.open()
      }
      let board = try restore(storage.memory)
      let (safe, isErased) = known.state.withLock { $0 }
      #expect(isErased || board.limits.cards >= safe, "seed \(seed)")
      #expect(disk.status == .closed)
      #expect(storage.strays == 0, "seed \(seed)")
      // Whoever comes next has the folder alone.
      let next = try Persistence(board: storage.memory)
      let files = storage.memory.files
      await #expect(throws: PersistenceError.closed) { try await disk.erase() }
      await #expect(throws: PersistenceError.closed) { try await disk.sync() }
      #expect(storage.memory.files == files)
      try await next.close()
    }
  }

  @Test func `closing that fails changes nothing: what is committed later is kept`() async throws {
    let faulty = FaultyStorage()
    let disk = try Persistence(board: faulty)
    let store = try Board.makeStore(disk)
    // The first group and its mark are written, and nothing behind them.
    faulty.fail(.append, after: 2, with: ENOSPC, lasts: true)
    faulty.hold()
    store.dispatch(BoardAction.limit(1))
    await faulty.waitUntilHeld()
    store.dispatch(BoardAction.limit(2))
    async let closing: Bool = {
      do {
        try await disk.close()
        return true
      } catch {
        return false
      }
    }()
    faulty.release()
    let isClosed = await closing
    faulty.heal()
    store.dispatch(BoardAction.limit(3))
    if isClosed {
      await #expect(throws: PersistenceError.closed) { try await disk.sync() }
    } else {
      try await disk.sync()
      let board = Board.makeBoard(try Persistence(board: MemoryStorage(faulty.files)))
      #expect(board.limits.cards == 3)
      try await disk.close()
    }
  }

  @Test func `a sync of a task that was cancelled waits like others, and is as true`() async throws
  {
    let faulty = FaultyStorage()
    let disk = try Persistence(board: faulty)
    let store = try Board.makeStore(disk)
    faulty.hold()
    store.dispatch(BoardAction.limit(0))
    await faulty.waitUntilHeld()
    store.dispatch(BoardAction.limit(1))
    let syncing = Task {
      while !Task.isCancelled { await Task.yield() }
      try await disk.sync()
      return Board.makeBoard(try Persistence(board: MemoryStorage(faulty.files))).limits.cards
    }
    syncing.cancel()
    await Task.yield()
    faulty.release()
    #expect(try await syncing.value == 1)
    let closing = Task {
      while !Task.isCancelled { await Task.yield() }
      try await disk.close()
    }
    closing.cancel()
    try await closing.value
    #expect(disk.status == .closed)
  }

  @Test func `a folder is free once the persistence and its store are released`()
    async throws
  {
    let memory = MemoryStorage()
    // Its lull never ends.
    let clock = ManualClock()
    func keep() throws {
      let disk = try Persistence(
        board: memory, writing: .debounced(for: .seconds(60), atMost: .seconds(600)), clock: clock)
      try Board.makeStore(disk).dispatch(BoardAction.rename("last"))
    }
    try keep()
    var next: Persistence<Board>?
    while next == nil {
      next = try? Persistence(board: memory)
      await Task.yield()
    }
    #expect(next.map { Board.makeBoard($0).title } == "last")
  }

  /// A clock that somebody sets, again and again, by years.
  private final class JumpingClock: Clock {
    private let reads = Locked(0)

    var now: ManualClock.Instant {
      let read = reads.withLock { reads in
        reads += 1
        return reads
      }
      let year = Duration.seconds(365 * 86_400)
      return ManualClock().now.advanced(by: year * [0, 3, -2, 1, -5][read % 5])
    }

    var minimumResolution: Duration { .zero }

    func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
      await Task.yield()
    }
  }

  @Test func `a clock that jumps keeps nothing from being written`() async throws {
    for writing in [PersistenceWriting.standard, .eachCommit] {
      let faulty = FaultyStorage()
      let disk = try Persistence(board: faulty, writing: writing, clock: JumpingClock())
      let store = try Board.makeStore(disk)
      faulty.fail(.append, with: ENOSPC)
      for number in 0..<10 { store.dispatch(BoardAction.limit(number)) }
      // Nobody syncs.
      var kept = 0
      while kept != 9 {
        await Task.yield()
        kept = Board.makeBoard(try Persistence(board: MemoryStorage(faulty.files))).limits.cards
      }
      try await disk.close()
    }
  }

  @Test(arguments: [Duration.seconds(Int64.min), .seconds(-1), .zero, .seconds(Int64.max)])
  func `a lull of any length is one`(length: Duration) async throws {
    for limit in [Duration.seconds(Int64.min), .zero, .seconds(Int64.max)] {
      let memory = MemoryStorage()
      let disk = try Persistence<Board>(
        in: memory, writing: .debounced(for: length, atMost: limit)
      ) { for part in Board.kept() { part } }
      let store = try Board.makeStore(disk)
      for number in 0..<10 { store.dispatch(BoardAction.limit(number)) }
      try await disk.close()
      #expect(try restore(memory).limits.cards == 9)
    }
  }
}
