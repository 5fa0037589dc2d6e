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

  @Test(arguments: [false, true])
  func `a key or a child is gone with its last use, whatever was decided there`(isIgnored: Bool)
    async throws
  {
    let gate = Gate()
    let store = try Store(initialState: [Row(id: 1)], coverage: .partial) {}
    let core = store.view.core
    let path = Optic<[Row], Row>.identified()
    let seats = EffectsPerChild(path, in: store.view) { _, onEmpty in
      EffectRuns(.first, isKeyed: true, in: core, onEmpty: onEmpty)
    }
    func decide() -> JobDecisions {
      core.withLock("decided") { _ in
        var jobs = JobDecisions()
        guard let seat = seats.find([AnyID(1)], in: core.state) else { return jobs }
        if !isIgnored, let group = seat.runs.group(of: AnyID(1), at: nil, into: &jobs) {
          let job = WorkNode(
            .effect("probe"), in: core, queue: group.jobs, hasClaim: true,
            operation: BodyOperation { _ in try? await gate.wait() })
          group.jobs.admit(job, under: nil, into: &jobs)
        }
        seats.tidy(seat, at: nil, into: &jobs)
        return jobs
      }
    }
    decide().perform()
    #expect(seats.isNeeded == !isIgnored)
    gate.open()
    await Threads.apart { Threads.wait { !seats.isNeeded } }
    #expect(seats.works.isEmpty)
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
