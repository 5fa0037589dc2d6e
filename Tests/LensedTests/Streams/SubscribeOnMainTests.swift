import Lensed
import LensedTestSupport
import Testing

@Suite("subscribe(onMain:): on the main actor, in order, conflated", .timeLimit(.minutes(30)))
struct SubscribeOnMainTests {
  @Test func `it is called on the main actor, first with the current value`() async throws {
    let store = try Desk.makeStore()
    let heard = Recorder<Int>()
    let subscription = store.states(\.count).subscribe(onMain: { count in
      MainActor.assertIsolated()
      heard.append(count)
    })
    #expect(await heard.waitForCount(1) == [0])
    store.dispatch(CountAction.add(1))
    #expect(await heard.waitForCount(2) == [0, 1])
    subscription.cancel()
  }

  @Test @MainActor func `what is dispatched while the main actor is busy is heard once, newest`()
    async throws
  {
    let store = try Desk.makeStore()
    let heard = Recorder<Int>()
    let subscription = store.states(\.count).subscribe(onMain: { heard.append($0) })
    await heard.waitForCount(1)
    // Nothing suspends from here to the next wait, so the callback cannot run in between.
    for _ in 0..<100 { store.dispatch(CountAction.add(1)) }
    #expect(heard.values == [0])
    #expect(await heard.waitForCount(2) == [0, 100])
    subscription.cancel()
  }

  @Test @MainActor func `cancelled on the main actor, it is not called any more`() async throws {
    let store = try Desk.makeStore()
    let heard = Recorder<Int>()
    let subscription = store.states(\.count).subscribe(onMain: { heard.append($0) })
    await heard.waitForCount(1)
    store.dispatch(CountAction.add(1))
    subscription.cancel()
    let later = Recorder<Int>()
    let other = store.states(\.count).subscribe(onMain: { later.append($0) })
    await later.waitForCount(1)
    store.dispatch(CountAction.add(1))
    await later.waitForCount(2)
    #expect(heard.values == [0])
    other.cancel()
  }

  @Test func `releasing it ends the calls`() async throws {
    let store = try Desk.makeStore()
    let (heard, later) = (Recorder<Int>(), Recorder<Int>())
    var subscription: StoreSubscription? = store.states(\.count).subscribe(onMain: {
      heard.append($0)
    })
    await heard.waitForCount(1)
    #expect(subscription != nil)
    subscription = nil
    let other = store.states(\.count).subscribe(onMain: { later.append($0) })
    for count in 1...20 {
      await later.waitForCount(count)
      store.dispatch(CountAction.add(1))
    }
    #expect(heard.values == [0])
    other.cancel()
  }
}
