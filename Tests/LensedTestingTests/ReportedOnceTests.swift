import Lensed
import LensedTestSupport
import LensedTesting
import Testing

@Suite(.timeLimit(.minutes(30))) struct `A commit that a step passes over` {
  private func notes(_ count: Int) throws -> TestStore<Desk> {
    let test = try TestStore { try Desk.makeStore() }
    for number in 1...count { test.store.dispatch(NoteAction.append(number)) }
    return test
  }

  @Test func `is one issue in all`() async throws {
    let test = try notes(3)
    let heard = await issues {
      await test.receive(NoteAction.append(2)) { $0.notes = [1, 2] }
      await test.receive(NoteAction.append(3)) { $0.notes = [1, 2, 3] }
      await test.finish()
    }
    #expect(
      heard == [
        """
        `NoteAction.append(2)` came after commits that no step has received:
          `NoteAction.append(1)`, dispatched at LensedTestingTests/ReportedOnceTests.swift
        """
      ])
  }

  @Test func `hides none that is passed over later`() async throws {
    let test = try notes(5)
    let heard = await issues {
      await test.receive(NoteAction.append(2)) { $0.notes = [1, 2] }
      await test.receive(NoteAction.append(4)) { $0.notes = [1, 2, 3, 4] }
      await test.finish()
    }
    #expect(heard.count == 3)
    #expect(heard.dropFirst().first?.contains("append(1)") == false)
    #expect(heard.dropFirst().first?.contains("\n  `NoteAction.append(3)`, ") == true)
    #expect(heard.last?.hasPrefix("`NoteAction.append(5)` was not received by any step:") == true)
  }

  @Test func `can be received after that`() async throws {
    let test = try notes(3)
    let heard = await issues {
      await test.receive(NoteAction.append(2)) { $0.notes = [1, 2] }
    }
    #expect(heard.count == 1)
    await test.receive(NoteAction.append(3)) { $0.notes = [1, 2, 3] }
    await test.receive(NoteAction.append(1)) { $0.notes = [1] }
    await test.finish()
  }
}
