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
      prepare(way)
      prepared()
      move(way)
    }

    func prepare(_ way: Way) {
      if way == .redo { history.undo() }
    }

    func move(_ way: Way) {
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

  /// When a way ends a run, or a trigger that is yet to be decided.
  enum Moment: CaseIterable, Sendable { case running, inDelivery, undecided, handlingError }

  private struct Failure: Error {}
  /// Handled by no reducer, and so no step.
  private struct Poke: Action {}

  /// Acts in the delivery of a `Poke`.
  private struct Poked: Middleware {
    let acts = Recorder<@Sendable () -> Void>()
    func didReduce(_ change: Change<Meter>) {
      if change.actions.first is Poke { acts.values.first?() }
    }
  }

  @Test(arguments: Way.allCases, Moment.allCases)
  func `what an effect says that it ends is a step, no step, or nothing`(
    _ way: Way, _ moment: Moment
  ) async throws {
    let (gate, poked) = (Gate(), Poked())
    let effect: Effect<Meter> =
      switch moment {
      case .running, .inDelivery: Effect(on: Load.self) { _, _ in try await gate.wait() }
      case .undecided:
        Effect(on: Load.self, when: { _, _ in true }) { _, _ in try await gate.wait() }
      case .handlingError:
        Effect(on: Load.self, catch: { _, _ in try? await gate.wait() }) { _, _ in
          throw Failure()
        }
      }
    let scene = try Scene(middleware: [poked]) {
      effect.tied(to: \.reading, by: \.self).ended { _, _ in Alarm() }
    }
    let (store, history) = (scene.store, scene.history)
    scene.prepare(way)
    if moment != .undecided {
      store.dispatch(Load())
      await gate.waitForWaiters()
    }
    switch moment {
    case .running, .handlingError: scene.move(way)
    case .inDelivery:
      poked.acts.append { scene.move(way) }
      store.dispatch(Poke())
    case .undecided:
      poked.acts.append {
        scene.store.dispatch(Load())
        scene.move(way)
      }
      store.dispatch(Poke())
    }
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

  @Test(arguments: [false, true])
  func `the undo that dismisses a child has ended what was undecided there`(
    isOfValue: Bool
  ) async throws {
    struct Show: Action { let sheet: Sheet? }
    struct Write: Action {}
    let poked = Poked()
    let effect: Effect<Sheet> =
      isOfValue
      ? Effect(whenChanged: \.text) { _, _ -> Void in }
      : Effect(on: Write.self, when: { _, _ in true }) { _, _ -> Void in }
    let scene = try Scene(middleware: [poked]) {
      Mutator(\Meter.sheet) { (sheet: inout Sheet?, show: Show) in sheet = show.sheet }
        .on(Write.self) { sheet, _ in sheet?.text += "a" }
      Feature<Sheet> { effect.ended { _, _ in Alarm() } }.optional().lifted(\Meter.sheet)
    }
    poked.acts.append {
      scene.store.dispatch(Write())
      // The first takes back what was written, the second dismisses the child.
      scene.history.undo()
      scene.history.undo()
    }
    scene.store.dispatch(Show(sheet: nil))
    scene.store.dispatch(Show(sheet: Sheet()))
    scene.store.dispatch(Poke())
    #expect(scene.store.sheet == nil && scene.store.alarms == 1)
    #expect(scene.history.canRedo)
    try await scene.store.settled()
  }

  @Test func `an undo has ended the run that its own trigger supersedes`() async throws {
    let gate = Gate()
    let scene = try Scene()
    let (store, history) = (scene.store, scene.history)
    let installed = store.install(
      Effect(whenChanged: \Meter.level, .latest, including: .replacement) { _, _ in
        try await gate.wait()
      }
      .ended { end, _ in if case .superseded = end { Alarm() } else { nil } })
    store.dispatch(Fill())
    #expect(history.undo())
    #expect(store.level == 3 && store.alarms == 1)
    #expect(history.canRedo)
    gate.open()
    try await store.settled()
    installed.cancel()
  }

  @Test func `a list with a sequence that says that a run ended is no step`() async throws {
    let gate = Gate()
    let scene = try Scene {
      Effect<Meter>(on: Load.self) { _, _ in try await gate.wait() }
        .tied(to: \.reading, by: \.self)
        .ended { _, _ in ActionList([Alarm(), AsyncActions(AsyncStream<Alarm> { $0.finish() })]) }
    }
    scene.go(.undo) { scene.store.dispatch(Load()) }
    #expect(scene.store.alarms == 1)
    #expect(scene.history.canRedo)
    gate.open()
    try await scene.store.settled()
    #expect(scene.history.canRedo)
  }

  @Test func `a trigger of a replay that begins after it ends runs as any`() async throws {
    let (gate, second, clock) = (Gate(), Gate(), ManualClock())
    let runs = Counter()
    let scene = try Scene {
      Effect(whenChanged: \Meter.level, .latest, including: .replacement) { _, _ in
        if runs.increment() == 1 { second.open() }
        try await gate.wait()
      }
      .debounced(for: .seconds(1), clock: clock)
      .ended { end, _ in if case .superseded = end { Alarm() } else { nil } }
    }
    await clock.waitForSleepers()
    clock.move(by: .seconds(1))
    await gate.waitForWaiters()
    scene.store.replay(scene.session)
    #expect(scene.store.alarms == 0)
    await clock.waitForSleepers()
    clock.move(by: .seconds(1))
    try await second.wait()
    #expect(scene.store.alarms == 1)
    gate.open()
    try await scene.store.settled()
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
