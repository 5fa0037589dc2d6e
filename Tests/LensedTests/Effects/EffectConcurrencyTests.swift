import Lensed
import LensedTestSupport
import Testing

@Suite("Effects run concurrently, off the main actor, and leave no trace", .timeLimit(.minutes(30)))
struct EffectConcurrencyTests {
  @Test func `100,000 concurrent increments add up to 100,000`() async throws {
    let store = try Store(initialState: Desk(), coverage: .partial) {
      Mutator(\Desk.count) { (count: inout Int, action: CountAction) in
        if case .add(let amount) = action { count += amount }
      }
      Effect<Desk>(on: TitleAction.self) { _, context in
        for _ in 0..<100 { context.dispatch(CountAction.add(1)) }
      }
    }
    let actions = (0..<250).map { TitleAction.rename("\($0)") }
    try await withThrowingTaskGroup { group in
      for _ in 0..<4 {
        group.addTask { try await store.dispatch(actions).finish() }
      }
      try await group.waitForAll()
    }
    #expect(store.count == 100_000)
  }

  @Test func `an effect of a dispatch on the main actor runs off the main actor`() async {
    await #expect(processExitsWith: .failure) { @MainActor in
      let store = try Store(initialState: Desk(), coverage: .partial) {
        Effect<Desk>(on: TitleAction.self) { _, _ in MainActor.preconditionIsolated() }
      }
      try await store.dispatch(TitleAction.rename("x")).finish()
    }
  }

  @Test func `an observer on the main actor runs there for an effect's dispatch`() async throws {
    let heard = Recorder<Int>()
    let store = try Store(initialState: Desk(), coverage: .partial) {
      Mutator(\Desk.count) { (count: inout Int, _: CountAction) in count += 1 }
      Effect<Desk>(on: TitleAction.self) { _, _ in CountAction.keep }
    }
    let subscription = store.states(\.count).subscribe(onMain: { count in
      MainActor.preconditionIsolated()
      heard.append(count)
    })
    try await store.dispatch(TitleAction.rename("x")).finish()
    // The first call may deliver the initial value.
    while heard.last != 1 { await Task.yield() }
    #expect(heard.count <= 2)
    subscription.cancel()
  }

  @Test func `an endless effect retains nothing of its finished dispatches`() async throws {
    let gone = Recorder<WeakReference<Mark>>()
    final class Mark: Sendable {}
    struct Marked: Action { let mark: Mark }
    let gate = Gate()
    let store = try Store(initialState: Desk(), coverage: .partial) {
      Mutator(\Desk.count) { (count: inout Int, _: Marked) in count += 1 }
      Effect<Desk>(on: Marked.self) { _, _ in }
      Effect<Desk>(on: TitleAction.self) { _, context in
        for _ in 0..<1_000 {
          let mark = Mark()
          gone.append(WeakReference(mark))
          try await context.dispatch(Marked(mark: mark)).finish()
        }
        try await gate.wait()
      }
    }
    let task = store.dispatch(TitleAction.rename("x"))
    await gate.waitForWaiters()
    #expect(store.count == 1_000)
    // The last action might not be released yet.
    #expect(gone.values.filter { $0.object != nil }.count <= 1)
    gate.open()
    try await task.finish()
  }
}
