import Lensed
import LensedTestSupport
import Testing

/// Each test has a clock that dispatches and reads whenever it is asked for the time, or to sleep.
///
/// Under a lock of the library that would trap, or never end; so each runs in a process of its own.
@Suite("No clock of an effect is asked under a lock", .timeLimit(.minutes(30)))
struct ClockUnderLockTests {
  private struct Row: Sendable, Identifiable {
    let id: Int
  }

  private enum Screen: Sendable {
    case none
    case row(Row)
  }

  private struct App: Sendable {
    var rows: [Row] = []
    var shown: Row? = Row(id: 0)
    var screen = Screen.row(Row(id: 0))
    var count = 0
  }

  private struct Go: Action {
    var key = 0
  }

  /// A clock that enters the store, and stands still until it is moved.
  private final class StoreClock: Clock, Sendable {
    let store = WeakReference<Store<App>>()
    let asked = Counter()
    let hours = Counter()
    /// Who sleeps waits here.
    let gate = Gate()

    private func enter() {
      asked.increment()
      guard let store = store.object else { return }
      store.dispatch(CountAction.add(1))
      _ = store.count
    }

    var now: ManualClock.Instant {
      enter()
      return ManualClock.Instant(offset: .seconds(hours.value * 3600))
    }

    var minimumResolution: Duration { .zero }

    func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
      enter()
      defer { enter() }
      try await gate.wait()
    }
  }

  enum Time: CaseIterable, Sendable, Codable {
    case throttled, throttledLatest, debounced, retried, timedOut
  }

  enum Place: CaseIterable, Sendable {
    case root, keyed, optional, matching, rows, keyedRows
  }

  private static func effect<State: Sendable>(
    _ time: Time, isKeyed: Bool = false, _ clock: StoreClock, _ runs: Recorder<Bool>
  ) -> Effect<State> {
    let run: @Sendable () throws -> Void = {
      runs.append(true)
      if time == .retried { throw Refused() }
    }
    let effect: Effect<State> =
      if isKeyed {
        Effect(on: Go.self, per: \.key, catch: { _, _ in }) { _, _ in try run() }
      } else {
        Effect(on: Go.self, catch: { _, _ in }) { _, _ in try run() }
      }
    return switch time {
    case .throttled: effect.throttled(for: .seconds(10), clock: clock)
    case .throttledLatest: effect.throttled(for: .seconds(10), latest: true, clock: clock)
    case .debounced: effect.debounced(for: .seconds(10), clock: clock)
    case .retried: effect.retried(attempts: 2, after: .seconds(10), clock: clock)
    case .timedOut: effect.timedOut(after: .seconds(10), clock: clock)
    }
  }

  private struct Refused: Error {}

  private static func install(
    _ time: Time, in place: Place, of store: Store<App>, _ clock: StoreClock,
    _ runs: Recorder<Bool>
  ) -> StoreSubscription {
    let isKeyed = place == .keyed || place == .keyedRows
    let row: Effect<Row> = effect(time, isKeyed: isKeyed, clock, runs)
    switch place {
    case .root, .keyed:
      let root: Effect<App> = effect(time, isKeyed: isKeyed, clock, runs)
      return store.install(root)
    case .optional: return store.install(row.optional().lifted(\App.shown))
    case .matching:
      let prism = Prism(Screen.row) { if case .row(let row) = $0 { row } else { nil } }
      return store.install(row.matching(prism).lifted(\App.screen))
    case .rows, .keyedRows: return store.install(row.identified().lifted(\App.rows))
    }
  }

  private static func visit(_ time: Time, in place: Place, count: Int) async throws {
    let clock = StoreClock()
    let rows = (0..<count).map { Row(id: $0) }
    let store = try Store(initialState: App(rows: rows), coverage: .partial) {
      Mutator(\App.count) { (count: inout Int, action: CountAction) in
        if case .add(let amount) = action { count += amount }
      }
    }
    clock.store.refer(to: store)
    let runs = Recorder<Bool>()
    let trigger = {
      for id in 0..<count {
        let go = Go(key: id)
        switch place {
        case .rows, .keyedRows: store.dispatch(ElementAction(id: id, action: go))
        default: store.dispatch(go)
        }
      }
    }
    // Removed while its triggers wait.
    let former = install(time, in: place, of: store, clock, runs)
    trigger()
    trigger()
    former.cancel()
    clock.gate.open()
    try await store.settled()
    // The children go, and it is removed, while nothing of it is under way.
    let installed = install(time, in: place, of: store, clock, runs)
    for _ in 0..<3 {
      trigger()
      trigger()
      try await store.settled()
      clock.hours.increment()
    }
    store.replaceState(App(shown: nil, screen: .none))
    trigger()
    installed.cancel()
    try await store.settled()
    try #require(runs.count >= 3 && clock.asked.value > 0, "\(time) \(place) \(count)")
  }

  @Test(arguments: Time.allCases)
  func `it may enter the store, wherever the effect is`(time: Time) async {
    await #expect(processExitsWith: .success) { [time] in
      for place in Place.allCases {
        for count in [1, 40] { try await Self.visit(time, in: place, count: count) }
      }
    }
  }
}
