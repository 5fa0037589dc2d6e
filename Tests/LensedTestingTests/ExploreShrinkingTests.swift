import Lensed
import LensedTestSupport
import LensedTesting
import Testing

@Suite(.timeLimit(.minutes(30)))
struct `An exploration with steps that commit nothing` {
  private struct DroppingTitles: Middleware {
    typealias State = Desk

    func willReduce(_ action: any Action, _ context: MiddlewareContext<Desk>) -> Verdict {
      action is TitleAction ? .drop : .proceed
    }
  }

  private func found(
    _ nothing: any Action, dropping: Bool = false
  ) async -> (actions: [any Action], issues: [String]) {
    let calls = Counter()
    var fewest: [any Action] = []
    let heard = await issues {
      fewest = await explore(
        store: { (_: ManualClock) in
          try Store(initialState: Desk(), middleware: dropping ? [DroppingTitles()] : []) {
            Mutator(\.count) { (count: inout Int, _: CountAction) in count = calls.increment() }
            Desk.titleMutator
            Desk.notesMutator
          }
        }, actions: [nothing, CountAction.keep], invariants: [], checking: .replay
      ).fewestActions
    }
    return (fewest, heard)
  }

  private func expectFound(_ result: (actions: [any Action], issues: [String])) {
    #expect(result.actions as? [CountAction] == [.keep])
    #expect(result.issues.count == 1)
    #expect(
      result.issues.first?.hasPrefix(
        """
        “a replay gives the same states” does not hold after 2 steps. 1 step is enough, found in 3 tries:
          in the commit of `CountAction.keep`
        """) == true)
  }

  @Test func `finds the step that fails after one that moves no clock`() async {
    expectFound(await found(NextDeadline()))
  }

  @Test func `finds the step that fails after one that middleware drops`() async {
    expectFound(await found(TitleAction.rename("a"), dropping: true))
  }
}

@Suite(.timeLimit(.minutes(30)))
struct `The test that a failed replay prints` {
  private let invariants = [Invariant("counts to nine", of: \Desk.count) { $0 < 10 }]

  @Test func `begins with the state of the session where the failure needs it`() async {
    let session = RecordedSession(
      initial: Desk(count: 9),
      steps: [
        .actions([NoteAction.append(1)], from: nil), .actions([CountAction.add(1)], from: nil),
      ])
    let heard = await issues {
      await explore(store: { try Desk.makeStore() }, session: session, invariants: invariants)
    }
    #expect(
      heard == [
        """
        “counts to nine” does not hold after 2 steps. 1 step is enough, found in 3 tries:
          in the commit of `CountAction.add(1)`
          the part is 10

          @Test func `counts to nine`() async {
            let actions: [any Action] = [
              CountAction.add(1),
            ]
            // session.initial is LensedTestSupport.Desk(count: 9, title: "", notes: [])
            await explore(store: makeStore, replaying: actions, from: session.initial, invariants: invariants)
          }
        """
      ])
  }

  @Test func `fails as printed, and prints itself`() async {
    let printed = await issues {
      await explore(
        store: { try Desk.makeStore() }, replaying: [CountAction.add(1)], from: Desk(count: 9),
        invariants: invariants)
    }
    #expect(printed.count == 1)
    let call =
      "await explore(store: makeStore, replaying: actions, from: initial, invariants: invariants)"
    #expect(printed.first?.contains(call) == true)
    // Without the state it passes.
    await explore(
      store: { try Desk.makeStore() }, replaying: [CountAction.add(1)], invariants: invariants)
  }

  @Test func `says no state where the failure does without`() async {
    let session = RecordedSession(
      initial: Desk(count: 9), steps: [.actions([CountAction.add(10)], from: nil)])
    let heard = await issues {
      await explore(store: { try Desk.makeStore() }, session: session, invariants: invariants)
    }
    #expect(
      heard.first?.contains(
        "await explore(store: makeStore, replaying: actions, invariants: invariants)") == true)
  }
}
