import Lensed
import LensedTestSupport
import LensedTesting
import Testing

@MainActor
@Suite(
  "A reader that began before the store went has its last value, and then the end",
  .timeLimit(.minutes(30)))
struct LastValueTests {
  /// Dispatches and releases a store right after `read` began to read it: nothing suspends in between.
  private func lastValue<Reading>(_ read: (Store<Desk>) -> Reading) throws -> Reading {
    let store = try Desk.makeStore()
    let reading = read(store)
    store.dispatch(CountAction.add(1))
    return reading
  }

  @Test func `an iterator`() async throws {
    var iterator = try lastValue { $0.states(\.count).makeAsyncIterator() }
    #expect(await iterator.next() == 1)
    #expect(await iterator.next() == nil)
  }

  @Test func `an iterator over a debounced stream`() async throws {
    var iterator = try lastValue {
      $0.states(\.count).debounce(for: .seconds(1), clock: ManualClock()).makeAsyncIterator()
    }
    #expect(await iterator.next(isolation: #isolation) == 1)
    #expect(await iterator.next(isolation: #isolation) == nil)
  }

  @Test func `an iterator over a throttled stream`() async throws {
    var iterator = try lastValue {
      $0.states(\.count).throttle(for: .seconds(1), clock: ManualClock()).makeAsyncIterator()
    }
    #expect(await iterator.next(isolation: #isolation) == 1)
    #expect(await iterator.next(isolation: #isolation) == nil)
  }

  @Test func `an iterator over changes`() async throws {
    var iterator = try lastValue { $0.changes().makeAsyncIterator() }
    #expect(await iterator.next()?.state.count == 1)
    #expect(await iterator.next() == nil)
  }

  @Test func `a subscription`() throws {
    let heard = Recorder<Int>()
    let subscription = try lastValue { $0.states(\.count).subscribe { heard.append($0) } }
    #expect(heard.values == [0, 1])
    subscription.cancel()
  }

  @Test func `a subscription on the main actor`() async throws {
    let heard = Recorder<Int>()
    let subscription = try lastValue { $0.states(\.count).subscribe(onMain: { heard.append($0) }) }
    // Begun later, it is called later: by then the other was called.
    let (store, later) = (try Desk.makeStore(), Recorder<Int>())
    let other = store.states(\.count).subscribe(onMain: { later.append($0) })
    await later.waitForCount(1)
    #expect(heard.values == [1])
    subscription.cancel()
    other.cancel()
  }

  @Test func `a subscription to changes on the main actor`() async throws {
    let heard = Recorder<Int>()
    let subscription = try lastValue {
      $0.changes().subscribe(onMain: { heard.append($0.state.count) })
    }
    #expect(await heard.waitForCount(1) == [1])
    subscription.cancel()
  }

  @Test func `cancelled before its first call, a subscription on the main actor makes none`()
    async throws
  {
    let (heard, later) = (Recorder<Int>(), Recorder<Int>())
    try lastValue { $0.states(\.count).subscribe(onMain: { heard.append($0) }) }.cancel()
    let store = try Desk.makeStore()
    let other = store.states(\.count).subscribe(onMain: { later.append($0) })
    await later.waitForCount(1)
    #expect(heard.values.isEmpty)
    other.cancel()
  }
}
