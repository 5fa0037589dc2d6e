import Lensed
import LensedTestSupport
import Testing

private typealias AppState = Contract.AppState
private typealias CounterState = Contract.CounterState
private typealias AppAction = Contract.AppAction
private typealias OtherAction = Contract.OtherAction

/// A value that cannot be compared.
private struct Opaque: Sendable {
  var number = 0
}

@Suite("Streams start with the current value and skip to the newest", .timeLimit(.minutes(30)))
struct StreamContractTests {
  private let store: Store<AppState>

  init() throws {
    store = try Contract.makeStore(AppState(counter: 1, user: "a"))
  }

  @Test func `for await over a part`() async throws {
    var seen: [Int] = []
    for await counter in store.states(\.counter) {
      seen.append(counter.value)
      if counter.value == 4 { break }
      store.dispatch(AppAction.increase(1))
    }
    #expect(seen == [1, 2, 3, 4])
  }

  @Test func `for await on the main actor`() async throws {
    let last = await Task { @MainActor in
      var last = 0
      for await counter in store.states(\.counter) {
        last = counter.value
        if last == 3 { break }
        store.dispatch(AppAction.increase(1))
      }
      return last
    }.value
    #expect(last == 3)
  }

  @Test func `a stream is a Sendable sequence that never fails`() async {
    func first<S: AsyncSequence & Sendable>(_ sequence: S) async -> S.Element?
    where S.Failure == Never {
      for await element in sequence { return element }
      return nil
    }
    #expect(await first(store.states) == AppState(counter: 1, user: "a"))
    #expect(await first(store.states(\.counter.value)) == 1)
    #expect(await first(store.states(Lens(\.user.name))) == "a")
  }

  @Test func `a part is emitted when it differs, or always with repeats: .kept`() {
    let (removed, kept) = (Recorder<CounterState>(), Recorder<CounterState>())
    let subscriptions = [
      store.states(\.counter).subscribe { removed.append($0) },
      store.states(\.counter, repeats: .kept).subscribe { kept.append($0) },
      store.states(Lens(\.counter), repeats: .removed).subscribe { removed.append($0) },
      store.states(Lens(\.counter), repeats: .kept).subscribe { kept.append($0) },
    ]
    store.dispatch(AppAction.increase(0))
    #expect(removed.count == 2)
    #expect(kept.count == 4)
    store.dispatch(AppAction.increase(1))
    #expect(removed.count == 4)
    #expect(kept.count == 6)
    for subscription in subscriptions { subscription.cancel() }
  }

  @Test func `a value that cannot be compared is emitted each time`() throws {
    let store = try Store(initialState: Opaque()) {
      Mutator(\.self) { (opaque: inout Opaque, _: ClearAction) in opaque.number = 0 }
    }
    let heard = Recorder<Int>()
    let subscription = store.states(\.self).subscribe { heard.append($0.number) }
    let kept = store.states(Lens(\.self)).subscribe { heard.append($0.number) }
    store.dispatch(ClearAction())
    #expect(heard.values == [0, 0, 0, 0])
    subscription.cancel()
    kept.cancel()
  }

  @Test func `a read-only or computed property works too, and a let`() {
    let heard = Recorder<String>()
    let subscription = store.states(\.summary).subscribe { heard.append($0) }
    let constant = store.states(\.configuration.endpoint).subscribe { heard.append($0) }
    #expect(heard.values == ["a: 1", "here"])
    store.dispatch(OtherAction.logIn("b"))
    store.dispatch(OtherAction.logIn("b"))
    store.dispatch(AppAction.increase(1))
    #expect(heard.values == ["a: 1", "here", "b: 1", "b: 2"])
    subscription.cancel()
    constant.cancel()
  }

  @Test func `operators return streams`() {
    let heard = Recorder<String>()
    let values: StateStream<Int> = store.states.map { $0.counter.value }
    let even: StateStream<Int> = values.filter { $0.isMultiple(of: 2) }
    let halves: StateStream<Int> = values.compactMap { $0.isMultiple(of: 2) ? $0 / 2 : nil }
    let distinct: StateStream<Int> = values.removeDuplicates()
    let selected: StateStream<Int> = store.states.select(\.counter.value)
    let byLens: StateStream<String?> = store.states.select(Lens(\.user.name))
    let both: StateStream<(CounterState, Contract.UserState)> = store.states(\.counter)
      .combineLatest(store.states(\.user))
    var subscriptions: Set<StoreSubscription> = []
    even.subscribe { heard.append("even \($0)") }.keep(in: &subscriptions)
    halves.subscribe { heard.append("half \($0)") }.keep(in: &subscriptions)
    distinct.subscribe { heard.append("distinct \($0)") }.keep(in: &subscriptions)
    selected.subscribe { heard.append("selected \($0)") }.keep(in: &subscriptions)
    byLens.subscribe { heard.append("name \($0 ?? "-")") }.keep(in: &subscriptions)
    both.subscribe { heard.append("both \($0.value) \($1.name ?? "-")") }.keep(in: &subscriptions)
    #expect(Set(heard.values) == ["distinct 1", "selected 1", "name a", "both 1 a"])
    #expect(heard.count == 4)
    store.dispatch([AppAction.clear, .increase(2)])
    #expect(
      Set(heard.values.dropFirst(4)) == [
        "even 2", "half 1", "distinct 2", "selected 2", "name -", "both 2 -",
      ])
    #expect(heard.count == 10, "one commit that touches both emits once")
  }

  @Test func `debounce gives the newest after a lull`() async throws {
    let clock = ManualClock()
    let counts = store.states(\.counter.value).debounce(for: .seconds(1), clock: clock)
    let reading = Recording(counts)
    await clock.waitForSleepers()
    store.dispatch(AppAction.increase(1))
    await clock.waitForSleeps(2)
    store.dispatch(AppAction.increase(1))
    await clock.waitForSleeps(3)
    #expect(reading.heard.values == [])
    clock.move(by: .seconds(1))
    #expect(await reading.heard.waitForCount(1) == [3])
    reading.cancel()
  }

  @Test func `throttle gives one in each interval`() async throws {
    let clock = ManualClock()
    let counts = store.states(\.counter.value).throttle(for: .seconds(1), clock: clock)
    let reading = Recording(counts)
    #expect(await reading.heard.waitForCount(1) == [1])
    await clock.waitForSleepers()
    store.dispatch(AppAction.increase(1))
    store.dispatch(AppAction.increase(1))
    #expect(reading.heard.values == [1])
    clock.move(by: .seconds(1))
    #expect(await reading.heard.waitForCount(2) == [1, 3])
    reading.cancel()
  }
}
