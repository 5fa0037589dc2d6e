import Lensed
import LensedTestSupport
import LensedTesting
import Testing

/// Undo and observers that react.
@Suite("Undo, and observers that react", .timeLimit(.minutes(30)))
struct ReactingObserverTests {
  struct State: Sendable, Equatable {
    var level = 0
    var alarms = 0
    var name = ""
  }
  struct Set: Action { let level: Int }
  struct Alarm: Action {}
  struct Rename: Action { let name: String }

  private func makeStore(
    _ middleware: [any Middleware<State>], level: Int = 0,
    onWarning: StoreWarningHandler? = { _ in }
  ) throws -> Store<State> {
    try StoreBlueprint<State> {
      Mutator(\.level) { (level: inout Int, action: Set) in level = action.level }
      Mutator(\.alarms) { (alarms: inout Int, _: Alarm) in alarms += 1 }
      Mutator(\.name) { (name: inout String, action: Rename) in name = action.name }
    }
    .makeStore(
      initialState: State(level: level), middleware: middleware, onWarning: onWarning)
  }

  /// Dispatches a level of at most 10.
  private func clamp(_ store: Store<State>) -> StoreSubscription {
    store.states(\.level).subscribe { [weak store] level in
      if level > 10 { store?.dispatch(Set(level: 10)) }
    }
  }

  @Test func `an undo takes back what was clamped, and the clamp`() throws {
    let history = History<State>()
    let store = try makeStore([history])
    let subscription = clamp(store)
    for level in [5, 15, 20] { store.dispatch(Set(level: level)) }
    #expect(history.entries.map(\.state.level) == [0, 5, 10, 10])
    #expect(history.entries.map(\.actions.count) == [0, 1, 2, 2])
    #expect(history.undo() && history.undo())
    #expect(store.level == 5)
    #expect(history.redo())
    #expect(store.level == 10)
    #expect(history.undo() && history.undo() && !history.undo())
    #expect(store.level == 0)
    subscription.cancel()
  }

  @Test func `an undo walks past a state that an observer does not leave alone`() throws {
    let history = History<State>()
    let store = try makeStore([history], level: 99)
    store.dispatch(Set(level: 50))
    store.dispatch(Set(level: 7))
    let subscription = clamp(store)
    #expect(history.undo())
    #expect(store.level == 10)
    #expect(history.canRedo)
    #expect(history.undo())
    #expect(store.level == 10)
    #expect(!history.canUndo)
    #expect(history.redo() && history.redo())
    #expect(store.level == 7)
    subscription.cancel()
  }

  @Test func `observers that react to observers belong to the same step`() throws {
    let history = History(\State.name)
    let store = try makeStore([history])
    let subscription = store.states(\.name).subscribe { [weak store] name in
      if (1...3).contains(name.count) { store?.dispatch(Rename(name: name + "x")) }
    }
    store.dispatch(Rename(name: "a"))
    store.dispatch(Rename(name: "long enough"))
    #expect(history.entries.map(\.state.name) == ["", "axxx", "long enough"])
    #expect(history.undo() && history.undo())
    #expect(store.name == "")
    subscription.cancel()
  }

  @Test func `what reacts to a commit without a step is a step of its own`() throws {
    let history = History(\State.name)
    let store = try makeStore([history])
    let subscription = store.states(\.level).subscribe { [weak store] level in
      if level > 0 { store?.dispatch(Rename(name: "\(level)")) }
    }
    for level in 1...3 { store.dispatch(Set(level: level)) }
    #expect(history.entries.map(\.state.name) == ["", "1", "2", "3"])
    subscription.cancel()
  }

  @Test func `a jump finds the step of each of its commits`() throws {
    let history = History<State>()
    let store = try makeStore([history])
    let subscription = clamp(store)
    store.dispatch(Set(level: 15))
    store.dispatch(Set(level: 3))
    #expect(history.jump(to: 1))
    #expect(store.level == 10)
    #expect(history.position == 1)
    subscription.cancel()
  }

