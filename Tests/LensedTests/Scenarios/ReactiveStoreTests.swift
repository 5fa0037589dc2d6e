import Lensed
import LensedTestSupport
import LensedTesting
import Synchronization
import Testing

@Suite("One action runs its reducers in registration order")
struct ReactiveRegistrationOrderTests {
  private struct Browser: Sendable, Equatable {
    var items: [Int: String] = [:]
    var detail: String?
  }

  private enum BrowserAction: Action {
    case load([Int: String])
    case loadAndShow([Int: String], Int)
  }

  @Test func `increase from empty increases, and leaves the user untouched`() throws {
    let store = try ReactiveState.makeStore()
    store.dispatch(ReactiveAction.increase(10))
    #expect(store.state == ReactiveState(counterState: .increasing(10), userState: .loggedOut))
  }

  @Test func `clear resets both`() throws {
    let store = try ReactiveState.makeStore(
      ReactiveState(counterState: .decreasing(3), userState: .loggedIn(name: "Spock")))
    store.dispatch(ReactiveAction.clear)
    #expect(store.state == ReactiveState())
  }

  @Test func `an action that neither knows changes nothing`() throws {
    let state = ReactiveState(counterState: .increasing(3), userState: .loggedIn(name: "Spock"))
    let store = try ReactiveState.makeStore(state)
    store.dispatch(StrayAction())
    #expect(store.state == state)
  }

  @Test func `the second reducer sees what the first wrote for the same action`() throws {
    let list = Mutator(\Browser.items) { (items: inout [Int: String], action: BrowserAction) in
      switch action {
      case .load(let new), .loadAndShow(let new, _): items = new
      }
    }
    let detail = Mutator(
      lens: Lens(\Browser.detail),
      reducer: { (browser: Browser, action: BrowserAction) in
        guard case .loadAndShow(_, let id) = action else { return browser.detail }
        return browser.items[id]
      })
    let inOrder = try Store(initialState: Browser()) {
      list
      detail
    }
    inOrder.dispatch(BrowserAction.loadAndShow([7: "seven"], 7))
    #expect(inOrder.state == Browser(items: [7: "seven"], detail: "seven"))
    let reversed = try Store(initialState: Browser()) {
      detail
      list
    }
    reversed.dispatch(BrowserAction.loadAndShow([7: "seven"], 7))
    #expect(reversed.state == Browser(items: [7: "seven"], detail: nil))
  }
}

@Suite("Every sub-state has exactly one reducer, by property")
struct ReactiveOwnershipTests {
  private struct Twins: Sendable {
    var first = ReactiveState.CounterState.empty
    var second = ReactiveState.CounterState.empty
    var third = ReactiveState()
  }

  private static let grow = Reducer {
    (counter: inout ReactiveState.CounterState, _: ReactiveAction) in
    counter = .increasing(counter.value + 1)
  }

  @Test func `two properties of one type each need their own`() throws {
    let error = #expect(throws: RegistrationError.self) {
      try Store(initialState: Twins()) {
        Mutator(\.first, Self.grow)
        Constant(\.third)
      }
    }
    #expect(error?.faults == [.noReducer(property: "second")])
    let store = try Store(initialState: Twins()) {
      Mutator(\.first, Self.grow)
      Mutator(\.second, Self.grow)
      Constant(\.third)
    }
    store.dispatch(ReactiveAction.clear)
    #expect(store.first == .increasing(1))
    #expect(store.second == .increasing(1))
  }

  @Test func `one lens registered twice is an error, functional ones too`() {
    let error = #expect(throws: RegistrationError.self) {
      try Store(initialState: ReactiveState()) {
        Mutator(lens: ReactiveState.counterLens, reducer: ReactiveState.counter)
        Mutator(lens: ReactiveState.userLens, reducer: ReactiveState.user)
        Mutator(lens: ReactiveState.counterLens, reducer: ReactiveState.counter)
      }
    }
    #expect(error?.faults == [.twoReducers(property: "counterState")])
  }

  @Test func `missing, doubled and overlapping are all reported, by name`() {
    let error = #expect(throws: RegistrationError.self) {
      try Store(initialState: Twins()) {
        Mutator(\.first, Self.grow)
        Mutator(\.first, Self.grow)
        Constant(\.third)
        Mutator(\.third.counterState, Self.grow)
      }
    }
    #expect(
      error?.faults == [
        .twoReducers(property: "first"), .overlap(property: "third", other: "third.counterState"),
        .noReducer(property: "second"),
      ])
    let text = error.map(String.init(describing:)) ?? ""
    for name in ["`first`", "`third`", "`third.counterState`", "`second`"] {
      #expect(text.contains(name))
    }
  }
}

