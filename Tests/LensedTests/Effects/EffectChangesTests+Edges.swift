import Lensed
import LensedTestSupport
import Testing

extension EffectChangesTests {
  @Test func `an effect that runs when it is installed reads from then on`() async throws {
    let (gate, found) = (Gate(), Recorder<Int>())
    let store = try makeStore(
      Effect(whenChanged: \.asked, including: .installation) { _, context in
        try await gate.wait()
        found.append(try await context.next(Answer.self).id)
      }.keepingChanges())
    store.dispatch(Answer(id: 1))
    gate.open()
    try await store.settled()
    #expect(found.values == [1])
  }

  @Test func `no commit is missed while other threads dispatch`() async throws {
    let (gate, found) = (Gate(), Recorder<[UInt64]>())
    let store = try makeStore(
      Effect(on: Ask.self) { _, context in
        try await gate.wait()
        var revisions: [UInt64] = []
        for await change in context.changes() {
          revisions.append(change.revision)
          if revisions.count == 1_000 { break }
        }
        found.append([context.change.revision] + revisions)
      }.keepingChanges(limit: 10_000))
    await withTaskGroup { group in
      for thread in 0..<4 {
        group.addTask {
          for id in 0..<500 {
            store.dispatch(Answer(id: id))
            if id % 100 == thread { store.dispatch(Ask()) }
          }
        }
      }
    }
    gate.open()
    // Those that were triggered too late wait for more.
    for id in 0..<1_000 { store.dispatch(Answer(id: id)) }
    try await store.settled()
    #expect(found.values.count == 20)
    for revisions in found.values {
      let isWithoutGap = revisions == Array(revisions[0]...revisions[0] + 1_000)
      #expect(isWithoutGap, "from \(revisions[0])")
    }
  }

  @Test func `when no run is under way, commits take the fast path again`() async throws {
    let log = Recorder<Int>()
    let store = try makeStore(
      Effect(on: Ask.self) { _, context in log.append(try await context.next(Answer.self).id) }
        .keepingChanges())
    for id in 0..<5 {
      let task = store.dispatch(Ask())
      store.dispatch(Answer(id: id))
      try await task.finish()
    }
    #expect(log.values == Array(0..<5))
    #expect(store.answers == Array(0..<5))
    #expect(store.asked == 5)
  }

  @Test func `asking without keepingChanges traps with a sentence`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = try Store(initialState: App(), coverage: .partial) {
        App.asked
        Effect(on: Ask.self) { _, context in _ = try await context.next(Answer.self) }
          .named("asking")
      }
      try await store.dispatch(Ask()).finish()
    }
    #expect(
      result?.message.contains(
        "Lensed: the effect asking called `next(Answer.self)`, and what came since its trigger was not "
          + "kept. Write `.keepingChanges()` behind the effect.") ?? false)
  }

  @Test func `two tasks that wait for one reader trap with a sentence`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = try Store(initialState: App(), coverage: .partial) {
        App.asked
        Effect(on: Ask.self) { _, context in
          async let one = context.next(Answer.self)
          async let two = context.next(Answer.self)
          _ = try await (one, two)
        }
        .keepingChanges()
      }
      try await store.dispatch(Ask()).finish()
    }
    #expect(result?.message.contains("call `changes()` once for each") ?? false)
  }
}
