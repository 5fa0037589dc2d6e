import Lensed
import LensedTestSupport
import LensedTesting
import Testing

/// An action of which the rows know one case.
enum WideWrite: Action, Hashable {
  case look
  case write(`A test store says in whole sentences`.Write)
}

/// The sentences of a test store that only some steps say, whole.
@Suite struct `A test store says in whole sentences` {
  struct Line: Sendable, Equatable, Identifiable {
    var id: Int
    var text = ""
  }
  struct Write: Action, Hashable { var text: String }
  struct Page: Sendable, Equatable { var lines = [Line(id: 1)] }

  private func desk(_ exhaustivity: Exhaustivity<Desk> = .on) throws -> TestStore<Desk> {
    try TestStore(initialState: Desk(), exhaustivity: exhaustivity) {
      Desk.countMutator
      Desk.titleMutator
      Desk.notesMutator
    }
  }

  @Test func `a warning that no step expects, at the line of the step`() async throws {
    let test = try TestStore(initialState: Page()) {
      Mutator(
        \.lines,
        Reducer { (line: inout Line, action: Write) in line.text = action.text }.identified())
    }
    let line = #line + 1
    await test.dispatch([
      ElementAction(id: 1, action: Write(text: "a")),
      ElementAction(id: 7, action: Write(text: "b")),
    ]) { $0.lines[0].text = "a" }
    let heard = await heardIssues { await test.finish() }
    #expect(heard.map(\.line) == [line])
    #expect(
      heard.map(\.text) == [
        """
        The store warns. Lensed: `ElementAction<Int, Write>` was dispatched at \
        LensedTestingTests/StepMessageTests.swift:\(line) for 7, which `lines` does not have: nothing has changed. \
        Dispatch it while the element is there, or let what dispatches it end with the element.
        """
      ])
  }

  @Test func `a step that throws although there is no commit`() async throws {
    let test = try desk()
    let heard = await issues {
      try await test.perform {
        _ = test.state
      } changes: { _ in
        throw Offline()
      }
    }
    #expect(heard == ["The step threw: Offline()"])
    await test.finish()
  }

  @Test func `what a step skips, as a warning at its line`() async throws {
    let test = try desk(.offShowingSkipped)
    test.store.dispatch(CountAction.add(1))
    test.store.dispatch(TitleAction.rename("a"))
    var line = 0
    let heard = await heardIssues {
      line = #line + 1
      await test.receive(TitleAction.self) { $0.title = "a" }
    }
    #expect(heard.map(\.line) == [line])
    #expect(
      heard.map { $0.text.replacing(#/\.swift:\d+/#, with: ".swift") } == [
        """
        `CountAction.add(1)` was skipped:
          count: 0 → 1
          dispatched at LensedTestingTests/StepMessageTests.swift
        """
      ])
    await test.finish()
  }

  @Test func `what has come and is not what a step waits for`() async throws {
    let test = try desk()
    test.store.dispatch(CountAction.add(1))
    let heard = await issues { await test.receive(NoteAction.self) }
    #expect(
      heard == [
        """
        `NoteAction` was expected, and does not come:
          nothing is under way
          not received yet: `CountAction.add(1)`, dispatched at LensedTestingTests/StepMessageTests.swift
        """
      ])
    await test.receive(CountAction.self) { $0.count = 1 }
    await test.finish()
  }

  @Test func `an action of the type that does not meet the condition`() async throws {
    let test = try desk()
    test.store.dispatch(CountAction.add(1))
    let heard = await issues { await test.receive(CountAction.self, where: { $0 == .reset }) }
    #expect(
      heard == [
        """
        `CountAction.add(1)` came, and the step expects another one:
          the condition of the step does not hold for it
          dispatched at LensedTestingTests/StepMessageTests.swift
        """
      ])
    await test.finish()
  }

  @Test func `elements that are missing, and elements too many`() async throws {
    // Too long to be shown as a whole.
    let notes = Array(100..<200)
    let test = try TestStore { try Desk.makeStore(Desk(notes: notes)) }
    let heard = await issues {
      await test.dispatch(NoteAction.append(3)) { $0.notes = [7] + notes + [3] }
      await test.dispatch(NoteAction.append(4)) { _ in }
    }
    #expect(
      heard == [
        """
        `NoteAction.append(3)` did not change the state as the step says:
          notes: expected 102 elements, has 101
          notes[0]: 7 was expected, and is missing
          dispatched at LensedTestingTests/StepMessageTests.swift
        """,
        """
        `NoteAction.append(4)` did not change the state as the step says:
          notes: expected 101 elements, has 102
          notes[101]: 4 was not expected
          dispatched at LensedTestingTests/StepMessageTests.swift
        """,
      ])
    await test.finish()
  }

  @Test func `more changes than can be shown`() async throws {
    struct Grid: Sendable, Equatable { var cells = Array(repeating: 0, count: 20) }
    struct Fill: Action, Hashable {}
    let test = try TestStore(initialState: Grid()) {
      Mutator(\.cells) { (cells: inout [Int], _: Fill) in cells = cells.map { $0 + 1 } }
    }
    test.store.dispatch(Fill())
    let heard = await issues { await test.finish() }
    let cells = (0..<12).map { "  cells[\($0)]: 0 → 1" }.joined(separator: "\n")
    #expect(
      heard == [
        """
        `Fill()` was not received by any step:
        \(cells)
          … and more
          dispatched at LensedTestingTests/StepMessageTests.swift
        """
      ])
    let more = await issues { await test.dispatch(Fill()) }
    #expect(more.count == 1)
    #expect(more.first?.contains("  cells[11]: expected 1, is 2\n  … and 8 more\n") == true)
  }

  @Test func `an element action of a type that none of the rows is for`() async throws {
    let writing = Prism(WideWrite.write) { if case .write(let write) = $0 { write } else { nil } }
    let test = try TestStore(initialState: Page()) {
      Mutator(
        \.lines,
        Reducer { (line: inout Line, action: Write) in line.text = action.text }
          .lifted(action: writing).identified())
    }
    let heard = await issues { await test.dispatch(ElementAction(id: 1, action: WideWrite.look)) }
    #expect(
      heard == [
        """
        No reducer ran for `\(ElementAction(id: 1, action: WideWrite.look))`: `lines` has nothing that it is for.
          dispatched at LensedTestingTests/StepMessageTests.swift
        """
      ])
    await test.finish()
  }

  @Test func `a store that is released before the end of its test`() async throws {
    var line = 0
    let heard = await heardIssues {
      line = #line + 1
      let test = try TestStore { try Desk.makeStore() }
      await test.dispatch(CountAction.add(1)) { $0.count = 1 }
    }
    #expect(heard.map(\.line) == [line])
    #expect(
      heard.map(\.text) == [
        """
        A TestStore was released before `finish()`, so nothing says that nothing more came. End the test with \
        `await test.finish()`, if no error has ended it early.
        """
      ])
  }

  @Test func `a store that does not come to rest`() async throws {
    let test = try TestStore(initialState: Desk(), patience: .milliseconds(1)) {
      Desk.countMutator
      Desk.titleMutator
      Desk.notesMutator
      Effect(on: TitleAction.self) { _, _ in
        while !Task.isCancelled { await Task.yield() }
      }
    }
    let heard = await issues {
      await test.dispatch(TitleAction.rename("a")) { $0.title = "a" }
    }
    let sentence = """
      The store has not come to rest in 0.001 seconds: an effect runs without waiting for anything.
        the effect of `TitleAction` at LensedTestingTests/StepMessageTests.swift runs, set off by the dispatch of \
      `TitleAction` at LensedTestingTests/StepMessageTests.swift
      """
    #expect(heard == [sentence])
    #expect(await issues { await test.finishLeavingEffects() } == [sentence])
  }
}
