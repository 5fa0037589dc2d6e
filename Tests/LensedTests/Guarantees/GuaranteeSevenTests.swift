import Lensed
import LensedTestSupport
import Testing

@Suite("A failing sequence keeps what it applied, and the store goes on", .timeLimit(.minutes(30)))
struct GuaranteeSevenTests {
  private struct Fault: Error, Equatable {
    var number = 0
  }

  /// Gives `count` actions and then fails.
  private static func failing(
    after count: Int, _ fault: Fault = Fault()
  ) -> AsyncThrowingStream<CountAction, any Error> {
    AsyncThrowingStream { continuation in
      for _ in 0..<count { continuation.yield(.add(1)) }
      continuation.finish(throwing: fault)
    }
  }

  /// Gives nothing, and says when its reader has gone.
  private static func endless(ended: Gate) -> AsyncStream<CountAction> {
    AsyncStream { continuation in
      continuation.onTermination = { _ in ended.open() }
    }
  }

  @Test func `the error reaches finish, what was applied stays, the store goes on`() async throws {
    let store = try Desk.makeStore()
    await #expect(throws: Fault(number: 7)) {
      try await store.dispatch(Self.failing(after: 3, Fault(number: 7))).finish()
    }
    #expect(store.count == 3)
    store.dispatch(CountAction.add(1))
    #expect(store.count == 4)
  }

  @Test func `what would have followed it in a list is not run`() async throws {
    let store = try Desk.makeStore()
    let task = store.dispatch([
      CountAction.add(10), AsyncActions(Self.failing(after: 2)), TitleAction.rename("never"),
    ])
    await #expect(throws: Fault.self) { try await task.finish() }
    #expect(store.state == Desk(count: 12))
  }

  @Test func `a list inside a list fails as a whole`() async throws {
    let store = try Desk.makeStore()
    let inner: [any Action] = [AsyncActions(Self.failing(after: 1)), CountAction.add(100)]
    let task = store.dispatch([CountAction.add(1), ActionList(inner), TitleAction.rename("never")])
    await #expect(throws: Fault.self) { try await task.finish() }
    #expect(store.state == Desk(count: 2))
  }

  @Test(.warnsOnPurpose) func `an error that nobody waits for harms nobody`() async throws {
    let store = try Desk.makeStore()
    let heard = Recorder<Int>()
    let subscription = store.states(\.count).subscribe { heard.append($0) }
    store.dispatch(Self.failing(after: 2))
    await heard.waitForCount(3)
    try await store.dispatch(
      AsyncStream<CountAction> {
        $0.yield(.add(1)); $0.finish()
      }
    ).finish()
    #expect(store.count == 3)
    subscription.cancel()
  }

  @Test func `the first failure of a merge cancels the others`() async throws {
    let (store, ended) = (try Desk.makeStore(), Gate())
    let task = store.dispatch(
      AsyncActions.merge(Self.endless(ended: ended), Self.failing(after: 2)))
    await #expect(throws: Fault.self) { try await task.finish() }
    try await ended.wait()
    #expect(store.count == 2)
  }

  @Test func `the first failure of a concatenation ends it`() async throws {
    let store = try Desk.makeStore()
    let pulled = Counter()
    let second = AsyncStream<TitleAction> {
      pulled.increment()
      return nil
    }
    let task = store.dispatch(AsyncActions.concat(Self.failing(after: 1), second))
    await #expect(throws: Fault.self) { try await task.finish() }
    #expect(pulled.value == 0)
    #expect(store.state == Desk(count: 1))
  }

  @Test func `one failing dispatch leaves another untouched`() async throws {
    let (store, gate) = (try Desk.makeStore(), Gate())
    let calls = Counter()
    let steady = AsyncStream<CountAction> {
      if calls.increment() == 2 { return nil }
      try? await gate.wait()
      return .add(10)
    }
    let other = store.dispatch(steady)
    await gate.waitForWaiters()
    await #expect(throws: Fault.self) {
      try await store.dispatch(Self.failing(after: 1)).finish()
    }
    gate.open()
    try await other.finish()
    #expect(store.count == 21)
  }

  @Test func `a sequence of mixed actions fails in the same way`() async throws {
    let store = try Desk.makeStore()
    let mixed = AsyncThrowingStream<any Action, any Error> { continuation in
      continuation.yield(CountAction.add(1))
      continuation.yield(TitleAction.rename("T"))
      continuation.yield([CountAction.add(1), .add(1)])
      continuation.finish(throwing: Fault())
    }
    await #expect(throws: Fault.self) { try await store.dispatch(mixed).finish() }
    #expect(store.state == Desk(count: 3, title: "T"))
  }
}
