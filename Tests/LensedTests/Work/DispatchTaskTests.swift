import Lensed
import LensedTestSupport
import Testing

@Suite("A DispatchTask waits for its dispatch, and cancels it", .timeLimit(.minutes(30)))
struct DispatchTaskTests {
  private struct Fault: Error, Equatable {}

  /// Yields its numbers, then waits at the gate, then yields one more and ends.
  private static func sequence(
    _ numbers: [Int], gate: Gate, failing: Bool = false
  ) -> AsyncThrowingStream<CountAction, any Error> {
    let calls = Counter()
    return AsyncThrowingStream {
      let next = calls.increment()
      if next < numbers.count { return .add(numbers[next]) }
      if next > numbers.count { return nil }
      try await gate.wait()
      if failing { throw Fault() }
      return .add(100)
    }
  }

  @Test func `a synchronous dispatch is finished from the start`() async throws {
    let store = try Desk.makeStore()
    let task = store.dispatch(CountAction.add(1))
    try await task.finish()
    #expect(!task.isCancelled)
    #expect(store.count == 1)
  }

  @Test func `finish returns when all actions have been applied`() async throws {
    let (store, gate) = (try Desk.makeStore(), Gate())
    let task = store.dispatch(Self.sequence([1, 2], gate: gate))
    await gate.waitForWaiters()
    #expect(store.count == 3)
    gate.open()
    try await task.finish()
    try await task.finish()
    #expect(store.count == 103)
    #expect(!task.isCancelled)
  }

  @Test func `a sequence is pulled once, also when its task is discarded`() async throws {
    let (store, gate) = (try Desk.makeStore(), Gate())
    store.dispatch(Self.sequence([1, 2], gate: gate))
    await gate.waitForWaiters()
    #expect(store.count == 3)
    gate.open()
  }

  @Test func `cancel ends the sequence, and finish throws CancellationError`() async throws {
    let (store, gate) = (try Desk.makeStore(), Gate())
    let task = store.dispatch(Self.sequence([1], gate: gate))
    await gate.waitForWaiters()
    #expect(!task.isCancelled)
    task.cancel()
    #expect(task.isCancelled)
    await #expect(throws: CancellationError.self) { try await task.finish() }
    gate.open()
    #expect(store.count == 1)
    store.dispatch(CountAction.add(1))
    #expect(store.count == 2)
  }

  @Test func `finish throws the error of the sequence each time`() async throws {
    let (store, gate) = (try Desk.makeStore(), Gate())
    let task = store.dispatch(Self.sequence([1], gate: gate, failing: true))
    gate.open()
    await #expect(throws: Fault.self) { try await task.finish() }
    await #expect(throws: Fault.self) { try await task.finish() }
    #expect(!task.isCancelled)
    #expect(store.count == 1)
  }

  @Test func `after cancel, finish throws CancellationError and not a later error`() async throws {
    let store = try Desk.makeStore()
    let (entered, leave) = (Gate(), Gate())
    let failing = AsyncThrowingStream<CountAction, any Error> {
      entered.open()
      // Ignores its cancellation, and then fails with an error of its own.
      await Task { try? await leave.wait() }.value
      throw Fault()
    }
    let task = store.dispatch(failing)
    try await entered.wait()
    task.cancel()
    leave.open()
    await #expect(throws: CancellationError.self) { try await task.finish() }
  }

  @Test func `cancelling the task that waits cancels the dispatch`() async throws {
    let (store, gate) = (try Desk.makeStore(), Gate())
    let task = store.dispatch(Self.sequence([1], gate: gate))
    await gate.waitForWaiters()
    let waiter = Task { try await task.finish() }
    waiter.cancel()
    await #expect(throws: CancellationError.self) { try await waiter.value }
    #expect(task.isCancelled)
    await #expect(throws: CancellationError.self) { try await task.finish() }
    #expect(store.count == 1)
  }

  @Test func `finish returns without an error when the store has gone`() async throws {
    let gate = Gate()
    var store: Store<Desk>? = try Desk.makeStore()
    let task = try #require(store).dispatch(Self.sequence([1], gate: gate))
    await gate.waitForWaiters()
    store = nil
    try await task.finish()
  }

  @Test func `finish returns without an error when the sequence fails after the store has gone`()
    async throws
  {
    var store: Store<Desk>? = try Desk.makeStore()
    let (entered, leave) = (Gate(), Gate())
    let failing = AsyncThrowingStream<CountAction, any Error> {
      entered.open()
      await Task { try? await leave.wait() }.value
      throw Fault()
    }
    let task = try #require(store).dispatch(failing)
    try await entered.wait()
    store = nil
    leave.open()
    try await task.finish()
  }

  @Test func `cancelling the dispatch of a list ends its sequence and the actions after it`()
    async throws
  {
    let (store, gate) = (try Desk.makeStore(), Gate())
    let task = store.dispatch([
      CountAction.add(10), AsyncActions(Self.sequence([1], gate: gate)), CountAction.add(1_000),
    ])
    #expect(store.count >= 10)
    await gate.waitForWaiters()
    #expect(store.count == 11)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.finish() }
    #expect(store.count == 11)
  }

  @Test func `cancelling a finished dispatch changes nothing`() async throws {
    let (store, gate) = (try Desk.makeStore(), Gate())
    gate.open()
    let task = store.dispatch(Self.sequence([1], gate: gate))
    try await task.finish()
    task.cancel()
    try await task.finish()
    #expect(store.count == 101)
  }
}
