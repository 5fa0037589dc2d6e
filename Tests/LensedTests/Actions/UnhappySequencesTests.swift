import Lensed
import LensedTestSupport
import Synchronization
import Testing

@Suite("Sequences that fail, are cancelled, or never end", .timeLimit(.minutes(30)))
struct UnhappySequencesTests {
  @Test func `a failure reaches finish(), what was applied stays, and the store goes on`()
    async throws
  {
    let store = try Desk.makeStore()
    let task = store.dispatch(
      ScriptedActions<CountAction>(.give(.add(1)), .give(.add(2)), .fail(Mishap("broken"))))
    await #expect(throws: Mishap("broken")) { try await task.finish() }
    #expect(store.count == 3)
    store.dispatch(CountAction.add(4))
    #expect(store.count == 7)
    #expect(!task.isCancelled)
  }

  @Test func `a failure is thrown to everybody who waits, and again to who asks later`()
    async throws
  {
    let store = try Desk.makeStore()
    let task = store.dispatch(ScriptedActions<CountAction>(.fail(Mishap("broken"))))
    for _ in 0..<2 {
      await #expect(throws: Mishap("broken")) { try await task.finish() }
    }
  }

  @Test func `after a failure in a list, what follows is not run`() async throws {
    let store = try Desk.makeStore()
    let task = store.dispatch(
      [
        CountAction.add(1),
        AsyncActions(ScriptedActions<CountAction>(.give(.add(10)), .fail(Mishap("broken")))),
        CountAction.add(100),
      ] as [any Action])
    await #expect(throws: Mishap("broken")) { try await task.finish() }
    #expect(store.count == 11)
  }

  @Test func `cancelling ends a sequence that never ends, and finish() says so`() async throws {
    let store = try Desk.makeStore()
    let script = ScriptedActions<CountAction>(.give(.add(1)), .hang, .give(.add(10)))
    let task = store.dispatch(script)
    await script.pulls.waitForCount(2)
    #expect(!task.isCancelled)
    task.cancel()
    #expect(task.isCancelled)
    await #expect(throws: CancellationError.self) { try await task.finish() }
    #expect(store.count == 1)
  }

  @Test func `a sequence that ignores its cancellation applies nothing more`() async throws {
    let store = try Desk.makeStore()
    let stream = AsyncStream<CountAction>(unfolding: {
      return .add(1)
    })
    let heard = Recorder<Int>()
    let subscription = store.states(\.count).subscribe { heard.append($0) }
    let task = store.dispatch(stream)
    await heard.waitForCount(10)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.finish() }
    let count = store.count
    store.dispatch(CountAction.add(1))
    #expect(store.count == count + 1)
    subscription.cancel()
  }

  @Test func `cancelling whoever waits at finish() cancels the dispatch`() async throws {
    let store = try Desk.makeStore()
    let script = ScriptedActions<CountAction>(.give(.add(1)), .hang)
    let task = store.dispatch(script)
    let waiter = Task { try await task.finish() }
    await script.pulls.waitForCount(2)
    waiter.cancel()
    await #expect(throws: CancellationError.self) { try await waiter.value }
    #expect(task.isCancelled)
    await #expect(throws: CancellationError.self) { try await task.finish() }
  }

  @Test func `cancelling in a list keeps what follows from running`() async throws {
    let store = try Desk.makeStore()
    let script = ScriptedActions<CountAction>(.give(.add(1)), .hang)
    let task = store.dispatch([AsyncActions(script), CountAction.add(100)] as [any Action])
    await script.pulls.waitForCount(2)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.finish() }
    #expect(store.count == 1)
  }

  @Test func `cancelling what has ended changes nothing`() async throws {
    let store = try Desk.makeStore()
    let task = store.dispatch(ScriptedActions(giving: CountAction.add(1)))
    try await task.finish()
    task.cancel()
    try await task.finish()
    #expect(store.count == 1)
  }

  @Test func `a synchronous dispatch has nothing to cancel and nothing to wait for`() async throws {
    let store = try Desk.makeStore()
    let task = store.dispatch(CountAction.add(1))
    task.cancel()
    #expect(!task.isCancelled)
    try await task.finish()
    #expect(store.count == 1)
  }

  @Test func `an endless sequence ends with its store, quietly`() async throws {
    var store: Store<Desk>? = try Desk.makeStore()
    let script = ScriptedActions<CountAction>(.give(.add(1)), .hang)
    let task = try #require(store?.dispatch(script))
    await script.pulls.waitForCount(2)
    store = nil
    try await task.finish()
  }

  /// Waits for its cancellation, and then fails in a way of its own.
  private static func sulking(_ started: Recorder<Int>) -> AsyncThrowingStream<
    CountAction, any Error
  > {
    AsyncThrowingStream(unfolding: {
      started.append(1)
      try? await Gate().wait()
      throw Mishap("sulking")
    })
  }

  @Test
  func `after a cancel it is the cancellation that finish() throws, whatever the sequence did`()
    async throws
  {
    let store = try Desk.makeStore()
    let started = Recorder<Int>()
    let task = store.dispatch(Self.sulking(started))
    await started.waitForCount(1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.finish() }
  }

  @Test func `after the store has gone finish() is quiet, whatever the sequence did`()
    async throws
  {
    var store: Store<Desk>? = try Desk.makeStore()
    let started = Recorder<Int>()
    let task = try #require(store?.dispatch(Self.sulking(started)))
    await started.waitForCount(1)
    store = nil
    try await task.finish()
  }

  @Test func `a sequence that fails with a CancellationError of its own throws that`() async throws
  {
    let store = try Desk.makeStore()
    let task = store.dispatch(ScriptedActions<CountAction>(.fail(CancellationError())))
    await #expect(throws: CancellationError.self) { try await task.finish() }
    #expect(!task.isCancelled)
  }

  @Test func `a store dropped inside one of its own sequence's actions ends quietly`() async throws
  {
    let holder = StoreHolder(try Desk.makeStore())
    let script = ScriptedActions<CountAction>(giving: .add(1), .add(1), .add(1))
    let heard = Recorder<Int>()
    let gate = Gate()
    let gated = ScriptedActions<any Action>(.wait(gate), .give(AsyncActions(script)))
    let task = try #require(holder.store?.dispatch(gated))
    let subscription = holder.store?.states(\.count).subscribe { count in
      heard.append(count)
      if count == 1 { holder.drop() }
    }
    gate.open()
    try await task.finish()
    #expect(heard.values == [0, 1])
    #expect(holder.store == nil)
    subscription?.cancel()
  }

  private final class StoreHolder: Sendable {
    private let held: Mutex<Store<Desk>?>

    init(_ store: Store<Desk>) {
      held = Mutex(store)
    }

    var store: Store<Desk>? { held.withLock { $0 } }

    func drop() {
      let last = held.withLock { $0.take() }
      _ = last
    }
  }

  @Test func `two sequences do not disturb each other`() async throws {
    let store = try Desk.makeStore()
    let gate = Gate()
    let failing = store.dispatch(ScriptedActions<CountAction>(.fail(Mishap("one"))))
    let other = store.dispatch(ScriptedActions<CountAction>(.wait(gate), .give(.add(1))))
    await #expect(throws: Mishap("one")) { try await failing.finish() }
    gate.open()
    try await other.finish()
    #expect(store.count == 1)
  }
}
