import Foundation
import Lensed
import LensedPersistence
import LensedTestSupport
import LensedTesting
import Testing

/// What comes while something else waits: a snapshot, or the next attempt to write.
@Suite(.timeLimit(.minutes(30))) struct LateEndTests {
  @Test func `a state that is replaced while a snapshot is written comes back`()
    async throws
  {
    let storage = GatedStorage()
    let disk = try Persistence(board: storage, compactingAt: 300)
    let store = try Board.makeStore(disk)
    var number = 0
    while storage.memory.files.count < 2 {
      number += 1
      store.dispatch([BoardAction.limit(number), .add(Card(id: number), at: 0)])
      try await disk.sync()
    }
    await storage.waitForSnapshot()
    var generator = SeededGenerator(seed: 1)
    for round in 0..<20 {
      var board = Board()
      board.title = "round \(round)"
      board.cards = try Entities((round..<round + 4).map { Card(id: $0 * 3 % 7) })
      board.votes = ["a": round]
      store.replaceState(board)
      store.dispatch((0..<3).map { _ in Board.action(&generator) })
      try await disk.sync()
      let restored = Board.makeBoard(try Persistence(board: MemoryStorage(storage.memory.files)))
      #expect(restored == store.state, "round \(round)")
    }
    storage.open()
    try await disk.close()
    #expect(storage.memory.files.keys.contains { $0.hasPrefix("snapshot") })
    #expect(Board.makeBoard(try Persistence(board: storage.memory)) == store.state)
  }

  @Test func `a store that is dropped while the next attempt waits is written by that`()
    async throws
  {
    for dropsFirst in [true, false] {
      let (faulty, clock) = (FaultyStorage(), ManualClock())
      var disk: Persistence<Board>? = try Persistence(board: faulty, clock: clock)
      var store: Store<Board>? = try disk.map { try Board.makeStore($0) }
      store?.dispatch(BoardAction.rename("safe"))
      try await disk?.sync()
      faulty.fail(.append, with: ENOSPC, lasts: true)
      store?.dispatch(BoardAction.rename("waits"))
      await clock.waitForSleeps(1)
      store?.dispatch(BoardAction.add(Card(id: 1), at: 0))
      let last = try #require(store?.state)
      if dropsFirst { disk = nil }
      store = nil
      disk = nil
      let isFree = (try? faulty.lock()) != nil
      #expect(!isFree, "It is locked until all is safe.")
      faulty.heal()
      clock.move(by: .seconds(20))
      var next: Persistence<Board>?
      while next == nil {
        next = try? Persistence(board: faulty)
        await Task.yield()
        clock.move(by: .seconds(20))
      }
      #expect(next.map(Board.makeBoard) == last)
    }
  }

  @Test func `a folder that a sync could not look at is free once all is released: it was safe`()
    async throws
  {
    let (faulty, clock) = (FaultyStorage(), ManualClock())
    func keep() async throws {
      let disk = try Persistence(board: faulty, clock: clock)
      let store = try Board.makeStore(disk)
      store.dispatch(BoardAction.rename("safe"))
      try await disk.sync()
      faulty.fail(.list, with: EIO, lasts: true)
      await #expect(throws: PersistenceError.self) { try await disk.sync() }
      withExtendedLifetime(store) {}
    }
    try await keep()
    // The disk stays as it is.
    var isFree = false
    while !isFree {
      clock.move(by: .seconds(20))
      await Task.yield()
      isFree = (try? faulty.lock()) != nil
    }
    #expect(Board.makeBoard(try Persistence(board: MemoryStorage(faulty.files))).title == "safe")
  }

  @Test func `wherever it stands among middleware, all of it begins with the restored state`()
    async throws
  {
    let (title, limits) = (MemoryStorage(), MemoryStorage())
    func open() throws -> (one: Persistence<Board>, two: Persistence<Board>) {
      (
        try Persistence<Board>(in: title, writing: .eachCommit) { Kept(\.title) },
        try Persistence<Board>(in: limits, writing: .eachCommit) { Kept(\.limits) }
      )
    }
    var round = 0
    for order in [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1], [1, 3, 0, 2]] {
      let (one, two) = try open()
      let (history, recorder) = (History<Board>(), SessionRecorder<Board>())
      let all: [any Middleware<Board>] = [one, history, two, recorder]
      let store = try Store(initialState: Board(), middleware: order.map { all[$0] }) {
        for part in Board.parts() { part }
      }
      #expect(store.title == (round == 0 ? "new" : "\(round)"))
      #expect(store.limits.cards == (round == 0 ? 10 : round))
      #expect(history.entries.map(\.state) == [store.state] && !history.canUndo)
      #expect(recorder.session?.initial == store.state)
      round += 1
      store.dispatch([BoardAction.rename("\(round)"), .limit(round)])
      // An undo is kept as other commits are.
      store.dispatch([BoardAction.rename("undone"), .limit(-1)])
      #expect(history.undo())
      try await one.close()
      try await two.close()
    }
  }
}
