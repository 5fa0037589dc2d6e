import Lensed
import LensedTestSupport
import LensedTesting
import Testing

@Suite("The issues of a TestStore say what set off a commit", .timeLimit(.minutes(30)))
struct IssueChainTests {
  struct State: Sendable, Equatable {
    var query = ""
    var found = ""
    var shown = ""
  }
  struct Query: Action { let text: String }
  struct Found: Action { let text: String }
  struct Shown: Action { let text: String }
  struct Stray: Action {}
  struct Broken: Error {}

  private func makeTest(_ last: Effect<State>) throws -> TestStore<State> {
    try TestStore(initialState: State()) {
      Mutator(\.query) { (query: inout String, action: Query) in query = action.text }
      Mutator(\.found) { (found: inout String, action: Found) in found = action.text }
      Mutator(\.shown) { (shown: inout String, action: Shown) in shown = action.text }
      Effect(on: Query.self) { action, context in
        context.dispatch(Found(text: action.text), fileID: "Shop/Search.swift", line: 41)
      }.named("Search")
      last
    }
  }

  private static let show = Effect<State>(on: Found.self) { action, context in
    context.dispatch(Shown(text: action.text), fileID: "Shop/Show.swift", line: 7)
  }.named("Show")

  private static let chain =
    "set off by #2 `Found(text: \"a\")` by the effect Search (Shop/Search.swift), set off by "
    + "#1 `Query(text: \"a\")` dispatched at Shop/Tests.swift"

  private func query(_ test: TestStore<State>) async {
    await test.dispatch(Query(text: "a"), fileID: "Shop/Tests.swift", line: 3) { $0.query = "a" }
  }

  @Test func `of a commit that no step receives`() async throws {
    let test = try makeTest(Self.show)
    await query(test)
    await test.receive(Found.self) { $0.found = "a" }
    let heard = await issues { await test.finish() }
    #expect(
      heard == [
        """
        `Shown(text: "a")` was not received by any step:
          shown: "" → "a"
          dispatched at Shop/Show.swift by the effect Show, \(Self.chain)
        """
      ])
  }

  @Test func `of a commit that changes what the step does not say`() async throws {
    let test = try makeTest(Self.show)
    await query(test)
    await test.receive(Found.self) { $0.found = "a" }
    let heard = await issues { await test.receive(Shown.self) }
    #expect(heard.count == 1)
    #expect(heard.first?.hasSuffix("by the effect Show, \(Self.chain)") == true, "\(heard)")
    await test.finish()
  }

  @Test func `of an error, and of a warning, though what set them off has ended`() async throws {
    let test = try makeTest(
      Effect<State>(on: Found.self) { _, context in
        await Task.yield()
        context.dispatch(
          ElementAction(id: 1, action: Stray()), fileID: "Shop/Show.swift", line: 8)
        throw Broken()
      }.named("Show"))
    await query(test)
    await test.receive(Found.self) { $0.found = "a" }
    let heard = await issues {
      await test.receive(ElementAction<Int, Stray>.self)
      await test.finish()
    }
    let whole = "#1 `Query(text: \"a\")` dispatched at Shop/Tests.swift"
    #expect(heard.count == 2)
    for issue in heard { #expect(issue.contains(whole), "\(issue)") }
    #expect(
      heard.contains {
        $0.contains("by the effect Search (Shop/Search.swift), set off by \(whole): Broken()")
      })
  }
}
