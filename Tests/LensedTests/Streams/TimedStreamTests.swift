import Lensed
import LensedTestSupport
import Testing

@Suite("debounce and throttle, by a manual clock", .timeLimit(.minutes(30)))
struct TimedStreamTests {
  @Test func `debounce gives a value once none newer has come for the interval`() async throws {
    let (store, clock) = (try Desk.makeStore(), ManualClock())
    let reading = Recording(store.states(\.count).debounce(for: .seconds(2), clock: clock))
    await clock.waitForSleeps(1)
    clock.move(by: .seconds(1))
    #expect(reading.heard.values.isEmpty)
    clock.move(by: .seconds(1))
    #expect(await reading.heard.waitForCount(1) == [0])
    store.dispatch(CountAction.add(1))
    await clock.waitForSleeps(2)
    clock.move(by: .seconds(2))
    #expect(await reading.heard.waitForCount(2) == [0, 1])
  }

  @Test func `debounce begins the interval anew with each newer value`() async throws {
    let (store, clock) = (try Desk.makeStore(), ManualClock())
    let reading = Recording(store.states(\.count).debounce(for: .seconds(2), clock: clock))
    for sleeps in 1...5 {
      await clock.waitForSleeps(sleeps)
      clock.move(by: .seconds(1))
      // The timer of the newest value still runs, so nothing was given.
      #expect(clock.sleeperCount == 1)
      store.dispatch(CountAction.add(1))
    }
    await clock.waitForSleeps(6)
    clock.move(by: .seconds(2))
    #expect(await reading.heard.waitForCount(1) == [5])
  }

  @Test func `debounce gives the last value when the store goes, without waiting`() async throws {
    var store: Store<Desk>? = try Desk.makeStore()
    let clock = ManualClock()
    let reading = Recording(
      try #require(store).states(\.count).debounce(for: .seconds(2), clock: clock))
    await clock.waitForSleeps(1)
    store?.dispatch(CountAction.add(3))
    await clock.waitForSleeps(2)
    store = nil
    #expect(await reading.waitForEnd() == [3])
  }

  @Test func `debounce ends with its task, and leaves no timer behind`() async throws {
    let (store, clock) = (try Desk.makeStore(), ManualClock())
    let reading = Recording(store.states(\.count).debounce(for: .seconds(2), clock: clock))
    await clock.waitForSleeps(1)
    reading.cancel()
    #expect(await reading.waitForEnd().isEmpty)
    #expect(clock.sleeperCount == 0)
    #expect(store.count == 0)
  }

  @Test func `throttle gives the first at once, then the newest of each interval`() async throws {
    let (store, clock) = (try Desk.makeStore(), ManualClock())
    let reading = Recording(store.states(\.count).throttle(for: .seconds(2), clock: clock))
    #expect(await reading.heard.waitForCount(1) == [0])
    await clock.waitForSleeps(1)
    for _ in 0..<3 { store.dispatch(CountAction.add(1)) }
    clock.move(by: .seconds(1))
    #expect(clock.sleeperCount == 1)
    clock.move(by: .seconds(1))
    #expect(await reading.heard.waitForCount(2) == [0, 3])
    await clock.waitForSleeps(2)
    store.dispatch(CountAction.add(1))
    clock.move(by: .seconds(2))
    #expect(await reading.heard.waitForCount(3) == [0, 3, 4])
  }

  @Test func `throttle gives at once what comes after a quiet interval`() async throws {
    let (store, clock) = (try Desk.makeStore(), ManualClock())
    let reading = Recording(store.states(\.count).throttle(for: .seconds(2), clock: clock))
    await clock.waitForSleeps(1)
    clock.move(by: .seconds(5))
    store.dispatch(CountAction.add(1))
    #expect(await reading.heard.waitForCount(2) == [0, 1])
  }

  @Test func `throttle gives the last value when the store goes, without waiting`() async throws {
    var store: Store<Desk>? = try Desk.makeStore()
    let clock = ManualClock()
    let reading = Recording(
      try #require(store).states(\.count).throttle(for: .seconds(2), clock: clock))
    await clock.waitForSleeps(1)
    store?.dispatch(CountAction.add(1))
    store = nil
    #expect(await reading.waitForEnd() == [0, 1])
  }

  @Test func `throttle ends at once with the store, if nothing is left to give`() async throws {
    var store: Store<Desk>? = try Desk.makeStore()
    let clock = ManualClock()
    let reading = Recording(
      try #require(store).states(\.count).throttle(for: .seconds(2), clock: clock))
    await clock.waitForSleeps(1)
    #expect(store?.count == 0)
    store = nil
    #expect(await reading.waitForEnd() == [0])
  }

  @Test func `throttle of two stores ends with the second of them`() async throws {
    let (first, clock) = (try Desk.makeStore(), ManualClock())
    var second: Store<Desk>? = try Desk.makeStore()
    let sums = first.states(\.count).combineLatest(try #require(second).states(\.count), +)
    let reading = Recording(sums.throttle(for: .seconds(2), clock: clock))
    await clock.waitForSleeps(1)
    second = nil
    first.dispatch(CountAction.add(1))
    // The first store is there: the interval goes on.
    #expect(clock.sleeperCount == 1)
    clock.move(by: .seconds(2))
    #expect(await reading.heard.waitForCount(2) == [0, 1])
    reading.cancel()
  }

  @Test func `throttle ends with its task`() async throws {
    let (store, clock) = (try Desk.makeStore(), ManualClock())
    let reading = Recording(store.states(\.count).throttle(for: .seconds(2), clock: clock))
    await clock.waitForSleeps(1)
    reading.cancel()
    #expect(await reading.waitForEnd() == [0])
    #expect(clock.sleeperCount == 0)
    #expect(store.count == 0)
  }
}
