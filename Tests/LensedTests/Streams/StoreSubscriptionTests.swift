import Lensed
import LensedTestSupport
import Synchronization
import Testing

@Suite("StoreSubscription: cancelled or released, the calls end", .timeLimit(.minutes(30)))
struct StoreSubscriptionTests {
  @Test func `after cancel no call begins`() throws {
    let store = try Desk.makeStore()
    let heard = Recorder<Int>()
    let subscription = store.states(\.count).subscribe { heard.append($0) }
    store.dispatch(CountAction.add(1))
    subscription.cancel()
    subscription.cancel()
    store.dispatch(CountAction.add(1))
    #expect(heard.values == [0, 1])
  }

  @Test func `releasing it cancels`() throws {
    let store = try Desk.makeStore()
    let heard = Recorder<Int>()
    var subscription: StoreSubscription? = store.states(\.count).subscribe { heard.append($0) }
    store.dispatch(CountAction.add(1))
    #expect(subscription != nil)
    subscription = nil
    store.dispatch(CountAction.add(1))
    #expect(heard.values == [0, 1])
  }

  @Test func `a set keeps it, and emptying the set cancels`() throws {
    let store = try Desk.makeStore()
    let heard = Recorder<Int>()
    var subscriptions: Set<StoreSubscription> = []
    store.states(\.count).subscribe { heard.append($0) }.keep(in: &subscriptions)
    store.states(\.count).subscribe { heard.append(-$0) }.keep(in: &subscriptions)
    #expect(subscriptions.count == 2)
    store.dispatch(CountAction.add(1))
    subscriptions = []
    store.dispatch(CountAction.add(1))
    #expect(heard.values == [0, 0, 1, -1])
  }

  @Test func `its ending runs once`() {
    let endings = Recorder<String>()
    var subscription: StoreSubscription? = StoreSubscription { endings.append("ended") }
    subscription?.cancel()
    subscription?.cancel()
    subscription = nil
    #expect(endings.values == ["ended"])
  }

  @Test func `cancelling lets go of what the callback held`() throws {
    let store = try Desk.makeStore()
    var token: Token? = Token()
    weak let seen = token
    let subscription = store.states(\.count).subscribe { [token] _ in _ = token }
    for _ in 0..<3 { store.dispatch(CountAction.add(1)) }
    token = nil
    #expect(seen != nil)
    subscription.cancel()
    #expect(seen == nil)
  }

  @Test func `cancelling breaks a circle through the callback`() throws {
    weak var seen: Store<Desk>?
    do {
      let store = try Desk.makeStore()
      seen = store
      let subscription = store.states(\.count).subscribe { _ in _ = store.count }
      for _ in 0..<3 { store.dispatch(CountAction.add(1)) }
      subscription.cancel()
    }
    #expect(seen == nil)
  }

  @Test func `cancelled while another thread is about to call, it is not called any more`() throws {
    let store = try Desk.makeStore()
    let (inside, heard) = (ThreadGate(), Recorder<Int>())
    let subscription = store.states(\.count)
      .map { count in
        if count == 1 { inside.wait() }
        return count
      }
      .subscribe { heard.append($0) }
    let dispatched = Threads.start { store.dispatch(CountAction.add(1)) }
    inside.waitForWaiters()
    subscription.cancel()
    inside.open()
    dispatched.wait()
    #expect(heard.values == [0])
  }

  @Test func `a call that is running when it is cancelled may finish`() throws {
    let store = try Desk.makeStore()
    let (inside, heard) = (ThreadGate(), Recorder<Int>())
    let subscription = store.states(\.count).subscribe { count in
      if count == 1 { inside.wait() }
      heard.append(count)
    }
    let dispatched = Threads.start {
      store.dispatch(CountAction.add(1))
      store.dispatch(CountAction.add(1))
    }
    inside.waitForWaiters()
    subscription.cancel()
    inside.open()
    dispatched.wait()
    #expect(heard.values == [0, 1])
  }

  @Test(arguments: [1, 3])
  func `after cancel, at most the one call is heard that had been decided on`(writers: Int) throws {
    let store = try Desk.makeStore()
    let heard = Locked<[Int: Int]>([:])
    let ends = (0..<writers).map { _ in
      Threads.start { for _ in 0..<20_000 { store.dispatch(CountAction.add(1)) } }
    }
    for round in 0..<500 {
      let isOver = CancelFlag()
      let subscription = store.states(\.count).subscribe { _ in
        if isOver.isRaised { heard.withLock { $0[round, default: 0] += 1 } }
      }
      subscription.cancel()
      isOver.raise()
    }
    for end in ends { end.wait() }
    #expect(heard.withLock { $0.values.allSatisfy { $0 == 1 } })
  }

  @Test func `cancelled by the thread that delivers, nothing more is heard`() throws {
    let store = try Desk.makeStore()
    let heard = Recorder<String>()
    let second = Locked<StoreSubscription?>(nil)
    let first = store.states(\.count).subscribe { count in
      heard.append("first \(count)")
      if count == 2 { second.withLock { $0 }?.cancel() }
    }
    second.withLock {
      $0 = store.states(\.count).subscribe { heard.append("second \($0)") }
    }
    for _ in 0..<3 { store.dispatch(CountAction.add(1)) }
    #expect(
      heard.values == ["first 0", "second 0", "first 1", "second 1", "first 2", "first 3"])
    first.cancel()
  }

  @Test func `when the store has gone, what the callback held has gone`() throws {
    let alive = LiveCount()
    var subscriptions: [StoreSubscription] = []
    do {
      let store = try Desk.makeStore()
      let (plain, mapped) = (alive.token(), alive.token())
      subscriptions.append(store.states(\.count).subscribe { _ in _ = plain })
      subscriptions.append(store.states(\.count).map { $0 }.subscribe { _ in _ = mapped })
      store.dispatch(CountAction.add(1))
      #expect(alive.value == 2)
    }
    #expect(alive.value == 0)
    for subscription in subscriptions { subscription.cancel() }
  }

  @Test func `what a callback of two stores held goes with the last of them`() throws {
    let alive = LiveCount()
    var (left, right): (Store<Desk>?, Store<Desk>?) = (try Desk.makeStore(), try Desk.makeStore())
    let heard = Recorder<Int>()
    let subscription: StoreSubscription
    do {
      let token = alive.token()
      let counts = try #require(left).states(\.count)
        .combineLatest(try #require(right).states(\.count)) { $0 + $1 }
      subscription = counts.subscribe { sum in
        _ = token
        heard.append(sum)
      }
    }
    left = nil
    right?.dispatch(CountAction.add(1))
    #expect(heard.values == [0, 1])
    #expect(alive.value == 1)
    right = nil
    #expect(alive.value == 0)
    subscription.cancel()
  }

  private final class Token: Sendable {}
}

/// Something that is raised once, seen by every thread.
private final class CancelFlag: Sendable {
  private let raised = Atomic(false)

  var isRaised: Bool { raised.load(ordering: .sequentiallyConsistent) }

  func raise() { raised.store(true, ordering: .sequentiallyConsistent) }
}
