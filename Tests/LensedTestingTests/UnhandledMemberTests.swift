import Lensed
import LensedTestSupport
import LensedTesting
import Testing

@Suite(.timeLimit(.minutes(30))) struct `An action that nobody handles` {
  private struct Begin: Action, Hashable {}

  private static let sentence = """
    Nobody handles `Lost()`: it has no reducer, and sets off no effect.
      dispatched at LensedTestingTests/UnhandledMemberTests.swift
    """

  private static let received = """
    Nobody handles `Lost()`: it has no reducer, and sets off no effect. What a child sends to its parent, \
    `expectSent` expects.
      dispatched at LensedTestingTests/UnhandledMemberTests.swift, set off by #1
    """

  private func desk(_ exhaustivity: Exhaustivity<Desk> = .on) throws -> TestStore<Desk> {
    try TestStore(initialState: Desk(), coverage: .partial, exhaustivity: exhaustivity) {
      Desk.countMutator
      Desk.notesMutator
      Effect(on: Begin.self) { _, context in
        context.dispatch([CountAction.add(1), Lost()] as [any Action])
      }
    }
  }

  @Test func `is one issue as a member of a list, each time`() async throws {
    let test = try desk()
    for count in 1...2 {
      let heard = await issues {
        await test.dispatch([CountAction.add(1), Lost()] as [any Action]) { $0.count = count }
      }
      #expect(heard == [Self.sentence])
    }
    await test.finish()
  }

  @Test func `is one issue beside an action that an effect handles`() async throws {
    let test = try desk()
    let heard = await issues { await test.dispatch([Begin(), Lost()] as [any Action]) }
    #expect(heard == [Self.sentence])
    let received = await issues {
      await test.receive(CountAction.self) { $0.count = 1 }
      await test.finish()
    }
    #expect(
      received == [
        Self.received
          + " `Begin()`, `Lost()` dispatched at LensedTestingTests/UnhandledMemberTests.swift"
      ])
  }

  @Test func `is one issue of the step that receives its list`() async throws {
    let test = try desk()
    await test.dispatch(Begin())
    let heard = await heardIssues {
      await test.receive(CountAction.self) { $0.count = 1 }
      await test.finish()
    }
    #expect(
      heard.map { $0.text.replacing(#/\.swift:\d+/#, with: ".swift") } == [
        Self.received + " `Begin()` dispatched at LensedTestingTests/UnhandledMemberTests.swift"
      ])
    #expect(heard.first?.line == #line - 7)
  }

  @Test func `is one issue where something is performed, alone and in a list`() async throws {
    let test = try desk()
    let alone = await issues { await test.perform { test.store.dispatch(Lost()) } }
    #expect(alone == [Self.sentence])
    let listed = await issues {
      await test.perform {
        test.store.dispatch([CountAction.add(1), Lost()] as [any Action])
      } changes: {
        $0.count = 1
      }
    }
    #expect(listed == [Self.sentence])
    await test.perform {
      test.store.dispatch(CountAction.add(1))
    } changes: {
      $0.count = 2
    }
    await test.finish()
  }

  @Test func `is one issue when it is dispatched alone`() async throws {
    let test = try desk()
    for _ in 1...2 {
      #expect(await issues { await test.dispatch(Lost()) } == [Self.sentence])
    }
    await test.finish()
  }

  @Test func `is none where the test need say nothing`() async throws {
    let test = try desk(.off)
    await test.dispatch([CountAction.add(1), Lost()] as [any Action])
    await test.perform { test.store.dispatch(Lost()) }
    await test.finish()
  }

  @Test func `is none whose feature has left since`() async throws {
    let test = try desk()
    await test.perform {
      test.store.dispatch([CountAction.add(1), NoteAction.append(1)] as [any Action])
      test.store.unregister(\.notes)
    } changes: {
      $0 = Desk(count: 1, notes: [1])
    }
    await test.finish()
  }
}
