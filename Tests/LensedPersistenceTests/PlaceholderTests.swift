import Lensed
import LensedPersistence
import LensedTestSupport
import Testing

/// What an asynchronous reducer shows for the time being.
@Suite(.timeLimit(.minutes(30))) struct `A placeholder is never on the disk` {
  private struct App: Sendable, Equatable {
    var page = "old"
    var count = 0
  }
  private struct Load: Action {}
  private struct Add: Action {}

  private func makeStore(_ disk: Persistence<App>, until gate: Gate) throws -> Store<App> {
    try Store(initialState: App(), middleware: [disk]) {
      AsyncMutator(\App.page) { (_: String, _: Load) in
        AsyncResult {
          try await gate.wait()
          return "new"
        }
        .whileLoading("loading")
      }
      Mutator(\App.count) { (count: inout Int, _: Add) in count += 1 }
    }
  }

  private func disk(_ memory: MemoryStorage) throws -> Persistence<App> {
    try Persistence(in: memory, writing: .eachCommit, clock: ManualClock()) {
      Kept(\App.page)
      Kept(\App.count)
    }
  }

  /// The state that a new process finds.
  private func found(_ memory: MemoryStorage) async throws -> App {
    let disk = try disk(MemoryStorage(memory.files))
    let state = try makeStore(disk, until: Gate()).state
    try await disk.close()
    return state
  }

  @Test func `what was there before it is, until the outcome has come`() async throws {
    let (memory, gate) = (MemoryStorage(), Gate())
    let disk = try disk(memory)
    let store = try makeStore(disk, until: gate)
    let loading = store.dispatch(Load())
    await gate.waitForWaiters()
    store.dispatch(Add())
    #expect(store.state == App(page: "loading", count: 1))
    try await disk.sync()
    #expect(try await found(memory) == App(page: "old", count: 1))
    gate.open()
    try await loading.finish()
    try await disk.sync()
    #expect(try await found(memory) == App(page: "new", count: 1))
    try await disk.close()
  }
}