  @Test func `a replay ends where the recorded session ended`() throws {
    let recorder = SessionRecorder<State>()
    let store = try makeStore([recorder])
    func alarm(_ store: Store<State>) -> StoreSubscription {
      store.states(\.level).subscribe { [weak store] level in
        if level > 10 { store?.dispatch(Alarm()) }
      }
    }
    let first = alarm(store)
    for level in [11, 5, 12] { store.dispatch(Set(level: level)) }
    #expect(store.alarms == 2)
    first.cancel()
    let warnings = Recorder<StoreWarning>()
    let fresh = try makeStore([], onWarning: { warnings.append($0) })
    let second = alarm(fresh)
    fresh.replay(try #require(recorder.session))
    #expect(fresh.state == store.state)
    #expect(warnings.values.map(\.kind) == [.dispatchInReplay])
    // After it, dispatches are as ever.
    fresh.dispatch(Set(level: 99))
    #expect(fresh.alarms == 3)
    second.cancel()
  }

  @Test func `in a replay, focusing gives the value as it is`() throws {
    let recorder = SessionRecorder<State>()
    let store = try makeStore([recorder])
    store.dispatch(Set(level: 1))
    let session = try #require(recorder.session)
    let seen = Recorder<Int>()
    let subscription = store.states(\.level).subscribe { [weak store] _ in
      guard let store, store.isReplaying else { return }
      seen.append(store.dispatch(Set(level: 77), focusingOn: \.level))
      store.replaceState(State(level: 66))
      store.dispatch([Alarm(), Alarm()])
      store.dispatch(AsyncActions(AsyncStream<Alarm> { $0.yield(Alarm()) }))
    }
    store.replay(session)
    #expect(seen.values == [0, 1])
    #expect(store.state == State(level: 1))
    subscription.cancel()
  }

  @Test func `a group ends where it is said to, and a history can forget`() throws {
    let history = History(\State.name, grouping: { _, _ in true })
    let store = try makeStore([history])
    for name in ["a", "ab"] { store.dispatch(Rename(name: name)) }
    history.endStep()
    for name in ["abc", "abcd"] { store.dispatch(Rename(name: name)) }
    #expect(history.entries.map(\.state.name) == ["", "ab", "abcd"])
    history.undo()
    history.clear()
    #expect(history.entries.map(\.state.name) == ["ab"])
    #expect(!history.canUndo && !history.canRedo)
    store.dispatch(Rename(name: "b"))
    #expect(history.undo())
    #expect(store.name == "ab")
  }

  @Test func `a history that is attached again begins anew, also with another document`() throws {
    let history = History(\State.level)
    let store = try makeStore([])
    let first = store.attach(history)
    store.dispatch(Set(level: 1))
    #expect(history.canUndo)
    first.cancel()
    store.replaceState(State(level: 50))
    let second = store.attach(history)
    #expect(history.entries.map(\.state.level) == [50])
    #expect(!history.canUndo)
    store.dispatch(Set(level: 51))
    #expect(history.undo())
    #expect(store.level == 50)
    #expect(!history.canUndo)
    second.cancel()
  }

  @Test func `parts that went before the first action are in no replay`() throws {
    let recorder = SessionRecorder<State>()
    let store = try makeStore([recorder])
    store.unregister(\.level)
    store.dispatch(Set(level: 1))
    #expect(store.level == 0)
    let fresh = try makeStore([])
    fresh.replay(try #require(recorder.session))
    #expect(fresh.state == store.state)
  }

  @Test func `a replayed commit has the call site that was recorded`() throws {
    let recorder = SessionRecorder<State>()
    let store = try makeStore([recorder])
    let line = #line + 1
    store.dispatch(Set(level: 1))
    let history = History<State>()
    let fresh = try makeStore([history])
    fresh.replay(try #require(recorder.session))
    #expect(history.entries.last?.line == UInt(line))
  }

  @Test func `undo after loading goes to no placeholder`() async throws {
    struct Load: Action {}
    for whole in [true, false] {
      let gate = Gate()
      let history = whole ? History<State>() : History(\State.name)
      let store = try Store(initialState: State(), coverage: .partial, middleware: [history]) {
        AsyncMutator(\State.name) { (name: String, _: Load) in
          AsyncResult {
            try await gate.wait()
            return name + "x"
          }
          .whileLoading("loading")
        }
        Mutator(\State.level) { (level: inout Int, action: Set) in level = action.level }
      }
      let task = store.dispatch(Load())
      await gate.waitForWaiters()
      store.dispatch(Set(level: 1))
      #expect(history.entries.allSatisfy { $0.state.name != "loading" || !whole })
      gate.open()
      try await task.finish()
      try await store.dispatch(Load()).finish()
      #expect(store.name == "xx")
      var names: [String] = []
      while history.undo() { names.append(store.name) }
      #expect(!names.contains("loading"))
      #expect(names.last == "")
    }
  }
}
