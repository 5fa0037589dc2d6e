import Lensed
import LensedTestSupport
import Testing

/// Each test has the library release the last reference to an object whose `deinit` calls back.
///
/// Under a lock of the library that would trap, or never end; so each runs in a process of its own.
@Suite("What the library lets go of is released without a lock", .timeLimit(.minutes(30)))
struct UnderLockTests {
  /// A value that rings when its last copy is released.
  private struct Ringing: Sendable, Equatable, Identifiable {
    var id = 0
    var bell: Bell?

    static func == (left: Ringing, right: Ringing) -> Bool { left.id == right.id }
  }

  private struct Board: Sendable {
    var rings = Ringing()
    var items: [Ringing] = []
    var count = 0
    var side = 0
  }

  private struct Note: Action {}

  /// A store, and bells that dispatch to it.
  private final class Scene: Sendable {
    let rung = Counter()
    private let reference = WeakReference<Store<Board>>()

    /// Rings by dispatching to the store that was named last.
    func makeBell() -> Bell {
      Bell { [rung, reference] in
        reference.object?.dispatch(StrayAction())
        rung.increment()
      }
    }

    func makeStore(_ board: Board = Board(), middleware: [any Middleware<Board>] = []) throws
      -> Store<Board>
    {
      let store = try Store(initialState: board, coverage: .partial, middleware: middleware) {
        Mutator(\Board.count) { (count: inout Int, action: CountAction) in
          if case .add(let amount) = action { count += amount }
        }
        Mutator(\Board.rings) { [self] (rings: inout Ringing, _: Note) in
          rings = Ringing(id: rings.id + 1, bell: makeBell())
        }
      }
      reference.refer(to: store)
      return store
    }
  }

