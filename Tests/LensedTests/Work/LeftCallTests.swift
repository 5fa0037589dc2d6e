@testable import Lensed
import LensedTestSupport
import LensedTesting
import Testing

@Suite(
  "A store has not settled while an observer has yet to hear of a commit",
  .timeLimit(.minutes(30)))
struct LeftCallTests {
  @Test func `where the subscriber is making its first call`() async throws {
    let store = try Desk.makeStore()
    let heard = Recorder<Int>()
    let (isCalled, mayGoOn) = (ThreadGate(), ThreadGate())
    let kept = Locked<StoreSubscription?>(nil)
    let subscriber = Threads.start {
      let subscription = store.states(\.count).subscribe { count in
        if count == 0 {
          isCalled.open()
          mayGoOn.wait()
        }
        heard.append(count)
      }
      kept.withLock { $0 = subscription }
    }
    await Threads.apart { isCalled.wait() }
    for _ in 0..<3 { store.dispatch(CountAction.add(1)) }
    try await expectSettling(of: store, endsAfter: { mayGoOn.open() }) {
      #expect(heard.values == [0, 1, 2, 3])
    }
    await Threads.apart { subscriber.wait() }
    kept.withLock { $0 }?.cancel()
  }

  @Test func `where the call for a commit of another store is being made`() async throws {
    let (first, second) = (try Desk.makeStore(), try Desk.makeStore())
    let heard = Recorder<[Int]>()
    let (isCalled, mayGoOn) = (ThreadGate(), ThreadGate())
    let pairs = first.states(\.count).combineLatest(second.states(\.count)) { [$0, $1] }
    let subscription = pairs.subscribe { pair in
      if pair == [1, 0] {
        isCalled.open()
        mayGoOn.wait()
      }
      heard.append(pair)
    }
    let dispatcher = Threads.start { first.dispatch(CountAction.add(1)) }
    await Threads.apart { isCalled.wait() }
    second.dispatch(CountAction.add(1))
    try await expectSettling(of: second, endsAfter: { mayGoOn.open() }) {
      #expect(heard.values == [[0, 0], [1, 0], [1, 1]])
    }
    await Threads.apart { dispatcher.wait() }
    subscription.cancel()
  }

  @Test func `where another thread delivers`() async throws {
    let store = try Desk.makeStore()
    let heard = Recorder<Int>()
    let (isCalled, mayGoOn) = (ThreadGate(), ThreadGate())
    let subscription = store.states(\.count).subscribe { count in
      if count == 1 {
        isCalled.open()
        mayGoOn.wait()
      }
      heard.append(count)
    }
    let dispatcher = Threads.start { store.dispatch(CountAction.add(1)) }
    await Threads.apart { isCalled.wait() }
    store.dispatch(CountAction.add(1))
    try await expectSettling(of: store, endsAfter: { mayGoOn.open() }) {
      #expect(heard.values == [0, 1, 2])
    }
    await Threads.apart { dispatcher.wait() }
    subscription.cancel()
  }

  @Test func `where a task makes the calls that the subscriber has left, on the store's executor`()
    async throws
  {
    let jobs = HandExecutor()
    let store = try StoreProbe.$current.withValue(StoreProbe(executor: jobs)) {
      try Desk.makeStore()
    }
    let heard = Recorder<Int>()
    // The first call is what lets the others line up: their number is more than a thread's share.
    let subscription = store.states(\.count).subscribe { count in
      heard.append(count)
      if count == 0 {
        let others = Threads.start { for _ in 0..<40 { store.dispatch(CountAction.add(1)) } }
        others.wait()
      }
    }
    #expect(heard.count < 41)
    #expect(jobs.count == 1)
    try await expectSettling(of: store, endsAfter: { jobs.run() }) {
      #expect(heard.values == Array(0...40))
    }
    subscription.cancel()
  }

  @Test func `calls that are dropped with their subscription hold nothing up`() async throws {
    let (first, second) = (try Desk.makeStore(), try Desk.makeStore())
    let (isCalled, mayGoOn) = (ThreadGate(), ThreadGate())
    let pairs = first.states(\.count).combineLatest(second.states(\.count)) { [$0, $1] }
    let subscription = pairs.subscribe { pair in
      if pair == [1, 0] {
        isCalled.open()
        mayGoOn.wait()
      }
    }
    let dispatcher = Threads.start { first.dispatch(CountAction.add(1)) }
    await Threads.apart { isCalled.wait() }
    second.dispatch(CountAction.add(1))
    try await expectSettling(of: second, endsAfter: { subscription.cancel() }) {}
    mayGoOn.open()
    await Threads.apart { dispatcher.wait() }
  }

  /// Waits for a store, lets it go on once that wait has begun, and looks at what holds as it ends.
  private func expectSettling(
    of store: Store<Desk>, endsAfter goOn: () -> Void, _ look: @escaping @Sendable () -> Void
  ) async throws {
    let hasSettled = Gate()
    let settling = Task {
      try await store.settled()
      hasSettled.open()
      look()
    }
    await Threads.apart {
      Threads.wait {
        hasSettled.isOpen || store.core.withLock("looked at the waits") { !$0.settling.isEmpty }
      }
    }
    goOn()
    try await settling.value
  }
}
