import Foundation
import Lensed
import LensedTestSupport
import LensedTesting
import Testing

/// What the article `Testing` shows, word for word: between the marks stand the very lines of its code.
@Suite(.timeLimit(.minutes(30))) struct `The guide to testing` {
  @Test func `a reducer alone`() {
    // GUIDE: Reducer
    let counter = Reducer { (count: inout Int, amount: Add) in count += amount.number }
    var count = 1
    counter.reduce(&count, Add(number: 2))
    #expect(count == 3)
    // GUIDE: end
  }

  struct Add: Action, Hashable { var number: Int }

  // GUIDE: Feature
  struct Search: Sendable, Equatable {
    var query = ""
    var results: [String] = []
    var asked = 0
  }
  struct QueryChanged: Action, Hashable { var query: String }
  struct Found: Action, Hashable { var results: [String] }

  func search<C: Clock<Duration>>(_ api: API, _ clock: C) -> Feature<Search> {
    Feature {
      Mutator(\.query) { (query: inout String, action: QueryChanged) in query = action.query }
      Mutator(\.asked) { (asked: inout Int, _: QueryChanged) in asked += 1 }
      Mutator(\.results) { (results: inout [String], action: Found) in
        results = action.results
      }
      Effect(on: QueryChanged.self, .latest) { action, context in
        try await clock.sleep(for: .milliseconds(300))
        return Found(results: try await api.titles(action.query))
      }
    }
  }
  // GUIDE: end

  struct API: Sendable {
    var titles: @Sendable (String) async throws -> [String]
    static let stub = API { [$0 + "c"] }
  }

  @Test func `step by step`() async throws {
    // GUIDE: Steps
    let clock = ManualClock()
    let test = try TestStore(initialState: Search(), search(.stub, clock))
    await test.dispatch(QueryChanged(query: "ab")) {
      $0.query = "ab"
      $0.asked = 1
    }
    await clock.advance(by: .milliseconds(300))
    await test.receive(Found.self) { $0.results = ["abc"] }
    await test.finish()
    // GUIDE: end
  }

  @Test func `in flight`() async throws {
    let clock = ManualClock()
    // GUIDE: Gates
    let answers = Gate()
    let slow = API { query in
      try await answers.wait()
      return [query]
    }
    let test = try TestStore(
      initialState: Search(), search(slow, clock), exhaustivity: .except(\.asked))
    await test.dispatch(QueryChanged(query: "a")) { $0.query = "a" }
    await clock.advance(by: .milliseconds(300))  // the first one asks
    await test.dispatch(QueryChanged(query: "ab")) { $0.query = "ab" }
    await clock.advance(by: .milliseconds(300))  // the second one took its place, and asks
    answers.open()
    await test.receive(Found(results: ["ab"])) { $0.results = ["ab"] }
    await test.finish()  // nothing came of the first
    // GUIDE: end
  }

  // GUIDE: Page
  enum Page: Sendable, Equatable { case empty, loading, loaded(String), failed }
  struct Load: Action, Hashable { var id: Int }
  struct Reader: Sendable, Equatable { var page = Page.empty }

  func reader(_ load: @escaping @Sendable (Int) async throws -> String) -> Feature<Reader> {
    Feature {
      AsyncMutator(\.page) { (page: Page, event: Load) -> AsyncResult<Page> in
        AsyncResult { try await load(event.id) }
          .map(Page.loaded).whileLoading(.loading).recover { _ in .failed }
      }
    }
  }
  // GUIDE: end

  @Test func `outcomes`() async throws {
    // GUIDE: Outcomes
    let test = try TestStore(initialState: Reader(), reader { "page \($0)" })
    await test.dispatch(Load(id: 7))  // queues the event, and changes nothing
    await test.receive(outcomeOf: \.page) { $0.page = .loading }
    await test.receive(outcomeOf: \.page) { $0.page = .loaded("page 7") }
    await test.finish()
    // GUIDE: end
  }

  @Test func `of the app`() async throws {
    let clock = ManualClock()
    // GUIDE: App
    @Sendable func makeAppStore() throws -> Store<Search> {
      try Store(initialState: Search(), search(.stub, clock))
    }
    let test = try TestStore(exhaustivity: .only(\.results)) { try makeAppStore() }
    let shown = Recorder<[String]>()
    let view = test.store.states(\.results).subscribe { shown.append($0) }
    test.store.dispatch(QueryChanged(query: "ab"))  // as a view does
    await test.rest()
    await clock.run()
    await test.receive(Found.self) { $0.results = ["abc"] }
    #expect(shown.values == [[], ["abc"]])
    await test.finish()
    view.cancel()
    // GUIDE: end
  }

  @Test func `alone with a clock`() async {
    // GUIDE: Clock
    let (clock, scheduler, ticks) = (ManualClock(), TestScheduler(), Recorder<Int>())
    let task = Task(executorPreference: scheduler) {
      for number in 1...3 {
        try await clock.sleep(for: .seconds(1))
        ticks.append(number)
      }
    }
    await scheduler.rest()  // it sleeps now
    await clock.advance(by: .seconds(2))
    #expect(ticks.values == [1, 2])
    task.cancel()
    // GUIDE: end
  }

  @Test func `laws`() {
    let clock = ManualClock()
    // GUIDE: Laws
    expectLawful(\Search.query, over: [Search(), Search(query: "a")], writing: ["", "é"])
    expectOwned(Search()) { search(.stub, clock) }
    // GUIDE: end
  }

  @Test func `exploration`() async {
    // GUIDE: Explore
    let exploration = await explore(
      store: { clock in try Store(initialState: Search(), search(.stub, clock)) },
      actions: .any(Generator.string(of: "ab", count: 0...2).map { QueryChanged(query: $0) }),
      seed: 7, steps: 200,
      invariants: [
        Invariant("an answer is one to a query", of: \Search.results) { $0.count <= 1 },
        Invariant("what was asked is counted") { $0.asked <= $1.asked },
      ])
    #expect(exploration.neverExercised == [])
    // GUIDE: end
  }

  @Test func `the guide and the tests say the same`() throws {
    let guide = try CodeRegions.swiftBlocks(ofArticle: "Testing")
    let own = try CodeRegions.marked("GUIDE", in: #filePath)
    let pulse = CodeRegions.package
      .appending(path: "Tests/RepoPulseTests/RecordingExplorationTests.swift").path
    #expect(!guide.isEmpty)
    #expect(guide == (try own + CodeRegions.marked("GUIDE", in: pulse)))
    // The landing page shows the same steps.
    #expect(try CodeRegions.swiftBlocks(ofArticle: "LensedTesting") == [own[2]])
  }
}
