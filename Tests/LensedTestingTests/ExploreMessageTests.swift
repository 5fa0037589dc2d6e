import Lensed
import LensedTestSupport
import Testing

@testable import LensedTesting

/// A value that equals nothing, itself included.
enum UnequalValue: Sendable, Equatable {
  case only

  static func == (left: UnequalValue, right: UnequalValue) -> Bool { false }
}

/// The sentences of an exploration, and its built-in promises, each broken once.
@Suite struct `An exploration says in whole sentences` {
  private func trial(
    _ makeStore: @escaping @Sendable () throws -> Store<Desk>,
    invariants: [Invariant<Desk>] = [], checks: ExplorationChecks = [],
    patience: Duration = .seconds(10)
  ) -> Trial<Desk> {
    Trial(
      makeStore: { _ in try makeStore() }, invariants: invariants, checks: checks, initial: nil,
      patience: patience)
  }

  @Test func `that an effect does not come to rest`() async throws {
    let trial = trial(
      {
        try Store(initialState: Desk()) {
          Desk.countMutator
          Desk.titleMutator
          Desk.notesMutator
          Effect(on: TitleAction.self) { _, _ in
            while !Task.isCancelled { await Task.yield() }
          }
        }
      }, patience: .milliseconds(5))
    let heard = await issues {
      _ = await Explorer(trial: trial, seed: nil, location: #_sourceLocation, form: "actions")
        .explore([.dispatch(TitleAction.rename("a"))])
    }
    #expect(
      heard == [
        """
        “every action comes to rest” does not hold after 1 step. 1 step is enough, found in 1 try:
          An effect still runs after 0.005 seconds, without waiting for anything.

          @Test func `every action comes to rest`() async {
            let actions: [any Action] = [
              TitleAction.rename("a"),
            ]
            await explore(store: makeStore, actions: actions, invariants: invariants, checking: [])
          }
        """
      ])
  }

