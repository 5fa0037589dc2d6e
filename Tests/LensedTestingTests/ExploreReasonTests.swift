import Lensed
import LensedTestSupport
import Testing

@testable import LensedTesting

@Suite(.timeLimit(.minutes(30))) struct `A failure that is shrunk` {
  private struct App: Sendable, Equatable {
    var isReady = false
    var screen = "none"
    var total = 0
  }
  private enum Step: Action, Hashable { case prepare, show, add(Int) }

  /// Whether the reducers of screen and total give something else on each run.
  private struct Impurity: Sendable {
    let calls = Counter()
    let isThere: Bool
    var value: Int { isThere ? calls.increment() : 0 }
  }

  private static func makeStore(_ impurity: Impurity) throws -> Store<App> {
    try Store(initialState: App()) {
      Mutator(\.self) { (app: inout App, step: Step) in
        switch step {
        case .prepare: app.isReady = true
        // Shown too early, it is broken: another fault than that of the total.
        case .show: app.screen = app.isReady ? "shown" : "broken \(impurity.value)"
        case .add(let amount): app.total += amount + impurity.value
        }
      }
    }
  }

  @Test func `breaks an invariant of the whole by the same part`() async {
    var fewest: [any Action] = []
    let heard = await issues {
      fewest = await explore(
        store: { try Self.makeStore(Impurity(isThere: false)) },
        actions: [Step.prepare, Step.add(2), Step.show, Step.add(-5)],
        invariants: [
          Invariant("all is well") { !$0.screen.hasPrefix("broken") && $0.total >= 0 }
        ], checking: []
      ).fewestActions
    }
    #expect(fewest as? [Step] == [.add(-5)])
    #expect(heard.count == 1)
    #expect(heard.first?.contains("another reason") == false)
  }

  @Test(arguments: [ExplorationChecks.replay, .paths])
  func `breaks a promise of every store by the same part`(check: ExplorationChecks) async {
    let impurity = Impurity(isThere: true)
    var fewest: [any Action] = []
    let heard = await issues {
      fewest = await explore(
        store: { try Self.makeStore(impurity) },
        actions: [Step.prepare, Step.prepare, Step.show, Step.add(0)],
        invariants: [], checking: check
      ).fewestActions
    }
    #expect(fewest as? [Step] == [.add(0)])
    #expect(heard.count == 1)
  }

  @Test func `says that its reason is another one, where it is`() {
    let whole = ExploredFailure(promise: "p", parts: ["total", "tax"], step: 1, lines: [])
    #expect(
      ExploredFailure(promise: "p", parts: ["tax"], step: 1, lines: []).slide(from: whole) == [])
    #expect(ExploredFailure(promise: "p", step: 1, lines: []).slide(from: whole) == [])
    #expect(
      ExploredFailure(promise: "p", parts: ["screen"], step: 1, lines: []).slide(from: whole) == [
        "It is another reason than that of the whole run: `screen`, which was `tax`, `total`."
      ])
  }

  @Test func `of a session with jumps is printed as a test with the states`() async {
    let session = RecordedSession(
      initial: App(),
      steps: [
        .actions([Step.add(1)], from: nil), .state(App(total: 9)),
        .actions([Step.prepare], from: nil),
        .actions([Step.add(1)], from: nil),
      ])
    let invariants = [Invariant("counts to nine", of: \App.total) { $0 < 10 }]
    var fewest: [any Action] = []
    let heard = await issues {
      fewest = await explore(
        store: { try Self.makeStore(Impurity(isThere: false)) }, session: session,
        invariants: invariants
      ).fewestActions
    }
    #expect((fewest.first as? ReplaceState<App>)?.state == App(total: 9))
    #expect(fewest.last as? Step == .add(1))
    #expect(fewest.count == 2)
    #expect(
      heard.first?.contains("App(isReady: false, screen: \"none\", total: 9)),")
        == true
    )
    // As printed, it fails again.
    let again = await issues {
      await explore(
        store: { try Self.makeStore(Impurity(isThere: false)) }, replaying: fewest,
        invariants: invariants)
    }
    #expect(again.count == 1)
    let dispatched = await issues {
      await explore(
        store: { try Self.makeStore(Impurity(isThere: false)) }, actions: fewest,
        invariants: invariants)
    }
    #expect(dispatched.count == 1)
  }
}
