import Foundation
import Lensed
import LensedTestSupport
import Testing

@testable import LensedTesting

@Suite(.timeLimit(.minutes(30)))
struct `An exploration with several threads` {
  private static let actions = Generator.any(Generator.int(in: 1...9).map(NoteAction.append))

  @Test(arguments: [1, 2]) func `finds an effect that never rests, and counts its commits`(
    threads: Int
  ) async {
    let trial = Trial(
      makeStore: { _ in
        try Store(initialState: Desk()) {
          Desk.countMutator
          Desk.titleMutator
          Desk.notesMutator
          Effect(on: NoteAction.self) { _, _ in
            while !Task.isCancelled { await Task.yield() }
          }
        }
      }, invariants: [], checks: [], patience: .milliseconds(5))
    let heard = await issues {
      let found = await Explorer(trial: trial, seed: nil, location: #_sourceLocation)
        .explore([NoteAction.append(1), NoteAction.append(2)], threads: threads)
      #expect(found.brokenPromise == "every action comes to rest")
      #expect(found.stepCount == 1)
      #expect(found.commitCount == 1)
      #expect(found.fewestActions.count == 1)
      #expect(!found.neverExercised.contains("NoteAction, ever"))
    }
    #expect(heard.count == 1)
  }

  @Test func `names a promise without letters`() async {
    let heard = await issues {
      await explore(
        store: { try Desk.makeStore() }, actions: [CountAction.add(1)],
        invariants: [Invariant("0", of: \Desk.count) { $0 == 0 }])
    }
    #expect(heard.first?.contains("@Test func `a promise holds`() async {") == true)
  }

  @Test(arguments: [1, 2]) func `finds what breaks before the first action`(threads: Int) async {
    let heard = await issues {
      let found = await explore(
        store: { try Desk.makeStore() }, actions: Self.actions, seed: 1, steps: 4,
        invariants: [Invariant("there is a title", of: \Desk.title) { !$0.isEmpty }],
        threads: threads)
      #expect(found.brokenPromise == "there is a title")
    }
    #expect(heard.count == 1)
  }

  @Test(arguments: [1, 2]) func `finds a broken invariant`(threads: Int) async {
    let heard = await issues {
      let found = await explore(
        store: { try Desk.makeStore() }, actions: Self.actions, seed: 1, steps: 20,
        invariants: [Invariant("few notes", of: \Desk.notes) { $0.count < 3 }], threads: threads)
      #expect(found.brokenPromise == "few notes")
      #expect(found.fewestActions.count == 3)
    }
    #expect(heard.count == 1)
  }

  @Test(arguments: [1, 2]) func `counts the steps that were made`(threads: Int) async {
    struct Answer: Action, Hashable {}
    let found = await explore(
      store: {
        try Store(initialState: Desk()) {
          Desk.countMutator
          Desk.titleMutator
          Desk.notesMutator.on(Answer.self) { _, _ in }
          Effect(on: NoteAction.self) { _, _ in Answer() }
        }
      }, actions: Self.actions, seed: 1, steps: 25, threads: threads)
    #expect(found.stepCount == 25)
    #expect(found.commitCount == 50)
  }

  @Test(arguments: [Int.min, 0, 1, Int.max], [Int.min, 0, 3])
  func `takes any number of threads, and makes no steps of fewer`(threads: Int, steps: Int) async {
    let found = await explore(
      store: { try Desk.makeStore() }, actions: Self.actions, seed: .max, steps: steps,
      threads: threads)
    #expect(found.stepCount == max(0, steps))
    #expect(found.brokenPromise == nil)
  }

  @Test func `counts the steps up to the one that fails`() async {
    let heard = await issues {
      let found = await explore(
        store: { try Desk.makeStore() }, actions: Self.actions, seed: 1, steps: 500,
        invariants: [Invariant("few notes", of: \Desk.notes) { $0.count < 3 }], checking: [])
      #expect(found.stepCount == 3)
      #expect(found.commitCount == 3)
    }
    #expect(heard.count == 1)
  }

  @Test func `accuses no store whose state moves on while it looks`() async {
    for round in 0..<40 {
      let runs = Counter()
      await explore(
        store: {
          let store = try Desk.makeStore()
          // The run with threads is the first one.
          if runs.increment() == 1 {
            Thread.detachNewThread { [weak store] in
              for _ in 0..<300 { store?.dispatch(CountAction.add(1)) }
            }
          }
          return store
        }, actions: Self.actions, seed: UInt64(round), steps: 4, checking: [], threads: 2)
    }
  }
}
