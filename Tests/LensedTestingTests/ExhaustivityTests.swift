import Lensed
import LensedTestSupport
import LensedTesting
import Testing

@Suite struct `What a test need not say` {
  let clock = ManualClock()

  @Test func `nothing, and what it says has to hold`() async throws {
    let test = try searchTest(.stub, clock, exhaustivity: .off)
    await test.dispatch(QueryChanged("a"))
    await test.dispatch(QueryChanged("ab")) { $0.log = ["a", "ab"] }
    await test.dispatch(Lost())
    await clock.advance(by: .seconds(1))
    await test.dispatch(QueryChanged("abc"))
    await test.receive(Found.self) { $0.results = ["abc"] }
    let heard = await issues { await test.dispatch(Clear()) { $0.results = ["x"] } }
    #expect(heard.count == 1)
    #expect(heard.first?.contains("results: expected [\"x\"], is []") == true)
    await test.finish()
  }

  @Test func `all but some parts`() async throws {
    let test = try searchTest(.stub, clock, exhaustivity: .except(\.log, \.results))
    await test.dispatch(QueryChanged("a")) { $0.query = "a" }
    await clock.advance(by: .seconds(1))
    // `Found` changes only what need not be said.
    await test.finish()
    let said = try searchTest(.stub, clock, exhaustivity: .except(\.log))
    let heard = await issues {
      await said.dispatch(QueryChanged("a")) {
        $0.log = ["b"]; $0.query = "a"
      }
    }
    #expect(heard.count == 1)
    #expect(heard.first?.contains("log: expected [\"b\"], is [\"a\"]") == true)
    #expect(await issues { await said.finishLeavingEffects() } == [])
  }

  @Test func `some parts only`() async throws {
    let test = try searchTest(.stub, clock, exhaustivity: .only(\.results))
    await test.dispatch(QueryChanged("a"))
    await clock.advance(by: .seconds(1))
    let heard = await issues { await test.finish() }
    #expect(heard.count == 1)
    #expect(heard.first?.hasPrefix("`Found(results: [\"ac\"])` was not received") == true)
  }

  @Test func `what a step passes over is not received later`() async throws {
    let test = try searchTest(.stub, clock, exhaustivity: .off)
    for query in ["a", "b"] {
      await test.dispatch(QueryChanged(query))
      await clock.advance(by: .seconds(1))
    }
    await test.receive(Found(["bc"])) { $0.results = ["bc"] }
    let heard = await issues { await test.receive(Found.self) }
    #expect(heard == ["`Found` was expected, and does not come:\n  nothing is under way"])
    #expect(await issues { await test.finish() } == [])
  }

  @Test func `for a while`() async throws {
    let test = try searchTest(.stub, clock)
    test.exhaustivity = .off
    await test.dispatch(QueryChanged("a"))
    test.exhaustivity = .on
    await test.dispatch(Clear()) { $0.query = "" }
    await test.finishLeavingEffects()
  }

  #if compiler(>=6.3)
    @Test func `what is skipped can be shown, and fails nothing`() async throws {
      let test = try searchTest(.stub, clock, exhaustivity: .offShowingSkipped)
      let line = #line + 2
      let heard = await heardIssues {
        await test.dispatch(QueryChanged("a"))
        await clock.advance(by: .seconds(1))
        await test.finish()
      }
      #expect(heard.map(\.line) == [line, line])
      #expect(heard.map(\.fails) == [false, false])
      #expect(
        heard.map { $0.text.replacing(#/\.swift:\d+/#, with: ".swift") } == [
          """
          `QueryChanged(query: "a")` also changed what the test skips:
            query: expected "", is "a"
            log: expected [], is ["a"]
          """,
          """
          `Found(results: ["ac"])` was not received by any step:
            results: [] → ["ac"]
            dispatched at LensedTestingTests/SearchModel.swift, set off by #1 `QueryChanged(query: "a")` dispatched at \
          LensedTestingTests/ExhaustivityTests.swift
          """,
        ])
    }
  #endif

  @Test func `what is skipped can be skipped by name`() async throws {
    let test = try searchTest(.stub, clock)
    await test.dispatch(QueryChanged("a")) { $0.query = "a" }
    await clock.advance(by: .seconds(1))
    await test.skipReceived()
    await test.finish()
  }
}
