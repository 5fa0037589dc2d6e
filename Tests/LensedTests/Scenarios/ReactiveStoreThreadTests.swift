import Lensed
import LensedTestSupport
import Synchronization
import Testing

@Suite("The state stream replays the current value, in any context", .timeLimit(.minutes(30)))
struct ReactiveStreamTests {
  @Test func `a new observer gets the current value, then the next ones`() async throws {
    let store = try ReactiveState.makeStore()
    store.dispatch(ReactiveAction.increase(1))
    let early = Recording(store.states)
    #expect(await early.heard.waitForCount(1) == [ReactiveState(counterState: .increasing(1))])
    store.dispatch(ReactiveAction.increase(1))
    let late = Recorder<Int>()
    let subscription = store.states(\.counterState).subscribe { late.append($0.value) }
    #expect(late.values == [2])
    store.dispatch(ReactiveAction.increase(1))
    #expect(late.values == [2, 3])
    subscription.cancel()
  }

  @Test func `it can be observed on a thread, in a task, in an actor and on the main actor`()
    async throws
  {
    let store = try ReactiveState.makeStore(ReactiveState(counterState: .increasing(4)))
    let heard = Recorder<Int>()
    let thread = Threads.start {
      store.states(\.counterState).subscribe { heard.append($0.value) }.cancel()
    }
    let main = store.states(\.counterState).subscribe(onMain: { heard.append($0.value) })
    let task = Recording(store.states(\.counterState))
    let desk = ReaderActor()
    #expect(await desk.first(of: store.states(\.counterState)) == .increasing(4))
    #expect(await heard.waitForCount(2) == [4, 4])
    #expect(await task.heard.waitForCount(1) == [.increasing(4)])
    thread.wait()
    main.cancel()
  }

  private actor ReaderActor {
    func first<Element>(of stream: StateStream<Element>) async -> Element? {
      for await element in stream { return element }
      return nil
    }
  }
}

@Suite("Two threads never run reducers at the same time", .timeLimit(.minutes(30)))
struct ReactiveExclusionTests {
  @Test func `reducers never overlap, and no action is lost`() throws {
    let (inside, overlaps) = (Counter(), Counter())
    let store = Store(initialState: ReactiveState(), coverage: .partial)
    func watching(
      _ body: @escaping @Sendable (inout ReactiveState.CounterState) -> Void
    ) -> Reducer<ReactiveState.CounterState> {
      Reducer { (counter: inout ReactiveState.CounterState, action: ReactiveAction) in
        if inside.number.add(1, ordering: .sequentiallyConsistent).newValue > 1 {
          overlaps.number.add(1, ordering: .relaxed)
        }
        body(&counter)
        inside.number.subtract(1, ordering: .sequentiallyConsistent)
      }
    }
    try store.register(Mutator(\.counterState, watching { $0 = .increasing($0.value + 1) }))
    let users = Reducer { (user: inout ReactiveState.UserState, action: ReactiveAction) in
      if inside.number.load(ordering: .sequentiallyConsistent) != 0 {
        overlaps.number.add(1, ordering: .relaxed)
      }
      user = .loggedIn(name: "x")
    }
    try store.register(Mutator(\.userState, users))
    Threads.run(2) { thread in
      for round in 0..<5000 {
        if round.isMultiple(of: 2) {
          store.dispatch(ReactiveAction.increase(1))
        } else {
          store.dispatch([ReactiveAction.increase(1), .increase(1)])
        }
      }
    }
    #expect(overlaps.number.load(ordering: .relaxed) == 0)
    #expect(store.counterState == .increasing(2 * 7500))
  }

  private final class Counter: Sendable {
    let number = Atomic(0)
  }
}

@Suite("A failing sequence leaves what it applied, and the store goes on", .timeLimit(.minutes(30)))
struct ReactiveFailureTests {
  @Test func `the error reaches who dispatched, what follows is not run, the store goes on`()
    async throws
  {
    let store = try ReactiveState.makeStore()
    let failing = ScriptedActions<ReactiveAction>(.give(.increase(5)), .fail(Mishap("sensor")))
    let task = store.dispatch(
      [ReactiveAction.increase(10), AsyncActions(failing), ReactiveAction.logUser("Spock")]
        as [any Action])
    await #expect(throws: Mishap("sensor")) { try await task.finish() }
    #expect(store.state == ReactiveState(counterState: .increasing(15)))
    store.dispatch(ReactiveAction.logUser("Uhura"))
    #expect(store.userState == .loggedIn(name: "Uhura"))
  }
}

@Suite("A store can be dropped in the middle of a sequence", .timeLimit(.minutes(30)))
struct ReactiveLifetimeTests {
  @Test func `ends the sequence quietly, and what observed it`() async throws {
    var store: Store<ReactiveState>? = try ReactiveState.makeStore()
    weak let watched = store
    let sequence = ScriptedActions<ReactiveAction>(.give(.increase(1)), .hang, .give(.increase(1)))
    let reading = Recording(try #require(store).states(\.counterState))
    let task = try #require(store?.dispatch(sequence))
    await sequence.pulls.waitForCount(2)
    await reading.heard.waitForCount(1)
    store = nil
    #expect(watched == nil)
    try await task.finish()
    #expect(await reading.waitForEnd().last == .increasing(1))
    #expect(sequence.pulls.count == 2)
  }
}

@Suite("Each closure runs where it is told to", .timeLimit(.minutes(30)))
struct ReactiveIsolationTests {
  @Test func `actions made on one executor, observed on another`() async throws {
    let (store, maker, watcher) = (try ReactiveState.makeStore(), Maker(), Watcher())
    let (calls, onMain) = (Recorder<String>(), Recorder<Int>())
    let synchronous = store.states(\.counterState).subscribe { counter in
      if counter.value == 0 { return }
      maker.preconditionIsolated()
      calls.append("observer")
    }
    let main = store.states(\.counterState).subscribe(onMain: { counter in
      MainActor.preconditionIsolated()
      onMain.append(counter.value)
    })
    let watching = Task { await watcher.watch(store.states(\.counterState), until: 3) }
    await onMain.waitForCount(1)
    for _ in 1...3 { await maker.make(for: store, noting: calls) }
    #expect(await watching.value == 3)
    var seen = onMain.values
    while seen.last != 3 { seen = await onMain.waitForCount(seen.count + 1) }
    #expect(calls.values == ["observer", "made", "observer", "made", "observer", "made"])
    synchronous.cancel()
    main.cancel()
  }

  private actor Maker {
    func make(for store: Store<ReactiveState>, noting calls: Recorder<String>) {
      store.dispatch(ReactiveAction.increase(1))
      calls.append("made")
    }
  }

  private actor Watcher {
    func watch(_ counters: StateStream<ReactiveState.CounterState>, until end: Int) async -> Int {
      for await counter in counters {
        preconditionIsolated()
        if counter.value == end { return counter.value }
      }
      return -1
    }
  }
}
