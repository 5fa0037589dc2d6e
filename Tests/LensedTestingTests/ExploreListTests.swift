import Lensed
import LensedTestSupport
import LensedTesting
import Testing

@Suite(.timeLimit(.minutes(30)))
struct `An exploration with commits of several actions` {
  private static let invariants = [
    Invariant<Desk>("a commit notes once at most") { $1.notes.count - $0.notes.count <= 1 }
  ]
  private static let three = Generator.one(of: [NoteAction.append(1)]).array(count: 3...3)

  private func expectReplayed(_ found: LensedTesting.Exploration?, _ heard: [String]) async {
    #expect(heard.count == 1)
    #expect(found?.brokenPromise == Self.invariants[0].name)
    #expect(found?.fewestActions.count == 1)
    #expect(found?.fewestActions.first as? [NoteAction] == [.append(1), .append(1)])
    #expect(heard.first?.contains("      [NoteAction.append(1), NoteAction.append(1)],\n") == true)
    // As printed, it fails again.
    let again = await issues {
      await explore(
        store: { try Desk.makeStore() }, replaying: found?.fewestActions ?? [],
        invariants: Self.invariants)
    }
    #expect(again.count == 1)
  }

  @Test(arguments: [1, 2]) func `leaves members of a list out`(threads: Int) async {
    var found: LensedTesting.Exploration?
    let heard = await issues {
      found = await explore(
        store: { try Desk.makeStore() }, actions: .any(Self.three), seed: 1, steps: 10,
        invariants: Self.invariants, threads: threads)
    }
    await expectReplayed(found, heard)
  }

  @Test func `prints several of a recorded commit as one`() async {
    let session = RecordedSession(
      initial: Desk(),
      steps: [
        .actions([NoteAction.append(1)], from: nil),
        .actions([NoteAction.append(1), CountAction.keep, NoteAction.append(1)], from: nil),
      ])
    var found: LensedTesting.Exploration?
    let heard = await issues {
      found = await explore(
        store: { try Desk.makeStore() }, session: session, invariants: Self.invariants)
    }
    await expectReplayed(found, heard)
  }

  @Test func `keeps members of several types in one list`() async {
    var fewest: [any Action] = []
    let heard = await issues {
      fewest = await explore(
        store: { try Desk.makeStore() },
        actions: [
          ActionList([CountAction.add(1), TitleAction.rename("a"), [NoteAction.append(1)]])
        ],
        invariants: [
          Invariant<Desk>("one part a commit") { $0.count == $1.count || $0.notes == $1.notes }
        ]
      ).fewestActions
    }
    #expect((fewest.first as? ActionList)?.actions.count == 2)
    #expect(
      heard.first?.contains("      ActionList([CountAction.add(1), NoteAction.append(1)]),") == true
    )
  }
}

@Suite(.timeLimit(.minutes(30)))
struct `What was never exercised` {
  enum One { enum Act: Action { case go } }
  enum Other { struct Act: Action {} }

  @Test func `tells nested types of one name apart`() async {
    let exploration = await explore(
      store: {
        try Store(initialState: Desk()) {
          Mutator(\.count) { (count: inout Int, _: One.Act) in count += 1 }
          Mutator(\.title) { (title: inout String, _: Other.Act) in title = "a" }
          Desk.notesMutator
        }
      }, actions: .any(.always(One.Act.go)), seed: 1, steps: 5)
    #expect(exploration.neverExercised.count == 2)
    #expect(exploration.neverExercised.contains { $0.hasSuffix("Other.Act, ever") })
    #expect(exploration.neverExercised.contains("NoteAction, ever"))
  }
}
