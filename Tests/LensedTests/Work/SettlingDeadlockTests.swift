import LensedTestSupport
import Testing

@testable import Lensed

@Suite(
  "An effect that waits for its own store to settle throws, and no other does",
  .timeLimit(.minutes(30)))
struct SettlingDeadlockTests {
  private let gate = Gate()
  private let errors = Recorder<EffectError>()
  private let stores = Recorder<WeakStore>()

  private struct WeakStore: Sendable {
    weak let store: Store<Desk>?
  }

  private func makeStore(_ effect: Effect<Desk>) throws -> Store<Desk> {
    try Store(
      initialState: Desk(), coverage: .partial, onEffectError: { [errors] in errors.append($0) }
    ) {
      Desk.countMutator
      effect
    }
  }

  private var deadlocks: [DispatchDeadlock] {
    errors.values.compactMap { $0.underlying as? DispatchDeadlock }
  }

  @Test(arguments: [true, false]) func `an effect waits for its own store`(flushes: Bool)
    async throws
  {
    let store = try makeStore(
      Effect(on: CountAction.self) { [stores] _, _ in
        guard let store = stores.values[0].store else { return }
        if flushes { try await store.flush() } else { try await store.settled() }
      }
      .named("sync"))
    stores.append(WeakStore(store: store))
    try await store.dispatch(CountAction.add(1)).finish()
    let deadlock = try #require(deadlocks.first)
    #expect(deadlock.waiter == "the effect sync")
    #expect(deadlock.description.contains("SettlingDeadlockTests.swift:"))
    #expect(deadlock.description.contains("Let the effect sync return first"))
    try await store.settled()
  }

  @Test func `the sequence that a store pulls waits for that store`() async throws {
    let store = try makeStore(Effect(on: TitleAction.self) { _, _ in })
    let actions = AsyncThrowingStream<CountAction, any Error> {
      try await store.settled()
      return nil
    }
    await #expect(throws: DispatchDeadlock.self) {
      try await store.dispatch(actions).finish()
    }
  }

  @Test func `effects of two stores wait for each other's store: one wait throws`() async throws {
    let effect = Effect<Desk>(on: CountAction.self) { [gate, stores] action, _ in
      guard case .add(let other) = action else { return }
      try await gate.wait()
      try await stores.values[other].store?.settled()
    }
    let (first, second) = (try makeStore(effect), try makeStore(effect))
    for store in [first, second] { stores.append(WeakStore(store: store)) }
    let tasks = [first.dispatch(CountAction.add(1)), second.dispatch(CountAction.add(0))]
    await gate.waitForWaiters(2)
    gate.open()
    for task in tasks { try await task.finish() }
    #expect(deadlocks.count == 1)
    try await first.settled()
    try await second.settled()
  }

  @Test func `an effect waits for another store that waits for nothing: no wait throws`()
    async throws
  {
    let other = try makeStore(
      Effect(on: CountAction.self) { [gate] _, _ in try await gate.wait() })
    other.dispatch(CountAction.add(1))
    let store = try makeStore(
      Effect(on: CountAction.self) { _, _ in try await other.settled() })
    let task = store.dispatch(CountAction.add(1))
    while !other.core.workCount.isAwaited { await Task.yield() }
    gate.open()
    try await task.finish()
    #expect(deadlocks.isEmpty)
  }

  @Test func `a task that an effect has left behind may wait for the store`() async throws {
    let tasks = Recorder<Task<Void, any Error>>()
    let store = try makeStore(
      Effect(on: CountAction.self) { [gate, stores] _, _ in
        tasks.append(
          Task {
            try await gate.wait()
            try await stores.values[0].store?.settled()
          })
      })
    stores.append(WeakStore(store: store))
    try await store.dispatch(CountAction.add(1)).finish()
    gate.open()
    try await tasks.values[0].value
  }
}
