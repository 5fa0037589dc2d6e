import Lensed
import LensedTestSupport
import LensedTesting
import Testing

@Suite struct `A test store says what a step does not` {
  let clock = ManualClock()

  private func desk(exhaustivity: Exhaustivity<Desk> = .on) throws -> TestStore<Desk> {
    try TestStore(initialState: Desk(), exhaustivity: exhaustivity) {
      Desk.countMutator
      Desk.titleMutator
      Desk.notesMutator
    }
  }

  @Test func `a change that was not said, at the line of the step`() async throws {
    let test = try desk()
    var line = 0
    let heard = await heardIssues {
      line = #line + 1
      await test.dispatch(CountAction.add(2))
    }
    #expect(heard.map(\.line) == [line])
    #expect(
      heard.map(\.text) == [
        """
        `CountAction.add(2)` changed the state, and the step says nothing of it:
          count: expected 0, is 2
          dispatched at LensedTestingTests/TestStoreIssueTests.swift:\(line)
        """
      ])
    await test.finish()
  }

  @Test func `another change than was said, by the part alone`() async throws {
    let test = try desk()
    await test.dispatch(TitleAction.rename("a")) { $0.title = "a" }
    let heard = await issues {
      await test.dispatch(ClearAction()) { $0.count = 1 }
    }
    #expect(
      heard == [
        """
        `ClearAction()` did not change the state as the step says:
          count: expected 1, is 0
          title: expected "a", is ""
          dispatched at LensedTestingTests/TestStoreIssueTests.swift
        """
      ])
    // The next step is judged by itself.
    await test.dispatch(CountAction.add(1)) { $0.count = 1 }
    await test.finish()
  }

  @Test func `a commit that no step received, at the step after which it came`() async throws {
    let test = try searchTest(.stub, clock)
    let line = #line + 1
    await test.dispatch(QueryChanged("a")) { $0.query = "a" }
    await clock.advance(by: .seconds(1))
    let heard = await heardIssues { await test.finish() }
    #expect(heard.map(\.line) == [line])
    #expect(
      heard.map { $0.text.replacing(#/\.swift:\d+/#, with: ".swift") } == [
        """
        `Found(results: ["ac"])` was not received by any step:
          results: [] → ["ac"]
          dispatched at LensedTestingTests/SearchModel.swift, set off by #1 `QueryChanged(query: "a")` dispatched at \
        LensedTestingTests/TestStoreIssueTests.swift
        """
      ])
  }

  @Test func `a commit that no step received, by the effect that made it`() async throws {
    let test = try TestStore(initialState: Search()) {
      Mutator(\.query) { (query: inout String, action: QueryChanged) in query = action.query }
      Mutator(\.results) { (results: inout [String], action: Found) in results = action.results }
      Constant(\.log)
      Effect(on: QueryChanged.self) { action, context in context.dispatch(Found([action.query])) }
        .named("Search")
    }
    await test.dispatch(QueryChanged("a")) { $0.query = "a" }
    let heard = await issues { await test.finish() }
    #expect(
      heard == [
        """
        `Found(results: ["a"])` was not received by any step:
          results: [] → ["a"]
          dispatched at LensedTestingTests/TestStoreIssueTests.swift by the effect Search, set off by #1 \
        `QueryChanged(query: "a")` dispatched at LensedTestingTests/TestStoreIssueTests.swift
        """
      ])
  }

  @Test func `an effect that is still under way`() async throws {
    let test = try searchTest(.stub, clock)
    await test.dispatch(QueryChanged("a")) { $0.query = "a" }
    let heard = await issues { await test.finish() }
    #expect(
      heard == [
        """
        the effect of `QueryChanged` at LensedTestingTests/SearchModel.swift is still under way. Move its clock, open its gate, \
        cancel it, or end the test with `finishLeavingEffects()`:
          the effect of `QueryChanged` at LensedTestingTests/SearchModel.swift sleeps, set off by the dispatch of `QueryChanged` \
        at LensedTestingTests/TestStoreIssueTests.swift
        """
      ])
  }

  @Test func `an answer that does not come, and why`() async throws {
    let test = try searchTest(.stub, clock)
    await test.dispatch(QueryChanged("a")) { $0.query = "a" }
    let asleep = await issues { await test.receive(Found.self) { $0.results = ["ac"] } }
    #expect(
      asleep == [
        """
        `Found` was expected, and does not come:
          the effect of `QueryChanged` at LensedTestingTests/SearchModel.swift sleeps, set off by the dispatch of `QueryChanged` \
        at LensedTestingTests/TestStoreIssueTests.swift
        """
      ])
    await clock.advance(by: .seconds(1))
    await test.receive(Found.self) { $0.results = ["ac"] }
    let never = await issues { await test.receive(Found.self) }
    #expect(never == ["`Found` was expected, and does not come:\n  nothing is under way"])
    #expect(await issues { await test.finish() } == [])
  }

  @Test func `an answer with other values is compared with what was expected`() async throws {
    let test = try searchTest(.stub, clock)
    await test.dispatch(QueryChanged("a")) { $0.query = "a" }
    await clock.advance(by: .seconds(1))
    let heard = await issues { await test.receive(Found(["b"])) { $0.results = ["b"] } }
    #expect(
      heard == [
        """
        `Found(results: ["ac"])` came, and the step expects another one:
          results: expected ["b"], is ["ac"]
          dispatched at LensedTestingTests/SearchModel.swift, set off by #1 `QueryChanged(query: "a")` dispatched at \
        LensedTestingTests/TestStoreIssueTests.swift
        """
      ])
    #expect(await issues { await test.finish() } == [])
  }

  @Test func `an answer that comes after others`() async throws {
    let test = try desk()
    test.store.dispatch(CountAction.add(1))
    test.store.dispatch(TitleAction.rename("a"))
    let heard = await issues { await test.receive(TitleAction.self) { $0.title = "a" } }
    #expect(
      heard == [
        """
        `TitleAction.rename("a")` came after commits that no step has received:
          `CountAction.add(1)`, dispatched at LensedTestingTests/TestStoreIssueTests.swift
        """
      ])
    await test.receive(CountAction.self) { $0.count = 1 }
    await test.finish()
  }

  @Test func `an action that nobody handles, or that has nobody to reach`() async throws {
    struct Line: Sendable, Equatable, Identifiable {
      var id: Int
      var text = ""
    }
    struct Write: Action, Hashable { var text: String }
    struct Page: Sendable, Equatable { var lines = [Line(id: 1)] }
    let test = try TestStore(initialState: Page()) {
      Mutator(
        \.lines,
        Reducer { (line: inout Line, action: Write) in line.text = action.text }.identified())
    }
    let heard = await issues {
      await test.dispatch(Lost())
      await test.dispatch(ElementAction(id: 7, action: Write(text: "a")))
      await test.finish()
    }
    #expect(
      heard == [
        """
        Nobody handles `Lost()`: it has no reducer, and sets off no effect.
          dispatched at LensedTestingTests/TestStoreIssueTests.swift
        """,
        """
        The store warns. Lensed: `ElementAction<Int, Write>` was dispatched at LensedTestingTests/TestStoreIssueTests.swift \
        for 7, which `lines` does not have: nothing has changed. Dispatch it while the element is there, or let what \
        dispatches it end with the element.
        """,
      ])
  }

  @Test func `an error that nobody caught`() async throws {
    let test = try searchTest(.offline, clock)
    let line = #line + 1
    await test.dispatch(QueryChanged("a")) { $0.query = "a" }
    await clock.advance(by: .seconds(1))
    let heard = await heardIssues { await test.finish() }
    #expect(heard.map(\.line) == [line])
    #expect(
      heard.map { $0.text.replacing(#/\.swift:\d+/#, with: ".swift") } == [
        """
        An error was caught by nobody. Lensed: the effect of `QueryChanged` at LensedTestingTests/SearchModel.swift failed for \
        `LensedTestingTests.QueryChanged(query: "a")` dispatched at LensedTestingTests/TestStoreIssueTests.swift: \
        Offline(). Give it a `catch:` or a `recover`, or the store an `onEffectError:`.
        """
      ])
  }

  @Test func `an error that does not come`() async throws {
    let test = try desk()
    let heard = await issues { await test.receiveError(Offline.self) }
    #expect(
      heard == ["An error `Offline` was expected, and does not come:\n  nothing is under way"])
    await test.finish()
  }

  @Test func `an effect that waits for what the test cannot see, longer than its patience`()
    async throws
  {
    struct Go: Action {}
    let (stream, end) = AsyncStream.makeStream(of: Int.self)
    let test = try TestStore(initialState: Desk(), patience: .milliseconds(50)) {
      Desk.countMutator
      Desk.titleMutator
      Desk.notesMutator
      Effect(on: Go.self) { _, _ in
        for await _ in stream {}
      }
    }
    await test.dispatch(Go())
    let heard = await issues {
      await test.receive(CountAction.self)
      await test.finish()
    }
    #expect(
      heard == [
        """
        `CountAction` was expected, and does not come:
          the effect of `Go` at LensedTestingTests/TestStoreIssueTests.swift waits for something that the test cannot see
        """,
        """
        The store has not come to an end in 0.05 seconds:
          the effect of `Go` at LensedTestingTests/TestStoreIssueTests.swift waits for something that the test cannot see
        """,
      ])
    end.finish()
  }

  @Test func `a dispatch that middleware drops`() async throws {
    struct Dropper: Middleware {
      func willReduce(_ action: any Action, _ context: MiddlewareContext<Desk>) -> Verdict { .drop }
    }
    let test = try TestStore(initialState: Desk(), middleware: [Dropper()]) {
      Desk.countMutator
      Desk.titleMutator
      Desk.notesMutator
    }
    await test.dispatch(CountAction.add(1))
    let heard = await issues { await test.dispatch(CountAction.add(1)) { $0.count = 1 } }
    #expect(
      heard == [
        """
        `CountAction.add(1)` made no commit, and the step says that it changes the state. Middleware may have \
        dropped it.
          count: expected 1, is 0
        """
      ])
    await test.finish()
  }

  @Test func `one issue where three steps fail, each by itself`() async throws {
    let test = try desk()
    let heard = await issues {
      await test.dispatch(CountAction.add(1)) { $0.count = 2 }
      await test.dispatch(CountAction.add(1)) { $0.count = 2 }
      await test.dispatch(CountAction.add(1)) { $0.count += 1 }
      await test.dispatch(CountAction.add(1)) { $0.count = 5 }
    }
    #expect(heard.count == 2)
    #expect(heard.first?.contains("count: expected 2, is 1") == true)
    #expect(heard.last?.contains("count: expected 5, is 4") == true)
    await test.finish()
  }

  @Test func `a step that throws`() async throws {
    let test = try desk()
    let heard = await issues {
      await test.dispatch(CountAction.add(1)) { _ in throw Offline() }
    }
    #expect(heard == ["The step threw an error before it had said what changes: Offline()"])
    await test.finish()
  }
}
