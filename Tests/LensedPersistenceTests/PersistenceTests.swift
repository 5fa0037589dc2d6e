import Foundation
import Lensed
import LensedPersistence
import LensedTestSupport
import Testing

@Suite struct PersistenceTests {
  @Test func `what was synced is there when the next store is made`() async throws {
    let memory = MemoryStorage()
    let disk = try Persistence(board: memory)
    let store = try Board.makeStore(disk)
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<200 {
      store.dispatch(Board.action(&generator))
      if Int.random(in: 0..<4, using: &generator) == 0 { try await disk.sync() }
    }
    try await disk.close()
    let again = try Persistence(board: memory)
    #expect(try Board.makeStore(again).state == store.state)
    #expect(again.recovery == PersistenceRecovery())
  }

  @Test func `any sequence of commits comes back, in one segment or compacted`() async throws {
    for seed in 0..<UInt64(6 * VerificationLength.factor) {
      let memory = MemoryStorage()
      var generator = SeededGenerator(seed: seed)
      var board = Board()
      for _ in 0..<4 {
        let disk = try Persistence(board: memory, compactingAt: seed % 2 == 0 ? 700 : nil)
        let store = try Board.makeStore(disk)
        #expect(store.state == board, "seed \(seed)")
        for _ in 0..<40 {
          store.dispatch(Board.action(&generator))
          if Bool.random(using: &generator) { try await disk.sync() }
        }
        board = store.state
        try await disk.close()
      }
    }
  }

  @Test func `in a folder of the file system, too`() async throws {
    try await withFolder { folder in
      let disk = try Persistence<Board>(in: folder, writing: .eachCommit) {
        for part in Board.kept() { part }
      }
      let store = try Board.makeStore(disk)
      store.dispatch([BoardAction.rename("kept"), .add(Card(id: 1, text: "one"), at: 0)])
      try await disk.close()
      let again = try Persistence<Board>(in: folder) { for part in Board.kept() { part } }
      let next = try Board.makeStore(again)
      #expect(next.title == "kept" && next.cards == store.cards)
      try await again.close()
    }
  }
}

/// Gives a folder of its own, and removes it.
func withFolder<Result>(
  in place: URL = FileManager.default.temporaryDirectory, _ body: (URL) async throws -> Result
) async throws -> Result {
  let folder = place.appending(path: "lensed-\(UUID().uuidString)")
  defer { try? FileManager.default.removeItem(at: folder) }
  return try await body(folder)
}
