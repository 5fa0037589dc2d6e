import Lensed
import LensedTestSupport
import LensedTesting
import Testing

/// What each onlooker makes of an old state that comes back: the list of the article `Undo`, a test for each line.
@Suite("Old states, and those who look on", .warnsOnPurpose, .timeLimit(.minutes(30)))
struct OldStatesTests {
  /// A way in which an old state comes back.
  enum Way: CaseIterable, Sendable { case undo, redo, jump, replay, replaceState }

  struct Sheet: Sendable, Equatable { var text = "" }
  struct Meter: Sendable, Equatable {
    var level = 0
    var alarms = 0
    var page = ""
    var sheet: Sheet? = Sheet()
    /// What differs in every state.
    var reading: Int? { level }
  }
  struct Fill: Action, Equatable { var amount = 1 }
  struct Alarm: Action, Equatable {}
  struct Load: Action {}

  /// A store with two commits, the second of which is the present one; the history knows both.
  private struct Scene: Sendable {
    let history = History<Meter>()
    let store: Store<Meter>
    let session: RecordedSession<Meter>

    init(
      middleware: [any Middleware<Meter>] = [],
      @StoreBuilder<Meter> _ more: () -> [StorePart<Meter>] = { [] }
    ) throws {
      let recorder = SessionRecorder<Meter>()
      store = try Store(
        initialState: Meter(), coverage: .partial, middleware: [history, recorder] + middleware
      ) {
        Mutator(\.level) { (level: inout Int, action: Fill) in level += action.amount }
        Mutator(\.alarms) { (alarms: inout Int, _: Alarm) in alarms += 1 }
        more()
      }
      store.dispatch(Fill())
      store.dispatch(Fill(amount: 2))
      session = try #require(recorder.session)
    }

    /// Brings an old state back; before a redo something was undone.
    func go(_ way: Way, prepared: () -> Void = {}) {
      if way == .redo { history.undo() }
      prepared()
      switch way {
      case .undo: #expect(history.undo())
      case .redo: #expect(history.redo())
      case .jump: #expect(history.jump(to: 1))
      case .replay: store.replay(session)
      case .replaceState: store.replaceState(Meter(level: 1))
      }
    }

    /// The level afterwards.
    func level(after way: Way) -> Int {
      switch way {
      case .undo, .jump, .replaceState: 1
      case .redo, .replay: 3
      }
    }
  }

  @Test(arguments: Way.allCases)
  func `an observer hears of it`(_ way: Way) throws {
    let scene = try Scene()
    let heard = Recorder<Int>()
    var subscription: StoreSubscription?
    scene.go(way) { subscription = scene.store.states(\.level).subscribe { heard.append($0) } }
    switch way {
    case .undo, .jump, .replaceState: #expect(heard.values == [3, 1])
    case .redo: #expect(heard.values == [1, 3])
    case .replay: #expect(heard.values == [3, 0, 1, 3])
    }
    subscription?.cancel()
  }

  @Test(arguments: Way.allCases)
  func `what an observer dispatches is a step, no step, or nothing`(_ way: Way) async throws {
    let scene = try Scene()
    let (store, history) = (scene.store, scene.history)
    let tasks = Recorder<DispatchTask>()
    var subscription: StoreSubscription?
    scene.go(way) {
      subscription = store.states(\.level).subscribe { [weak store] _ in
        // The first call of a subscriber is in the delivery of no commit.
        guard let store, tasks.values.isEmpty, way == .replaceState || store.isReplaying else {
          return
        }
        if way == .replaceState && store.level == 3 { return }
        tasks.append(store.dispatch(Alarm()))
      }
    }
    subscription?.cancel()
    #expect(store.level == scene.level(after: way))
    let task = try #require(tasks.values.first)
    switch way {
    case .undo, .jump:
      #expect(store.alarms == 1)
      #expect(history.canRedo)
      // Once more goes past both.
      #expect(history.undo())
      #expect(store.level == 0)
      #expect(store.alarms == 0)
    case .redo:
      #expect(store.alarms == 1)
      #expect(history.entries.count == 3 && history.position == 2)
      #expect(history.undo())
      #expect(store.level == 1)
      #expect(store.alarms == 0)
    case .replay:
      #expect(store.alarms == 0)
      #expect(task.isCancelled)
      await #expect(throws: CancellationError.self) { try await task.finish() }
    case .replaceState:
      #expect(store.alarms == 1)
      #expect(history.entries.count == 4)
      #expect(history.undo())
      #expect(store.level == 3)
      #expect(store.alarms == 0)
    }
  }

  @Test(arguments: Way.allCases)
  func `what an effect says that it ends is a step, no step, or nothing`(_ way: Way) async throws {
    let gate = Gate()
    let scene = try Scene {
      Effect<Meter>(on: Load.self) { _, _ in try await gate.wait() }
        .tied(to: \.reading, by: \.self)
        .ended { _, _ in Alarm() }
    }
    let (store, history) = (scene.store, scene.history)
    scene.go(way) { store.dispatch(Load()) }
    #expect(store.level == scene.level(after: way))
    #expect(store.alarms == (way == .replay ? 0 : 1))
    switch way {
    case .undo, .jump:
      #expect(history.canRedo)
      // Once more goes past both.
      #expect(history.undo())
      #expect(store.level == 0 && store.alarms == 0)
    case .redo:
      #expect(history.entries.count == 3 && history.position == 2)
      #expect(history.undo())
      #expect(store.level == 1 && store.alarms == 0)
    case .replay, .replaceState: break
    }
    gate.open()
    try await store.settled()
  }

