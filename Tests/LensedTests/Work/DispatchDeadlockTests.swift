import Lensed
import LensedTestSupport
import Testing

@Suite("A wait that could never end throws, and no other does", .timeLimit(.minutes(30)))
struct DispatchDeadlockTests {
  private let gate = Gate()
  private let errors = Recorder<EffectError>()
  private let tasks = Recorder<DispatchTask>()

  private func makeStore(_ effect: Effect<Desk>) throws -> Store<Desk> {
    try Store(
      initialState: Desk(), coverage: .partial, onEffectError: { [errors] in errors.append($0) }
    ) {
      Desk.countMutator
      effect
    }
  }

  private var deadlocks: Int {
    errors.values.count { $0.underlying is DispatchDeadlock }
  }

  @Test func `two effects fill a queue and wait for the same queued one: one wait throws`()
    async throws
  {
    let store = try makeStore(
      Effect(on: TitleAction.self, .limited(2)) { [gate, tasks] action, _ -> Void in
        if action == .rename("queued") { return }
        try await gate.wait()
        try await tasks.values[0].finish()
      })
    let both = store.dispatch([TitleAction.rename("a"), .rename("b")])
    await gate.waitForWaiters(2)
    let queued = store.dispatch(TitleAction.rename("queued"))
    tasks.append(queued)
    gate.open()
    try await both.finish()
    try await queued.finish()
    // The wait that closes the cycle throws; the other one then ends.
    #expect(deadlocks == 1)
    #expect(errors.count == 1)
  }

  @Test func `three effects wait for each other in a cycle: one wait throws`() async throws {
    let store = try makeStore(
      Effect(on: CountAction.self) { [gate, tasks] action, _ -> Void in
        guard case .add(let next) = action else { return }
        try await gate.wait()
        try await tasks.values[next].finish()
      })
    for next in [1, 2, 0] { tasks.append(store.dispatch(CountAction.add(next))) }
    await gate.waitForWaiters(3)
    gate.open()
    for task in tasks.values { try await task.finish() }
    #expect(deadlocks == 1)
    #expect(errors.count == 1)
  }

  @Test func `a wait for effects in a cycle ends once the cycle is broken`() async throws {
    let late = Gate()
    let store = try makeStore(
      Effect(on: CountAction.self) { [gate, tasks] action, _ -> Void in
        guard case .add(let next) = action else { return }
        try await (next == 3 ? late : gate).wait()
        try await tasks.values[next % 3].finish()
      })
    for next in [1, 0, 3] { tasks.append(store.dispatch(CountAction.add(next))) }
    await gate.waitForWaiters(2)
    await late.waitForWaiters()
    gate.open()
    late.open()
    for task in tasks.values { try await task.finish() }
    #expect(deadlocks == 1)
    #expect(errors.count == 1)
  }

  @Test func `a job that joins a queue breaks the wait that it makes endless`() async throws {
    let (second, third) = (Gate(), Gate())
    let store = try makeStore(
      Effect(on: TitleAction.self, .serial) { [gate, tasks] action, context -> Void in
        guard action == .rename("outer") else { return }
        try await gate.wait()
        try await tasks.values[1].finish()
      })
    let slow = store.install(
      Effect(on: CountAction.self) { _, context -> Void in
        try await second.wait()
        context.dispatch(TitleAction.rename("inner"))
        try await third.wait()
      })
    tasks.append(store.dispatch(TitleAction.rename("outer")))
    tasks.append(store.dispatch(CountAction.add(1)))
    await gate.waitForWaiters()
    await second.waitForWaiters()
    gate.open()
    second.open()
    try await tasks.values[0].finish()
    #expect(deadlocks == 1)
    third.open()
    try await tasks.values[1].finish()
    slow.cancel()
  }

  @Test func `an effect may wait for many queued effects while any of them can end`() async throws {
    let store = try makeStore(
      Effect(on: CountAction.self, .limited(2)) { action, context -> Void in
        guard case .add(let count) = action, count > 0 else { return }
        try await withThrowingTaskGroup(of: Void.self) { group in
          for _ in 0..<count {
            let task = context.dispatch(CountAction.keep)
            group.addTask { try await task.finish() }
          }
          try await group.waitForAll()
        }
      })
    try await store.dispatch(CountAction.add(100)).finish()
    #expect(errors.count == 0)
  }

  @Test
  func `an effect may wait for finish(.applied) of an action that its full queue keeps waiting`()
    async throws
  {
    let store = try makeStore(
      Effect(on: TitleAction.self, .serial) { action, context -> Void in
        guard action == .rename("outer") else { return }
        try await context.dispatch(TitleAction.rename("inner")).finish(.applied)
      })
    try await store.dispatch(TitleAction.rename("outer")).finish()
    #expect(errors.count == 0)
  }
}
