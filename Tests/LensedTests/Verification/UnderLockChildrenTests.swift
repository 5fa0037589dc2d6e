import Lensed
import LensedTestSupport
import Testing

/// Each test has the library release the last references to objects of children, whose `deinit` dispatches.
///
/// Under a lock of the library that would trap, or never end; so each runs in a process of its own.
@Suite("What an effect keeps of a child is released without a lock", .timeLimit(.minutes(30)))
struct UnderLockChildrenTests {
  /// An identity with an object: each copy that is made anew has its own.
  private struct ID: Hashable, Sendable {
    let number: Int
    let bell: Bell

    static func == (left: ID, right: ID) -> Bool { left.number == right.number }

    // Few values: identities share a bucket.
    func hash(into hasher: inout Hasher) { hasher.combine(number % 64) }
  }

  private struct Row: Sendable, Identifiable {
    let id: ID
    var photo: Bell?
    var tied: Tied? = Tied()
    var page = 0
  }

  private struct Tied: Sendable, Identifiable {
    var id: Int { 0 }
  }

  private struct App: Sendable {
    var rows: [Row]
    var count = 0
  }

  private struct Go: Action {
    let number: Int
    let bell: Bell
  }

  private struct Leave: Action {}
  private struct Stop: Action {}
  private struct Untie: Action {}

  /// A clock whose sleeps wait at a gate.
  private final class HourClock: Clock, Sendable {
    let hours = Counter()
    let gate = Gate()

    var now: ManualClock.Instant { ManualClock.Instant(offset: .seconds(hours.value * 3600)) }

    var minimumResolution: Duration { .zero }

    func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
      try await gate.wait()
    }
  }

  /// A store, and bells that dispatch to it.
  private final class Scene: Sendable {
    let made = Counter()
    let rung = Counter()
    let clock = HourClock()
    private let reference = WeakReference<Store<App>>()

    func makeBell() -> Bell {
      made.increment()
      return Bell { [rung, reference] in
        reference.object?.dispatch(CountAction.add(1))
        rung.increment()
      }
    }

    func makeID(_ number: Int) -> ID { ID(number: number, bell: makeBell()) }

    func makeRow(_ number: Int) -> Row { Row(id: makeID(number), photo: makeBell()) }

    func makeStore(_ kind: Kind, rows: Int) throws -> Store<App> {
      let store = try Store(
        initialState: App(rows: (0..<rows).map { makeRow($0) }), coverage: .partial
      ) {
        Mutator(\App.count) { (count: inout Int, action: CountAction) in
          if case .add(let amount) = action { count += amount }
        }
        feature(kind).identified().lifted(\App.rows)
      }
      reference.refer(to: store)
      return store
    }

    private func feature(_ kind: Kind) -> Feature<Row> {
      Feature<Row> {
        Mutator(\Row.photo) { (photo: inout Bell?, _: Leave) in photo = nil }
        Mutator(\Row.tied) { (tied: inout Tied?, _: Untie) in tied = nil }
        if kind == .asyncMutator {
          AsyncMutator(\Row.page) { (page: Int, _: Go) in AsyncResult { page + 1 } }
        } else {
          effect(kind)
        }
      }
    }

    private func effect(_ kind: Kind) -> Effect<Row> {
      let plain = Effect<Row>(on: Go.self, .latest) { _, _ in }
      let waiting = Effect<Row>(on: Go.self, .latest) { [clock] _, _ in
        try? await clock.gate.wait()
      }
      return switch kind {
      case .throttled, .asyncMutator: plain.throttled(for: .seconds(10), clock: clock)
      case .throttledLatest: plain.throttled(for: .seconds(10), latest: true, clock: clock)
      case .debounced: plain.debounced(for: .seconds(10), clock: clock)
      case .keyed:
        Effect(on: Go.self, .latest, per: \.number) { _, _ in }
          .throttled(for: .seconds(10), clock: clock)
      case .tied: waiting.tied(to: \.tied)
      case .cancelled: waiting.cancelled(on: Stop.self)
      }
    }
  }

  enum Kind: CaseIterable, Sendable, Codable {
    case throttled, throttledLatest, debounced, keyed, asyncMutator, tied, cancelled
  }

  private static func visit(_ kind: Kind, _ count: Int) async throws {
    let scene = Scene()
    let store = try scene.makeStore(kind, rows: 2 * count)
    func dispatch(_ make: () -> some Action, to numbers: Range<Int>) {
      for number in numbers {
        store.dispatch(ElementAction(id: scene.makeID(number), action: make()))
      }
    }
    func go(_ numbers: Range<Int>) {
      dispatch({ Go(number: numbers.lowerBound, bell: scene.makeBell()) }, to: numbers)
    }
    let (first, others) = (0..<count, count..<2 * count)
    go(first)
    go(first)
    // The photos leave the state while the test has them, so that the library has the last references.
    do {
      let photos = store.rows.compactMap(\.photo)
      dispatch({ Leave() }, to: first)
      withExtendedLifetime(photos) {}
    }
    if kind == .cancelled { dispatch({ Stop() }, to: first) }
    if kind == .tied { dispatch({ Untie() }, to: first) }
    scene.clock.gate.open()
    try await store.settled()
    scene.clock.hours.increment()
    // More children come than idle ones are kept for.
    go(others)
    try await store.settled()
    scene.clock.hours.increment()
    go(others)
    // They go with what is under way in them.
    store.replaceState(App(rows: (0..<20).map { scene.makeRow($0) }))
    go(0..<20)
    try await store.settled()
    store.replaceState(App(rows: []))
    // Each object has rung that has left the state, the library keeps none.
    await scene.rung.wait(for: scene.made.value)
  }

  @Test(arguments: Kind.allCases)
  func `objects in its state, its identity and its actions`(kind: Kind) async {
    await #expect(processExitsWith: .success) { [kind] in
      for count in [1, 17, 100] { try await Self.visit(kind, count) }
    }
  }
}