  @Test func `that a failure is not one of the actions`() async {
    let runs = Counter()
    let heard = await issues {
      let exploration = await explore(
        store: {
          runs.increment()
          return try Desk.makeStore()
        }, actions: [CountAction.add(1), NoteAction.append(1)],
        invariants: [Invariant("nothing is counted", of: \.count) { _ in runs.value > 1 }],
        checking: [])
      #expect(exploration.brokenPromise == "nothing is counted")
      #expect(exploration.fewestActions.isEmpty)
    }
    #expect(
      heard == [
        """
        “nothing is counted” did not hold after 0 steps, and holds when the same steps are made again: something \
        else than state and actions decides.
          the part is 0
        """
      ])
  }

  @Test func `that the state was replaced`() async {
    let session = RecordedSession(
      initial: Desk(),
      steps: [.actions([CountAction.add(1)], from: nil), .state(Desk(title: "b"))])
    let heard = await issues {
      await explore(
        store: { try Desk.makeStore() }, session: session,
        invariants: [Invariant("no title") { $0.title.isEmpty }], checking: [])
    }
    #expect(
      heard == [
        """
        “no title” does not hold after 2 steps. 1 step is enough, found in 3 tries:
          in the commit of a replacement of the state
          title: "" → "b"

          @Test func `no title`() async {
            let actions: [any Action] = [
              ReplaceState(Desk(count: 0, title: "b", notes: [])),
            ]
            await explore(store: makeStore, replaying: actions, invariants: invariants, checking: [])
          }
        """
      ])
  }

  @Test func `that a commit changed nothing`() async {
    let same = await issues {
      await explore(
        store: { try Desk.makeStore() }, actions: [TitleAction.rename("a"), CountAction.keep],
        invariants: [
          Invariant("something changes once there is a title") { (before: Desk, after: Desk) in
            before.title.isEmpty || before != after
          }
        ], checking: [])
    }
    #expect(
      same == [
        """
        “something changes once there is a title” does not hold after 2 steps. 2 steps are enough, found in 2 tries:
          in the commit of `CountAction.keep`
          the state is LensedTestSupport.Desk(count: 0, title: "a", notes: [])

          @Test func `something changes once there is a title`() async {
            let actions: [any Action] = [
              TitleAction.rename("a"),
              CountAction.keep,
            ]
            await explore(store: makeStore, actions: actions, invariants: invariants, checking: [])
          }
        """
      ])
  }

  @Test func `that an outcome broke a promise`() async {
    struct Load: Action, Hashable {}
    let heard = await issues {
      await explore(
        store: {
          try Store(initialState: Desk()) {
            AsyncMutator(\.count) { (count: Int, _: Load) in AsyncResult(value: count + 1) }
            Desk.titleMutator
            Desk.notesMutator
          }
        }, actions: [Load()], invariants: [Invariant("no count", of: \.count) { $0 == 0 }],
        checking: [])
    }
    #expect(
      heard == [
        """
        “no count” does not hold after 1 step. 1 step is enough, found in 1 try:
          in the commit of the outcome of `count`
          the part is 1

          @Test func `no count`() async {
            let actions: [any Action] = [
              Load(),
            ]
            await explore(store: makeStore, actions: actions, invariants: invariants, checking: [])
          }
        """
      ])
  }

  @Test func `that a reducer gives something else on each run`() async {
    let calls = Counter()
    let heard = await issues {
      await explore(
        store: {
          try Store(initialState: Desk()) {
            Mutator(\.count) { (count: inout Int, _: CountAction) in
              calls.increment()
              count = calls.value
            }
            Desk.titleMutator
            Desk.notesMutator
          }
        }, actions: [CountAction.keep], invariants: [], checking: .paths)
    }
    #expect(
      heard == [
        """
        “the fast and the slow path agree” does not hold after 1 step. 1 step is enough, found in 1 try:
          count: expected 3, is 4

          @Test func `the fast and the slow path agree`() async {
            let actions: [any Action] = [
              CountAction.keep,
            ]
            await explore(store: makeStore, actions: actions, invariants: invariants, checking: .paths)
          }
        """
      ])
  }

  /// A part that can tell whether somebody else holds it.
  private final class Sheet: Sendable, Equatable {
    static func == (left: Sheet, right: Sheet) -> Bool { true }
  }

  private struct Shared: Sendable, Equatable {
    var isAlone = true
    var sheet = Sheet()
  }

  @Test func `that a reducer looks who listens`() async {
    struct Look: Action, Hashable {}
    let heard = await issues {
      await explore(
        store: {
          try Store(initialState: Shared()) {
            Mutator(\.self) { (shared: inout Shared, _: Look) in
              shared.isAlone = isKnownUniquelyReferenced(&shared.sheet)
            }
          }
        }, actions: [Look(), Look()], invariants: [Invariant<Shared>("any") { _ in true }],
        checking: .paths)
    }
    #expect(
      heard == [
        """
        “the fast and the slow path agree” does not hold after 1 step. 1 step is enough, found in 1 try:
          isAlone: expected false, is true

          @Test func `the fast and the slow path agree`() async {
            let actions: [any Action] = [
              Look(),
            ]
            await explore(store: makeStore, actions: actions, invariants: invariants, checking: .paths)
          }
        """
      ])
  }

  @Test func `that an observer acts on a redo`() async {
    let subscriptions = Recorder<StoreSubscription>()
    let heard = await issues {
      await explore(
        store: {
          let store = try Desk.makeStore()
          let visits = Counter()
          let subscription = store.states(\.count).subscribe { [weak store] count in
            // It takes what is redone for something new.
            if count == 1 && visits.increment() == 1 { store?.dispatch(NoteAction.append(count)) }
          }
          subscriptions.append(subscription)
          return store
        }, actions: [CountAction.add(1)], invariants: [], checking: .undo)
    }
    #expect(
      heard == [
        """
        “undo and redo change nothing” does not hold after 1 step. 1 step is enough, found in 1 try:
          of the commit of `CountAction.add(1)`
          notes: expected [], is [1]

          @Test func `undo and redo change nothing`() async {
            let actions: [any Action] = [
              CountAction.add(1),
            ]
            await explore(store: makeStore, actions: actions, invariants: invariants, checking: .undo)
          }
        """
      ])
  }

  @Test func `that the state is not that of the last commit`() async {
    struct Page: Sendable, Equatable {
      var number = 0
      var odd = UnequalValue.only
    }
    struct Add: Action, Hashable {}
    let heard = await issues {
      await explore(
        store: {
          try Store(initialState: Page()) {
            Mutator(\.number) { (number: inout Int, _: Add) in number += 1 }
            Constant(\.odd)
          }
        }, actions: .any(.always(Add())), seed: 1, steps: 2, checking: [], threads: 2)
    }
    #expect(
      heard == [
        """
        The state is not that of the last commit.
          odd: expected LensedTestingTests.UnequalValue.only, is another one that prints alike
        """
      ])
  }
}
