import LensedTestSupport
import Testing

@testable import Lensed

@Suite(
  "An effect keeps nothing of a key or a child in which nothing is under way",
  .timeLimit(.minutes(30)))
struct IdleSeatTests {
  private struct Row: Sendable, Identifiable {
    let id: Int
    var token: LiveCount.Token?
  }
  private struct App: Sendable { var rows: [Row] = [] }
  private struct Go: Action { var key = 0 }
  private struct Empty: Action {}

  private static func makeRuns(_ onEmpty: (@Sendable () -> Void)? = nil) -> EffectRuns {
    EffectRuns(.concurrent, isKeyed: true, onEmpty: onEmpty)
  }

  /// Repeats a step while another thread looks all the time; the step says whether it left nothing.
  private func repeating(
    while look: @escaping @Sendable () -> Void, _ leavesNothing: @escaping @Sendable () -> Bool
  ) async -> Bool {
    await Threads.apart {
      let isOver = Counter()
      let looker = Threads.start { while isOver.value == 0 { look() } }
      defer {
        isOver.increment()
        looker.wait()
      }
      return (0..<5_000).allSatisfy { _ in leavesNothing() }
    }
  }

  enum Look: CaseIterable, Sendable {
    case underWay, retiring
  }

  @Test(arguments: Look.allCases)
  func `a key is gone with its last use, also while another thread looks`(look: Look) async {
    let runs = Self.makeRuns()
    let leavesNothing = await repeating(while: {
      switch look {
      case .underWay: _ = runs.works
      case .retiring: _ = runs.close(retiring: true)
      }
    }) {
      runs.withGroup(of: AnyID(1)) { _ in }
      return runs.isIdle
    }
    #expect(leavesNothing)
  }

  @Test func `a child is gone with its last use, also while another thread looks`() async throws {
    let store = try Store(initialState: [Row(id: 1)], coverage: .partial) {}
    let core = store.view.core
    let seats = EffectSeats(Lift<[Row], Row>.identified().path, in: store.view) { _, onEmpty in
      Self.makeRuns(onEmpty)
    }
    let leavesNothing = await repeating(while: { _ = seats.works }) {
      guard
        let seat = core.withLock(
          "looked for a child", { _ in seats.find([AnyID(1)], in: core.state) })
      else { return false }
      seats.use(seat) { seat.runs.withGroup(of: AnyID(1)) { _ in } }
      return !seats.isNeeded
    }
    #expect(leavesNothing)
  }

  @Test(arguments: [false, true])
  func `children whose silence is over go when there are many more`(isKeyed: Bool) async throws {
    let (clock, alive) = (ManualClock(), LiveCount())
    let store = try Store(
      initialState: App(rows: (0..<300).map { Row(id: $0, token: alive.token()) }),
      coverage: .partial
    ) {
      Feature<Row> {
        Mutator(\Row.token) { (token: inout LiveCount.Token?, _: Empty) in token = nil }
        (isKeyed
          ? Effect<Row>(on: Go.self, .concurrent, per: \.key) { _, _ in }
          : Effect<Row>(on: Go.self) { _, _ in })
          .throttled(for: .seconds(1), clock: clock)
      }
      .identified().lifted(\App.rows)
    }
    for id in 0..<200 { try await store.dispatch(ElementAction(id: id, action: Go())).finish() }
    clock.move(by: .seconds(1))
    for id in 200..<300 { try await store.dispatch(ElementAction(id: id, action: Go())).finish() }
    for id in 0..<200 { store.dispatch(ElementAction(id: id, action: Empty())) }
    #expect(alive.value == 100)
  }
}
