import Lensed
import LensedTestSupport
import LensedTesting
import Testing

@Suite("request: the first answer among what an action sets off", .timeLimit(.minutes(30)))
struct RequestTests {
  private struct Search: Action { let text: String }
  private struct Step: Action { let text: String }
  private struct Found: Action, Equatable { let text: String }
  private struct Row: Sendable, Identifiable {
    let id: Int
    var found = ""
  }
  private struct App: Sendable {
    var found: [String] = []
    var rows: Entities<Row> = [Row(id: 1), Row(id: 2)]
  }

  private let gate = Gate()
  private let begun = Recorder<String>()

  private func makeStore() throws -> Store<App> {
    let (gate, begun) = (gate, begun)
    let row = Feature<Row> {
      Constant(\.id)
      Mutator(\.found) { (text: inout String, found: Found) in text = found.text }
      Effect(on: Search.self) { search, context in Found(text: "\(context.id) \(search.text)") }
    }
    return try Store(initialState: App(), coverage: .partial, onWarning: { _ in }) {
      Mutator(\.found) { (texts: inout [String], found: Found) in texts.append(found.text) }
        .on(Step.self) { _, _ in }.on(Search.self) { _, _ in }
      row.identified().lifted(\.rows)
      Effect(on: Search.self) { search, context in
        begun.append(search.text)
        if search.text.isEmpty { return }
        try await gate.wait()
        context.dispatch(Step(text: search.text))
        context.dispatch(Step(text: "\(search.text)!"))
      }
      Effect(on: Step.self, .serial) { step, _ in Found(text: step.text) }
    }
  }

  @Test func `the first answer of the tree is returned, and the state has it`() async throws {
    let store = try makeStore()
    gate.open()
    let found = try await store.request(Search(text: "a"), answeredBy: Found.self)
    #expect(found == Found(text: "a"))
    #expect(store.found.contains("a"))
    // What is left of the tree goes on.
    try await store.settled()
    #expect(store.found == ["a", "a!"])
  }

  @Test func `an equal answer to somebody else is none`() async throws {
    let store = try makeStore()
    async let first = store.request(Search(text: "a"), answeredBy: Found.self)
    async let second = store.request(Search(text: "b"), answeredBy: Found.self)
    await begun.waitForCount(2)
    store.dispatch(Found(text: "stray"))
    gate.open()
    let texts = try await [first.text, second.text]
    #expect(texts == ["a", "b"])
  }

  @Test func `the request itself can be the answer, and be in a list`() async throws {
    let store = try makeStore()
    let own = try await store.request(Found(text: "x"), answeredBy: Found.self)
    #expect(own.text == "x")
    let inList = try await store.request(
      ActionList([Search(text: ""), Found(text: "y")]), answeredBy: Found.self)
    #expect(inList.text == "y")
  }

  @Test func `without an answer, it throws once all has ended`() async throws {
    let store = try makeStore()
    let error = await #expect(throws: RequestError.self) {
      try await store.request(Search(text: ""), answeredBy: Found.self)
    }
    #expect(error == .unanswered(request: "Search", answer: "Found"))
    await #expect(throws: RequestError.self) {
      try await store.request(ActionList([]), answeredBy: Found.self)
    }
  }

  @Test func `cancelling whoever waits cancels the dispatch`() async throws {
    let store = try makeStore()
    let task = Task { try await store.request(Search(text: "a"), answeredBy: Found.self) }
    await begun.waitForCount(1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    gate.open()
    try await store.settled()
    #expect(store.found == [])
  }

  @Test func `a scope asks in its own terms`() async throws {
    let store = try makeStore()
    let row = try #require(store.scope(\.rows, id: 2))
    let found = try await row.request(Search(text: "q"), answeredBy: Found.self)
    #expect(found.text == "2 q")
  }

  @Test func `the end of the store ends the wait`() async throws {
    let begun = begun
    let task: Task<Found, any Error>
    do {
      let store = try makeStore()
      let scope = store.asScope
      task = Task { try await scope.request(Search(text: "a"), answeredBy: Found.self) }
      await begun.waitForCount(1)
    }
    await #expect(throws: (any Error).self) { try await task.value }
  }

  @Test func `a wait for oneself is found`() async throws {
    let errors = Recorder<any Error>()
    let store = try Store(initialState: 0, onEffectError: { errors.append($0.underlying) }) {
      Mutator(\.self) { (count: inout Int, _: Search) in count += 1 }
      Effect(on: Search.self, .serial) { search, context in
        if search.text == "outer" {
          _ = try await context.request(Search(text: "inner"), answeredBy: Found.self)
        }
      }
    }
    try await store.dispatch(Search(text: "outer")).finish()
    #expect(errors.values.first is DispatchDeadlock)
  }
}