  @Test func `what a retired effect compared last`() async {
    await #expect(processExitsWith: .success) {
      let scene = Scene()
      let store = try scene.makeStore()
      let installed = store.install(
        Effect<Board>(whenChanged: { board in
          Ringing(id: board.count, bell: scene.makeBell())
        }) { _, _ in })
      try #require(scene.rung.value == 0)
      installed.retire()
      try #require(scene.rung.value == 1)
    }
  }

  @Test func `what a retired effect in children compared last`() async {
    await #expect(processExitsWith: .success) {
      let scene = Scene()
      let store = try scene.makeStore(Board(items: [Ringing(id: 1), Ringing(id: 2)]))
      let row = Effect<Ringing>(whenChanged: { item in
        Ringing(id: item.id, bell: scene.makeBell())
      }) { _, _ in }
      let installed = store.install(row.identified().lifted(\Board.items))
      let before = scene.rung.value
      installed.retire()
      try #require(scene.rung.value == before + 2)
    }
  }

  /// Effects of `Note` whose commits start nothing, or not at once.
  enum Starter: CaseIterable, Codable {
    case unmatched, twoUnmatched, busy, queued, throttled, ending
  }

  private static func effects(_ starter: Starter, _ gate: Gate) -> [Effect<Board>] {
    let unmatched = Effect<Board>(on: Note.self, matching: { _ in nil as Int? }, .latest) { _, _ in
    }
    return switch starter {
    case .unmatched: [unmatched]
    case .twoUnmatched: [unmatched, unmatched]
    case .busy: [Effect(on: Note.self, .first) { _, _ in try? await gate.wait() }]
    case .queued: [Effect(on: Note.self, .serial) { _, _ in try? await gate.wait() }]
    case .throttled: [Effect(on: Note.self, .latest) { _, _ in }.throttled(for: .seconds(1_000))]
    case .ending: [Effect(on: ClearAction.self) { _, _ in }.cancelled(on: Note.self)]
    }
  }

  @Test(arguments: Starter.allCases)
  func `the state before a commit of which effects make nothing`(_ starter: Starter) async {
    await #expect(processExitsWith: .success) { [starter] in
      let (scene, gate) = (Scene(), Gate())
      let store = try scene.makeStore(Board(rings: Ringing(bell: scene.makeBell())))
      // It has the state before each commit kept, and is not concerned by these.
      try store.register(
        Effect<Board>(whenChanged: \.count, .latest, when: { _, change in change.previous != nil })
        {
          _, _ in
        })
      for effect in Self.effects(starter, gate) { try store.register(effect) }
      for _ in 0..<3 { store.dispatch(Note()) }
      gate.open()
      try await store.settled()
      await scene.rung.wait(for: 3)
    }
  }

  @Test func `the state of a former store, when a history of a part begins in another`() async {
    await #expect(processExitsWith: .success) {
      let rung = Counter()
      let history = History(\Board.count)
      do {
        let bell = Bell { [weak history] in
          _ = history?.entries.count
          rung.increment()
        }
        let former = try Scene().makeStore(Board(rings: Ringing(bell: bell)))
        former.attach(history).cancel()
      }
      try #require(rung.value == 0, "the history keeps it")
      let store = try Scene().makeStore()
      let attached = store.attach(history)
      try #require(rung.value == 1)
      attached.cancel()
    }
  }

  @Test func `the last change of a step, when another step is restored`() async {
    await #expect(processExitsWith: .success) {
      let scene = Scene()
      // The second note is no step of its own: it belongs to the first one, whose change is kept for `grouping`.
      let history = History(
        \Board.rings, recording: { change in change.state.id == 1 }, grouping: { _, _ in false })
      let store = try scene.makeStore(middleware: [history])
      store.dispatch(Note())
      store.dispatch(Note())
      try #require(scene.rung.value == 0)
      try #require(history.undo() && scene.rung.value == 1)
    }
  }

  /// Keeps what owned the parts at the last commit.
  private enum Keeper: CaseIterable, Codable {
    case history, recorder

    var middleware: any Middleware<Board> {
      switch self {
      case .history: History<Board>()
      case .recorder: SessionRecorder<Board>()
      }
    }
  }

  @Test(arguments: [true, false])
  func `what an unregistered reducer captured, at the next commit`(isHistory: Bool) async {
    await #expect(processExitsWith: .success) { [isHistory] in
      let keeper = isHistory ? Keeper.history : .recorder
      let scene = Scene()
      let store = try scene.makeStore(middleware: [keeper.middleware])
      store.dispatch(CountAction.add(1))
      try Self.register(scene, in: store)
      store.dispatch(ClearAction())
      store.unregister(\.side)
      store.dispatch(CountAction.add(1))
      try #require(scene.rung.value == 1)
    }
  }

  /// Notes which commits touch a part, as a persistence does.
  private final class PartKeeper: StateKeeping {
    typealias State = Board
    let noted = Recorder<UInt64>()
    private let subscription = Recorder<StoreSubscription>()

    func keep(_ store: ScopedStore<Board>, isNew: Bool) {
      let noting = store.noteTouched(
        [StatePart(Lens(\Board.count))],
        note: { [noted] touched, _, _ in noted.append(touched) }, wake: {}, end: {})
      if let noting { subscription.append(noting.subscription) }
    }
  }

  @Test
  func `what an unregistered reducer captured, at the next commit beside a persistence`() async {
    await #expect(processExitsWith: .success) {
      let (keeper, scene) = (PartKeeper(), Scene())
      let store = try scene.makeStore(middleware: [keeper])
      store.dispatch(CountAction.add(1))
      try Self.register(scene, in: store)
      store.dispatch(ClearAction())
      store.unregister(\.side)
      store.dispatch(CountAction.add(1))
      try #require(scene.rung.value == 1)
      try #require(keeper.noted.values.filter { $0 != 0 } == [1, 1])
    }
  }

  private static func register(_ scene: Scene, in store: Store<Board>) throws {
    let bell = scene.makeBell()
    try store.register(
      Mutator(\Board.side) { (side: inout Int, _: ClearAction) in
        side += 1
        withExtendedLifetime(bell) {}
      })
  }

  @Test(arguments: [true, false])
  func `what a reducer of a former store captured, at the start in another`(isHistory: Bool) async {
    await #expect(processExitsWith: .success) { [isHistory] in
      let middleware = (isHistory ? Keeper.history : .recorder).middleware
      let scene = Scene()
      do {
        let former = try scene.makeStore()
        try Self.register(scene, in: former)
        let attached = former.attach(middleware)
        former.dispatch(ClearAction())
        attached.cancel()
      }
      let before = scene.rung.value
      // A recorder continues its session: it keeps the parts of its first store, and those alone.
      let second = try scene.makeStore()
      second.attach(middleware).cancel()
      try #require(scene.rung.value == (isHistory ? before + 1 : before))
    }
  }
}