@Suite("An array of actions is applied in order")
struct ReactiveArrayTests {
  @Test func `decrease sees what increase wrote`() throws {
    let store = try ReactiveState.makeStore()
    let heard = Recorder<ReactiveState.CounterState>()
    let subscription = store.states(\.counterState).subscribe { heard.append($0) }
    store.dispatch([ReactiveAction.increase(10), .decrease(5)])
    #expect(heard.values == [.empty, .decreasing(5)])
    subscription.cancel()
  }
}

@Suite("An array of actions can hold asynchronous sequences", .timeLimit(.minutes(30)))
struct ReactiveMixedArrayTests {
  @Test func `the members of an array run front to back`() async throws {
    let store = try ReactiveState.makeStore()
    let heard = Recorder<ReactiveState>()
    let subscription = store.states.subscribe { heard.append($0) }
    let sequence = ScriptedActions(giving: ReactiveAction.decrease(20))
    let actions: [any Action] = [
      ReactiveAction.increase(10), AsyncActions(sequence), ReactiveAction.logUser("Spock"),
    ]
    try await store.dispatch(actions).finish()
    #expect(
      heard.values == [
        ReactiveState(),
        ReactiveState(counterState: .increasing(10)),
        ReactiveState(counterState: .decreasing(-10)),
        ReactiveState(counterState: .decreasing(-10), userState: .loggedIn(name: "Spock")),
      ])
    subscription.cancel()
  }

  @Test func `two endless tickers in one array: the second never starts`() async throws {
    let store = try ReactiveState.makeStore()
    let first = ScriptedActions<ReactiveAction>(.give(.increase(1)), .give(.increase(1)), .hang)
    let second = ScriptedActions<ReactiveAction>(.give(.increase(100)), .hang)
    let task = store.dispatch([AsyncActions(first), AsyncActions(second)])
    await first.pulls.waitForCount(3)
    #expect(store.counterState == .increasing(2))
    #expect(second.starts.count == 0)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.finish() }
    #expect(second.starts.count == 0)
    #expect(store.counterState == .increasing(2))
  }

  @Test func `merge runs both`() async throws {
    let store = try ReactiveState.makeStore()
    let first = ScriptedActions<ReactiveAction>(.give(.increase(1)), .hang)
    let second = ScriptedActions<ReactiveAction>(.give(.increase(100)), .hang)
    let task = store.dispatch(AsyncActions.merge(first, second))
    await first.pulls.waitForCount(2)
    await second.pulls.waitForCount(2)
    #expect(store.counterState == .increasing(101))
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.finish() }
  }
}

@Suite("An asynchronous sequence applies one action per element", .timeLimit(.minutes(30)))
struct ReactiveSequenceTests {
  @Test func `a ticker increments every tick, whether or not anybody looks`() async throws {
    let test = try TestStore { try ReactiveState.makeStore() }
    let clock = ManualClock()
    let ticks = AsyncStream<Void>(unfolding: {
      try? await clock.sleep(until: clock.now.advanced(by: .seconds(1)))
    })
    let ticker = await test.dispatch(ticks.map { ReactiveAction.increase(1) })
    for tick in 1...5 {
      await clock.advance(by: .seconds(1))
      await test.receive(ReactiveAction.increase(1)) { $0.counterState = .increasing(tick) }
    }
    ticker.cancel()
    await test.finish()
  }

  @Test func `it starts when dispatched, exactly once`() async throws {
    let store = try ReactiveState.makeStore()
    let sequence = ScriptedActions(giving: ReactiveAction.increase(1))
    let task = store.dispatch(sequence)
    await sequence.pulls.waitForCount(2)
    try await task.finish()
    try await task.finish()
    #expect(sequence.starts.count == 1)
    #expect(store.counterState == .increasing(1))
  }
}

@Suite("Focusing returns the outcome of that action", .timeLimit(.minutes(30)))
struct ReactiveFocusingTests {
  @Test func `it never belongs to a later action of another thread`() throws {
    let store = try ReactiveState.makeStore()
    let strangers = Recorder<String>()
    Threads.run(4) { thread in
      for round in 0..<2000 {
        let name = "\(thread)-\(round)"
        let user = store.dispatch(ReactiveAction.logUser(name), focusingOn: \.userState)
        if user != .loggedIn(name: name) { strangers.append("\(name) got \(user)") }
      }
    }
    #expect(strangers.values == [])
  }
}
