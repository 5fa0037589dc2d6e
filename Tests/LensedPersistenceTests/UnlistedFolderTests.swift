import Foundation
import Lensed
import LensedPersistence
import LensedTesting
import Testing

@Suite("A folder that cannot be read, or has lost its files, while it is in use")
struct UnlistedFolderTests {
  private func restore(_ files: [String: [UInt8]]) throws -> Board {
    Board.makeBoard(try Persistence(board: MemoryStorage(files)))
  }

  @Test func `an open segment is written although the folder cannot be read`() async throws {
    let faulty = FaultyStorage()
    // Nothing but a sync writes: one that finds all written looks at the folder again.
    let disk = try Persistence(
      board: faulty, writing: .debounced(for: .seconds(60), atMost: .seconds(600)))
    let store = try Board.makeStore(disk)
    store.dispatch(BoardAction.limit(0))
    try await disk.sync()
    let files = Set(faulty.files.keys)
    faulty.fail(.list, with: EMFILE, lasts: true)
    for number in 1...40 {
      store.dispatch(BoardAction.limit(number))
      try await disk.sync()
      #expect(try restore(faulty.files) == store.state)
    }
    // A sync without a commit has nothing else to say.
    await #expect(throws: PersistenceError.self) { try await disk.sync() }
    #expect(Set(faulty.files.keys) == files)
    faulty.heal()
    // What is gone meanwhile is seen by the next write.
    try files.forEach(faulty.remove)
    store.dispatch(BoardAction.limit(41))
    await #expect(throws: PersistenceError.self) { try await disk.sync() }
    try await disk.sync()
    #expect(try restore(faulty.files) == store.state)
    try await disk.close()
  }

  @Test func `no segment is begun while the folder cannot be read`() async throws {
    let faulty = FaultyStorage()
    let disk = try Persistence(board: faulty)
    let store = try Board.makeStore(disk)
    faulty.fail(.list, with: EMFILE, lasts: true)
    for number in 0..<40 {
      store.dispatch(BoardAction.limit(number))
      await #expect(throws: PersistenceError.self) { try await disk.sync() }
    }
    faulty.heal()
    try await disk.sync()
    #expect(faulty.files.count == 1)
    #expect(try restore(faulty.files) == store.state)
    try await disk.close()
  }

  @Test func `what is gone is made good also where nothing of it is kept any more`() async throws {
    for erases in [true, false] {
      let faulty = FaultyStorage()
      let first = try Persistence(board: faulty)
      try Board.makeStore(first).dispatch(BoardAction.rename("old"))
      try await first.sync()
      if erases { try await first.erase() }
      try await first.close()
      let disk = try Persistence<Board>(
        in: faulty, writing: .eachCommit, clock: ManualClock(), onFailure: { _ in }
      ) { Kept(\.limits) }
      let store = try Board.makeStore(disk)
      for name in faulty.files.keys { try faulty.remove(name) }
      await #expect(throws: PersistenceError.self) { try await disk.sync() }
      try await disk.sync()
      #expect(disk.status == .healthy)
      store.dispatch(BoardAction.limit(3))
      try await disk.close()
      let kept = Board.makeBoard(try Persistence(board: MemoryStorage(faulty.files)))
      #expect(kept.limits.cards == 3)
    }
  }
}