  @Test(arguments: Way.allCases)
  func `what another thread dispatches meanwhile is an ordinary commit`(_ way: Way) async throws {
    let scene = try Scene()
    let (store, history) = (scene.store, scene.history)
    let tasks = Recorder<DispatchTask>()
    var subscription: StoreSubscription?
    scene.go(way) {
      subscription = store.states(\.level).subscribe { [weak store] level in
        guard let store, tasks.values.isEmpty, level == scene.level(after: way) else { return }
        guard way == .replaceState || store.isReplaying else { return }
        let isMade = Latch()
        _ = Threads.start {
          tasks.append(store.dispatch(Alarm()))
          isMade.open()
        }
        isMade.hold()
      }
    }
    subscription?.cancel()
    let task = try #require(tasks.values.first)
    #expect(task.revision != nil && !task.isCancelled)
    try await task.finish()
    #expect(store.level == scene.level(after: way))
    #expect(store.alarms == 1)
    // A step of its own, which drops the redo list.
    #expect(way == .replay || !history.canRedo)
    if way != .replay {
      #expect(history.undo())
      #expect(store.level == scene.level(after: way))
    }
    #expect(way == .replay || store.alarms == 0)
  }

  @Test(arguments: Way.allCases)
  func `a reader of changes is given each commit`(_ way: Way) async throws {
    let scene = try Scene()
    var changes: StateChanges<Meter>.Iterator?
    scene.go(way) { changes = scene.store.changes().makeAsyncIterator() }
    var causes: [CommitCause] = []
    for _ in 0..<(way == .replay ? 3 : 1) {
      causes.append(try #require(await changes?.next()).cause)
    }
    #expect(causes == (way == .replay ? [.replacement, .action, .action] : [.replacement]))
  }

  private struct Notes: Middleware {
    let reduced = Recorder<CommitCause>()
    let asked = Counter()
    func willReduce(_ action: any Action, _ context: MiddlewareContext<Meter>) -> Verdict {
      asked.increment()
      return .proceed
    }
    func didReduce(_ change: Change<Meter>) { reduced.append(change.cause) }
  }

  @Test(arguments: Way.allCases)
  func `middleware is told after it, but of no replay, and is never asked`(_ way: Way) throws {
    let notes = Notes()
    let scene = try Scene(middleware: [notes])
    var (told, asked) = (0, 0)
    scene.go(way) { (told, asked) = (notes.reduced.values.count, notes.asked.value) }
    let new = Array(notes.reduced.values.dropFirst(told))
    #expect(new == (way == .replay ? [] : [.replacement]))
    #expect(notes.asked.value == asked)
  }

  @Test(arguments: Way.allCases)
  func `an effect of an action does not begin, one of a value only if it says so`(_ way: Way)
    async throws
  {
    let (ofAction, ofValue, ofReplacement) = (Counter(), Counter(), Counter())
    let scene = try Scene {
      Effect(on: Fill.self) { _, _ -> Void in ofAction.increment() }
      Effect(whenChanged: \.level) { _, _ -> Void in ofValue.increment() }
      Effect(whenChanged: \.level, including: .replacement) { _, _ -> Void in
        ofReplacement.increment()
      }
    }
    try await scene.store.settled()
    var before: [Int] = []
    if way == .redo {
      scene.history.undo()
      try await scene.store.settled()
      before = [ofAction.value, ofValue.value, ofReplacement.value]
      scene.history.redo()
    } else {
      before = [ofAction.value, ofValue.value, ofReplacement.value]
      scene.go(way)
    }
    try await scene.store.settled()
    #expect(ofAction.value == before[0])
    #expect(ofValue.value == before[1])
    #expect(ofReplacement.value == before[2] + 1)
  }

  @Test(arguments: Way.allCases)
  func `an asynchronous reducer is cancelled`(_ way: Way) async throws {
    let gate = Gate()
    let scene = try Scene {
      AsyncMutator(\Meter.page) { (_: String, _: Load) in
        AsyncResult {
          try await gate.wait()
          return "late"
        }
        .whileLoading("loading")
      }
    }
    let task = Locking<DispatchTask?>(nil)
    if way == .redo { scene.history.undo() }
    // Not by `go`: a load before a redo would discard what is to be redone.
    if way != .redo {
      task.set(scene.store.dispatch(Load()))
      await gate.waitForWaiters()
      #expect(scene.store.page == "loading")
    }
    switch way {
    case .undo: scene.history.undo()
    case .redo: scene.history.redo()
    case .jump: scene.history.jump(to: 1)
    case .replay: scene.store.replay(scene.session)
    case .replaceState: scene.store.replaceState(Meter(level: 1))
    }
    #expect(scene.store.page == "")
    gate.open()
    try? await task.value?.finish()
    #expect(scene.store.page == "")
  }

  @Test(arguments: Way.allCases) @MainActor
  func `an observed store and the scope of a child show it`(_ way: Way) async throws {
    let scene = try Scene()
    let observed = ObservedStore(scene.store)
    let sheet = try #require(scene.store.scope(\.sheet))
    scene.go(way)
    try await scene.store.settled()
    // Its own dispatch brings it up to date.
    observed.dispatch([any Action]())
    #expect(observed.level == scene.level(after: way))
    #expect(sheet.state == Sheet())
  }
}

/// A value of a test, behind a lock.
private final class Locking<Value: Sendable>: Sendable {
  private let recorder = Recorder<Value>()
  init(_ value: Value) { recorder.append(value) }
  var value: Value { recorder.values[recorder.values.count - 1] }
  func set(_ value: Value) { recorder.append(value) }
}

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
