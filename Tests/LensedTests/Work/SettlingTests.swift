import LensedTestSupport
import Testing

@testable import Lensed

@Suite("settled() returns when nothing is under way, and not before", .timeLimit(.minutes(30)))
struct SettlingTests {
  let gate = Gate()
  let order = Recorder<String>()
  let clock = ManualClock()

  func makeStore(@StoreBuilder<Desk> _ parts: () -> [StorePart<Desk>]) throws -> Store<Desk> {
    try Store(initialState: Desk(), coverage: .partial) {
      Desk.countMutator
      Desk.notesMutator
      parts()
    }
  }

  /// Waits for the store in a task, and returns once the wait has begun.
  func settling(
    _ store: Store<Desk>,
    _ wait: @escaping @Sendable (Store<Desk>) async throws -> Void = {
      try await $0.settled()
    }
  ) async -> Task<Void, any Error> {
    let task = Task { [order] in
      try await wait(store)
      order.append("settled")
    }
    while !store.core.workCount.isAwaited { await Task.yield() }
    return task
  }

  @Test func `a store with nothing under way has settled`() async throws {
    let store = try makeStore {}
    try await store.settled()
    store.dispatch(CountAction.add(1))
    try await store.settled()
    try await store.flush()
    #expect(store.count == 1)
  }

  @Test func `an effect that is the one job of its dispatch is waited for`() async throws {
    let store = try makeStore {
      Effect(on: CountAction.self) { [gate, order] _, _ in
        try await gate.wait()
        order.append("effect")
      }
    }
    store.dispatch(CountAction.add(1))
    let wait = await settling(store)
    gate.open()
    try await wait.value
    #expect(order.values == ["effect", "settled"])
  }

  @Test func `what an effect has dispatched is waited for when the effect has ended`() async throws
  {
    let ended = Gate()
    let store = try makeStore {
      Effect(on: CountAction.self) { [ended] _, context in
        context.dispatch(NoteAction.append(1))
        ended.open()
      }
      Effect(on: NoteAction.self) { [gate, order] _, _ in
        try await gate.wait()
        order.append("effect")
      }
    }
    store.dispatch(CountAction.add(1))
    try await ended.wait()
    let wait = await settling(store)
    gate.open()
    try await wait.value
    #expect(order.values == ["effect", "settled"])
  }

  @Test(arguments: EffectPolicy.all) func `queued runs are waited for`(policy: EffectPolicy)
    async throws
  {
    let store = try makeStore {
      Effect(on: CountAction.self, policy) { [gate, order] _, _ in
        try await gate.wait()
        order.append("effect")
      }
    }
    for _ in 0..<5 { store.dispatch(CountAction.add(1)) }
    let wait = await settling(store)
    gate.open()
    try await wait.value
    let count = policy == .latest || policy == .first ? 1 : 5
    #expect(order.values == Array(repeating: "effect", count: count) + ["settled"])
  }

  @Test func `a sequence, and the effects of its actions, are waited for`() async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: CountAction.self)
    let store = try makeStore {
      Effect(on: CountAction.self) { [gate, order] _, _ in
        try await gate.wait()
        order.append("effect")
      }
    }
    store.dispatch(stream)
    continuation.yield(.add(1))
    await gate.waitForWaiters()
    let wait = await settling(store)
    continuation.finish()
    gate.open()
    try await wait.value
    #expect(order.values == ["effect", "settled"])
  }

  @Test func `the events of an asynchronous mutator, and afterEach, are waited for`() async throws {
    let store = try makeStore {
      AsyncMutator(\.title) { [gate] (title: String, action: TitleAction) -> AsyncResult<String> in
        AsyncResult {
          try await gate.wait()
          return title + "!"
        }
      }
      .afterEach { [order] title, _ in order.append(title) }
    }
    store.dispatch([TitleAction.rename("a"), .rename("b")])
    let wait = await settling(store)
    gate.open()
    try await wait.value
    #expect(order.values == ["!", "!!", "settled"])
  }

  @Test func `a commit that another thread has yet to deliver is waited for with its effect`()
    async throws
  {
    let (inside, leave) = (ThreadGate(), ThreadGate())
    let store = try makeStore {
      // Whoever delivers the commit decides whether it begins.
      Effect(on: NoteAction.self, when: { _, _ in true }) { [order] _, _ in order.append("effect") }
    }
    let blocking = store.states(\.count).subscribe { count in
      if count == 1 {
        inside.open()
        leave.wait()
      }
    }
    let other = Threads.start { store.dispatch(CountAction.add(1)) }
    inside.wait()
    // Returns at once: the other thread delivers it.
    store.dispatch(NoteAction.append(1))
    let wait = await settling(store)
    #expect(order.values == [])
    leave.open()
    try await wait.value
    other.wait()
    #expect(order.values == ["effect", "settled"])
    blocking.cancel()
  }

  @Test func `cancelling the wait ends the wait alone`() async throws {
    let store = try makeStore {
      Effect(on: CountAction.self) { [gate] _, context in
        try await gate.wait()
        context.dispatch(NoteAction.append(1))
      }
    }
    store.dispatch(CountAction.add(1))
    let wait = await settling(store)
    wait.cancel()
    await #expect(throws: CancellationError.self) { try await wait.value }
    let isAwaited = store.core.workCount.isAwaited
    #expect(!isAwaited)
    gate.open()
    try await store.settled()
    #expect(store.notes == [1])
  }

  @Test func `a wait in a task that was cancelled before ends at once`() async throws {
    let store = try makeStore {
      Effect(on: CountAction.self) { [gate] _, _ in try await gate.wait() }
    }
    store.dispatch(CountAction.add(1))
    let isReady = Gate()
    let wait = Task {
      try? await isReady.wait()
      try await store.settled()
    }
    wait.cancel()
    await #expect(throws: CancellationError.self) { try await wait.value }
    gate.open()
  }

  @Test func `several wait at once, and each is told`() async throws {
    let store = try makeStore {
      Effect(on: CountAction.self) { [gate] _, _ in try await gate.wait() }
    }
    store.dispatch(CountAction.add(1))
    let waits = [await settling(store), await settling(store) { try await $0.flush() }]
    gate.open()
    for wait in waits { try await wait.value }
    #expect(order.values == ["settled", "settled"])
  }

  @Test func `what runs on after its effect was removed is waited for`() async throws {
    let started = Gate()
    let store = try makeStore {
      Effect(on: NoteAction.self) { [gate, order] _, _ in
        try await gate.wait()
        order.append("effect")
      }
    }
    let installed = store.install(
      Effect(on: CountAction.self) { _, context in
        context.dispatch(NoteAction.append(1))
        started.open()
        try await Gate().wait()
      })
    store.dispatch(CountAction.add(1))
    try await started.wait()
    installed.cancel()
    let wait = await settling(store)
    gate.open()
    try await wait.value
    #expect(order.values == ["effect", "settled"])
  }

  @Test func `the store keeps nothing of a wait that is over`() async throws {
    let alive = LiveCount()
    do {
      let store = try makeStore {
        Effect(on: CountAction.self) { [token = alive.token()] _, _ in _ = token }
      }
      store.dispatch(CountAction.add(1))
      try await store.settled()
      try await store.flush()
    }
    while alive.value > 0 { await Task.yield() }
  }
}

extension EffectPolicy {
  fileprivate static let all: [EffectPolicy] = [.concurrent, .latest, .first, .serial, .limited(2)]
}
