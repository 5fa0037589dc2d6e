import Lensed
import LensedPersistence
import LensedTestSupport
import LensedTesting
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

  @Test func `what was there before it is, also if the store goes while it is shown`() async throws
  {
    for isWritten in [false, true] {
      let faulty = FaultyStorage()
      let disk = try Persistence(in: faulty, writing: .eachCommit) {
        Kept(\App.page)
        Kept(\App.count)
      }
      var test: TestStore<App>? = try TestStore(exhaustivity: .off) {
        try makeStore(disk, until: Gate())
      }
      let runs = try #require(test).scheduler
      if isWritten {
        await test?.dispatch(Load())
        try await disk.sync()
      }
      faulty.hold()
      await test?.dispatch(Add())
      await faulty.waitUntilHeld()
      if !isWritten { await test?.dispatch(Load()) }
      #expect(test?.state == App(page: "loading", count: 1))
      test = nil
      // The run has ended before the last state is taken.
      await runs.rest()
      faulty.release()
      try await disk.close()
      #expect(try await found(MemoryStorage(faulty.files)) == App(page: "old", count: 1))
    }
  }

  @Test func `what was there before it is written once, however often others are meanwhile`()
    async throws
  {
    let (memory, gate) = (MemoryStorage(), Gate())
    let disk = try disk(memory)
    let store = try makeStore(disk, until: gate)
    let loading = store.dispatch(Load())
    await gate.waitForWaiters()
    try await disk.sync()
    func pages() -> Int {
      memory.files.values.map {
        String(decoding: $0, as: UTF8.self).split(separator: "old").count - 1
      }
      .reduce(0, +)
    }
    #expect(pages() == 1)
    for _ in 0..<5 {
      store.dispatch(Add())
      try await disk.sync()
      try await disk.sync()
    }
    #expect(pages() == 1)
    gate.open()
    try await loading.finish()
    try await disk.close()
    #expect(try await found(memory) == App(page: "new", count: 5))
  }

  @Test func `unless it stays, because its mutator is unregistered or replaced`() async throws {
    for leave in [
      { store in _ = store.unregister(\.page) },
      { store in
        try store.replace(Mutator(\App.page) { (page: inout String, _: Load) in page = "read" })
      },
    ] as [(Store<App>) throws -> Void] {
      for commitsMore in [false, true] {
        let (memory, gate) = (MemoryStorage(), Gate())
        let disk = try disk(memory)
        let store = try makeStore(disk, until: gate)
        store.dispatch(Load())
        await gate.waitForWaiters()
        store.dispatch(Add())
        try await disk.sync()
        #expect(try await found(memory) == App(page: "old", count: 1))
        try leave(store)
        if commitsMore { store.dispatch(Add()) }
        try await disk.sync()
        #expect(store.state == App(page: "loading", count: commitsMore ? 2 : 1))
        #expect(try await found(memory) == store.state)
        gate.open()
        try await disk.close()
      }
    }
  }
}
