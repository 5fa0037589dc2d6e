import Lensed
import LensedTestSupport
import LensedTesting
import Synchronization
import Testing

@Suite struct `Exploration` {
  static let actions = Generator.any(
    Generator.int(in: -5...5).map(CountAction.add), .always(ClearAction()),
    Generator.string(count: 0...3).map(TitleAction.rename),
    Generator.int(in: 0...9).map(NoteAction.append))

  @Test func `a store that keeps its promises passes, and says what never happened`() async {
    let exploration = await explore(
      store: { try Desk.makeStore() }, actions: Self.actions, seed: 7, steps: 300,
      invariants: [
        Invariant("notes are never lost") { $0.notes.count <= $1.notes.count },
        Invariant("notes are digits", of: \Desk.notes) { $0.allSatisfy { 0...9 ~= $0 } },
      ])
    #expect(exploration.brokenPromise == nil)
    #expect(exploration.commitCount == 300)
    #expect(exploration.neverExercised == [])
    let fewer = await explore(
      store: { try Desk.makeStore() }, actions: .any(.always(ClearAction())), seed: 7, steps: 3)
    #expect(fewer.neverExercised == ["CountAction, ever", "NoteAction, ever", "TitleAction, ever"])
    #expect(
      fewer.description == """
        3 steps with seed 7, 3 commits: all promises hold
          never: CountAction, ever
          never: NoteAction, ever
          never: TitleAction, ever
        """)
  }

  @Test func `a broken invariant is shrunk to the fewest actions, and printed as a test`() async {
    let heard = await issues {
      let exploration = await explore(
        store: { try Desk.makeStore() }, actions: Self.actions, seed: 7, steps: 500,
        invariants: [Invariant("few notes", of: \Desk.notes) { $0.count < 3 }])
      #expect(exploration.brokenPromise == "few notes")
      #expect(exploration.fewestActions.count == 3)
    }
    #expect(heard.count == 1)
    let text = heard.first ?? ""
    #expect(text.contains("“few notes” does not hold after "))
    #expect(text.contains(" steps with seed 7. 3 steps are enough, found in "))
    let lines = text.split(separator: "\n").map(String.init)
    #expect(lines.contains("  @Test func `few notes`() async {"))
    #expect(lines.filter { $0.hasPrefix("      NoteAction.append(") }.count == 3)
    #expect(
      lines.suffix(3) == [
        "    ]", "    await explore(store: makeStore, actions: actions, invariants: invariants)",
        "  }",
      ])
  }

  @Test func `what it prints fails when it is run, and one action fewer passes`() async {
    let invariants = [Invariant("few notes", of: \Desk.notes) { $0.count < 2 }]
    let two: [any Action] = [NoteAction.append(1), NoteAction.append(2)]
    let heard = await issues {
      await explore(store: { try Desk.makeStore() }, actions: two, invariants: invariants)
    }
    #expect(
      heard == [
        """
        “few notes” does not hold after 2 steps. 2 steps are enough, found in 2 tries:
          in the commit of `NoteAction.append(2)`
          the part is [1, 2]

          @Test func `few notes`() async {
            let actions: [any Action] = [
              NoteAction.append(1),
              NoteAction.append(2),
            ]
            await explore(store: makeStore, actions: actions, invariants: invariants)
          }
        """
      ])
    await explore(
      store: { try Desk.makeStore() }, actions: Array(two.prefix(1)), invariants: invariants)
  }

  @Test func `an invariant that the first state breaks needs no action`() async {
    let heard = await issues {
      await explore(
        store: { try Desk.makeStore() }, actions: Self.actions, seed: 1, steps: 5,
        invariants: [Invariant("there are notes", of: \Desk.notes) { !$0.isEmpty }])
    }
    #expect(
      heard.first?.hasPrefix("“there are notes” does not hold after 0 steps with seed 1.") == true)
  }

  @Test func `the same seed makes the same actions, another one makes others`() async {
    func list(_ seed: UInt64) -> [String] {
      var random = SeededGenerator(seed: seed)
      return (0..<50).map { _ in "\(Self.actions.next(&random))" }
    }
    #expect(list(1) == list(1))
    #expect(list(1) != list(2))
  }

  @Test func `a reducer that depends on more than state and action is found by its replay`() async {
    let heard = await issues {
      await explore(
        store: {
          let calls = Counter()
          return try Store(initialState: Desk()) {
            Mutator(\.count) { (count: inout Int, action: CountAction) in
              count = calls.increment()
              if case .reset = action { calls.increment() }
            }
            Desk.titleMutator
            Desk.notesMutator
          }
        }, actions: .any(.always(CountAction.keep)), seed: 3, steps: 20,
        invariants: [Invariant("counts", of: \Desk.count) { $0 < 100 }], checking: .undo)
    }
    #expect(heard == [])
    let calls = Counter()
    let found = await issues {
      await explore(
        store: {
          try Store(initialState: Desk()) {
            Mutator(\.count) { (count: inout Int, _: CountAction) in count = calls.increment() }
            Desk.titleMutator
            Desk.notesMutator
          }
        }, actions: .any(.always(CountAction.keep)), seed: 3, steps: 20, checking: .replay)
    }
    #expect(found.first?.hasPrefix("“a replay gives the same states” does not hold after ") == true)
  }

  @Test func `a recorded session is shrunk to what breaks the promise`() async throws {
    let recorder = SessionRecorder<Desk>()
    let store = try Store(initialState: Desk(notes: [1]), middleware: [recorder]) {
      Desk.countMutator
      Desk.titleMutator
      Desk.notesMutator
    }
    for number in 0..<40 {
      store.dispatch(CountAction.add(number))
      store.dispatch(TitleAction.rename("\(number)"))
    }
    store.dispatch(NoteAction.append(7))
    let session = try #require(recorder.session)
    let heard = await issues {
      await explore(
        store: { try Desk.makeStore() }, session: session,
        invariants: [Invariant("no seven", of: \Desk.notes) { !$0.contains(7) }])
    }
    let text = heard.first ?? ""
    #expect(text.hasPrefix("“no seven” does not hold after 81 steps. 1 step is enough, found in "))
    #expect(text.contains("      NoteAction.append(7),  // LensedTestingTests/ExploreTests.swift"))
    #expect(
      text.contains("await explore(store: makeStore, replaying: actions, invariants: invariants)"))
    await explore(
      store: { try Desk.makeStore() }, replaying: [NoteAction.append(6)],
      invariants: [Invariant("no seven", of: \Desk.notes) { !$0.contains(7) }])
  }

  @Test func `effects and their clock are explored too`() async {
    struct Saved: Action, Hashable { var title: String }
    struct Draft: Sendable, Equatable { var title = ""; var saved: String? }
    @Sendable func makeStore(_ clock: ManualClock) throws -> Store<Draft> {
      try Store(initialState: Draft()) {
        Mutator(\.title) { (title: inout String, action: TitleAction) in
          if case .rename(let name) = action { title = name }
        }
        Mutator(\.saved) { (saved: inout String?, action: Saved) in saved = action.title }
        Effect(on: TitleAction.self, .latest) { _, context in
          try await clock.sleep(for: .seconds(1))
          context.dispatch(Saved(title: context.state.title))
        }
      }
    }
    let actions = Generator.any(Generator.string(of: "ab", count: 1...2).map(TitleAction.rename))
    let passed = await explore(
      store: makeStore, actions: actions, seed: 5, steps: 200,
      invariants: [
        Invariant("saves the title as it is") {
          $0 == $1 || $1.saved == $0.saved || $1.saved == $1.title
        }
      ])
    #expect(passed.brokenPromise == nil)
    #expect(passed.commitCount > 180)
    let heard = await issues {
      await explore(
        store: makeStore, actions: actions, seed: 5, steps: 200,
        invariants: [Invariant("never saves", of: \Draft.saved) { $0 == nil }])
    }
    #expect(heard.first?.contains("2 steps are enough") == true)
    #expect(heard.first?.contains("NextDeadline(),") == true)
  }

  @Test func `threads make one order of commits, whose replay gives the same states`() async {
    let exploration = await explore(
      store: { try Desk.makeStore() }, actions: Self.actions, seed: 11, steps: 400,
      invariants: [Invariant("notes are never lost") { $0.notes.count <= $1.notes.count }],
      threads: 4)
    #expect(exploration.brokenPromise == nil)
    #expect(exploration.commitCount == 400)
  }

  @Test func `cases of the state that an action never met are named`() async {
    enum Page: String, Sendable, CaseIterable { case loading, loaded, failed }
    struct App: Sendable, Equatable { var page = Page.loading; var sheet: Int? }
    struct Load: Action, Hashable {}
    let exploration = await explore(
      store: {
        try Store(initialState: App()) {
          Mutator(\.page) { (page: inout Page, _: Load) in page = .loaded }
          Constant(\.sheet)
        }
      }, actions: .any(.always(Load())), seed: 1, steps: 3)
    #expect(exploration.neverExercised == ["Load while page = failed"])
  }
}

@Suite struct `Shrinking` {
  private func shrink(
    _ list: [Int], _ fails: @escaping @Sendable ([Int]) -> Bool
  ) async -> [Int] {
    // Through the public face: each number is an action of its own.
    var best: [Int] = []
    let heard = await issues {
      let exploration = await explore(
        store: { try Desk.makeStore() }, actions: list.map { NoteAction.append($0) },
        invariants: [Invariant("holds", of: \Desk.notes) { !fails($0) }], checking: [])
      best = exploration.fewestActions.compactMap { action in
        if case .append(let note)? = action as? NoteAction { note } else { nil }
      }
    }
    #expect(heard.count == 1)
    return best
  }

  @Test(arguments: 0..<20) func `finds the elements that are needed, wherever they are`(
    seed: Int
  ) async {
    var random = SeededGenerator(seed: UInt64(seed))
    let needed = Set(
      (0..<Int.random(in: 1...4, using: &random)).map { _ in Int.random(in: 0..<60, using: &random)
      })
    let best = await shrink(Array(0..<60)) { needed.isSubset(of: $0) }
    #expect(best == needed.sorted(), "seed \(seed)")
  }
}
