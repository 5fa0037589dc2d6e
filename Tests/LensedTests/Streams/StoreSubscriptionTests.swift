import Lensed
import LensedTestSupport
import Testing

@Suite("StoreSubscription: cancelled or released, the calls end", .timeLimit(.minutes(5)))
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

  private final class Token: Sendable {}
}
