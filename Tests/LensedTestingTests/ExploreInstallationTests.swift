import Lensed
import LensedTestSupport
import Testing

@testable import LensedTesting

/// An effect that runs as the store is made, or as its state is replaced, and commits at once.
@Suite(.timeLimit(.minutes(30)))
struct `An effect of installation or replacement, explored` {
  struct App: Sendable, Equatable {
    var query = ""
    var user = 0
    var loads = 0
  }

  struct Loaded: Action, Hashable {}
  struct Ask: Action, Hashable { var query: String }

  /// What is wrong with an order shows in some runs only.
  static let runs = 100

  /// Loads as the triggers say; counts the runs of the effect.
  @Sendable static func makeStore(_ triggers: EffectTriggers, _ runs: Counter) throws -> Store<App>
  {
    try Store(initialState: App()) {
      Mutator(\.query) { (query: inout String, action: Ask) in query = action.query }
      Mutator(\.loads) { (loads: inout Int, _: Loaded) in loads += 1 }
      Constant(\.user)
      Effect(whenChanged: \.user, .latest, including: triggers) { _, _ in
        runs.increment()
        return Loaded()
      }
    }
  }

  static let loadsOnce = Invariant("loads once", of: \App.loads) { $0 <= 1 }

  @Test(arguments: [ExplorationChecks.all, []])
  func `does not run beside the commits of a session`(checks: ExplorationChecks) async {
    let runs = Counter()
    let session = RecordedSession(initial: App(), steps: [.actions([Loaded()], from: nil)])
    for _ in 0..<Self.runs {
      let exploration = await explore(
        store: { try Self.makeStore(.installation, runs) }, session: session,
        invariants: [Self.loadsOnce], checking: checks)
      #expect(exploration.brokenPromise == nil)
      #expect(exploration.commitCount == 1)
    }
    #expect(runs.value == 0)
  }

  @Test func `does not run where a session replaces the state, nor on undo and redo`() async {
    let runs = Counter()
    let session = RecordedSession(
      initial: App(user: 1), steps: [.state(App(user: 2)), .actions([Loaded()], from: nil)])
    for _ in 0..<Self.runs {
      let exploration = await explore(
        store: { try Self.makeStore(.replacement, runs) }, session: session,
        invariants: [Self.loadsOnce])
      #expect(exploration.brokenPromise == nil)
      #expect(exploration.commitCount == 2)
    }
    #expect(runs.value == 0)
  }

  @Test func `does not run beside replayed actions`() async {
    let runs = Counter()
    await explore(
      store: { try Self.makeStore([.installation, .replacement], runs) }, replaying: [Loaded()],
      from: App(user: 1), invariants: [Self.loadsOnce])
    #expect(runs.value == 0)
  }

  @Test func `comes to rest before the first action`() async {
    for _ in 0..<Self.runs {
      let exploration = await explore(
        store: { try Self.makeStore(.installation, Counter()) }, actions: [Ask(query: "a")],
        invariants: [
          Self.loadsOnce,
          Invariant("asks after it has loaded") { $0.query.isEmpty || $0.loads == 1 },
          Invariant("loads one at a time") { $1.loads - $0.loads <= 1 },
        ])
      #expect(exploration.brokenPromise == nil)
      #expect(exploration.commitCount == 2)
    }
  }

  @Test func `comes to rest before threads dispatch`() async {
    for _ in 0..<Self.runs {
      let exploration = await explore(
        store: { try Self.makeStore(.installation, Counter()) },
        actions: .any(.always(Ask(query: "a"))), seed: 1, steps: 8,
        invariants: [
          Self.loadsOnce,
          Invariant("asks after it has loaded") { $0.query.isEmpty || $0.loads == 1 },
        ], threads: 4)
      #expect(exploration.brokenPromise == nil)
      #expect(exploration.commitCount == 9)
    }
  }

  @Test func `breaks a promise before the first action`() async {
    let heard = await issues {
      let exploration = await explore(
        store: { try Self.makeStore(.installation, Counter()) }, actions: [Ask(query: "a")],
        invariants: [Invariant("never loads", of: \App.loads) { $0 == 0 }])
      #expect(exploration.brokenPromise == "never loads")
      #expect(exploration.fewestActions.isEmpty)
    }
    #expect(
      heard == [
        """
        “never loads” does not hold after 0 steps. 0 steps are enough, found in 0 tries:
          in the commit of `Loaded()`
          the part is 1

          @Test func `never loads`() async {
            let actions: [any Action] = [
            ]
            await explore(store: makeStore, actions: actions, invariants: invariants)
          }
        """
      ])
  }

  @Test func `that never rests is an issue of no step`() async {
    let trial = Trial<App>(
      makeStore: { _ in
        try Store(initialState: App(), coverage: .partial) {
          Effect(whenChanged: \.user, .latest, including: .installation) { _, _ in
            while !Task.isCancelled { await Task.yield() }
          }
        }
      }, invariants: [], checks: [], patience: .milliseconds(5))
    let heard = await issues {
      _ = await Explorer(trial: trial, seed: nil, location: #_sourceLocation)
        .explore([.dispatch(Ask(query: "a"))])
    }
    #expect(
      heard == [
        """
        “the store comes to rest before the first action” does not hold after 0 steps. 0 steps are enough, found \
        in 0 tries:
          An effect still runs after 0.005 seconds, without waiting for anything.

          @Test func `the store comes to rest before the first action`() async {
            let actions: [any Action] = [
            ]
            await explore(store: makeStore, actions: actions, invariants: invariants, checking: [])
          }
        """
      ])
  }

  @Test func `whose task is held ends with the store, without running`() async throws {
    let runs = Counter()
    weak var store: Store<App>?
    let scheduler = try await ExploredStore<App>.use(
      { _ in try Self.makeStore([.installation, .replacement], runs) }, from: App(user: 1),
      runsEffects: false
    ) { explored in
      #expect(await explored.begin(within: .seconds(10)))
      #expect(await explored.perform(.state(App(user: 2)), within: .seconds(10)))
      #expect(explored.scheduler.jobCount > 0)
      store = explored.store
      return explored.scheduler
    }
    #expect(store == nil)
    #expect(await scheduler.rest(within: .seconds(10)))
    #expect(runs.value == 0)
  }
}
