import Lensed
import LensedTestSupport
import Testing

/// What the article `Effects` shows, word for word: between the marks stand the very lines of its code.
@Suite("Contract: the code of the guide to effects", .timeLimit(.minutes(30)))
struct EffectsGuideTests {
  typealias AppState = GuideApp.AppState
  typealias Session = GuideApp.Session
  typealias Shelf = GuideApp.Shelf
  typealias Page = GuideApp.Page
  typealias Search = GuideApp.Search
  typealias Found = GuideApp.Found
  typealias Failed = GuideApp.Failed
  typealias LogIn = GuideApp.LogIn
  typealias LogOut = GuideApp.LogOut
  typealias Stock = GuideApp.Stock
  typealias PageEvent = GuideApp.PageEvent
  typealias Library = GuideApp.Library

  func makeStore(
    @StoreBuilder<AppState> _ more: () -> [StorePart<AppState>] = { [] }
  ) throws -> Store<AppState> {
    try GuideApp.store(more)
  }

  @Test func `an effect dispatches what came of it`() async throws {
    let library = GuideApp.Library()
    let store = try GuideApp.store()

    // GUIDE: An effect
    let search = Effect<AppState>(on: Search.self, .latest) { search, context in
      let titles = try await library.titles(with: search.text)
      context.dispatch(Found(titles: titles))
    }
    let installed = store.install(search)
    try await store.dispatch(Search(text: "Dune")).finish()
    // GUIDE: end

    #expect(store.titles == ["Dune I", "Dune II"])
    installed.cancel()
  }

  @Test func `an effect may answer instead`() async throws {
    let library = GuideApp.Library()

    // GUIDE: Answers
    let answers = Feature<AppState>("answers") {
      // One action, or an array of them.
      Effect(on: Search.self, .latest) { search, _ in
        Found(titles: try await library.titles(with: search.text))
      }
      // Perhaps one, of any type.
      Effect(on: LogIn.self) { logIn, context in
        context.titles.isEmpty ? Search(text: logIn.user) : nil
      }
      // An asynchronous sequence of actions: the effect runs until it ends.
      Effect(on: LogOut.self) { _, _ in
        AsyncStream<Failed> { goodbyes in
          for word in ["so", "long"] { goodbyes.yield(Failed(reason: word)) }
          goodbyes.finish()
        }
      }
    }
    // GUIDE: end

    let store = try GuideApp.store { answers }
    try await store.dispatch(LogIn(user: "Ann")).finish()
    #expect(store.titles == ["Ann I", "Ann II"])
    let reasons = Recorder<String?>()
    let subscription = store.states(\.failure).subscribe { reasons.append($0) }
    try await store.dispatch(LogOut()).finish()
    #expect(reasons.values == [nil, "so", "long"])
    subscription.cancel()
  }

  @Test func `each policy has its use`() async throws {
    let library = GuideApp.Library()
    let visits = Counter()
    @Sendable func note(_ user: String) { visits.increment() }

    // GUIDE: Policies
    let policies = Feature<AppState>("policies") {
      // Only the newest matters: what is on its way for the one before is dropped.
      Effect(on: Search.self, .latest) { search, _ in
        Found(titles: try await library.titles(with: search.text))
      }
      // One is enough: while it runs, another would do the same work again.
      Effect(on: LogIn.self, .first) { logIn, _ in
        Found(titles: try await library.titles(with: logIn.user))
      }
      // Each must be done, in order: the second may build on the first.
      Effect(on: Failed.self, .serial) { failed, _ in
        note(failed.reason)
      }
      // Each must be done, in any order, but not all at once.
      Effect(on: Stock.self, .limited(4)) { stock, _ in
        Found(titles: ["\(try await library.count(of: stock.shelf)) books"])
      }
      // They have nothing to do with each other.
      Effect(on: LogOut.self, .concurrent) { _, _ in
        note("goodbye")
      }
    }
    // GUIDE: end

    let store = try GuideApp.store { policies }
    try await store.dispatch([Search(text: "a"), Search(text: "b")]).finish()
    #expect(store.titles == ["b I", "b II"])
    try await store.dispatch([Failed(reason: "x"), LogOut()]).finish()
    #expect(visits.value == 2)
    try await store.dispatch(Stock(shelf: 3)).finish()
    #expect(store.titles == ["30 books"])
  }

  @Test func `a condition decides, and a value can set an effect off`() async throws {
    let library = GuideApp.Library()

    // GUIDE: Conditions
    let conditions = Feature<AppState>("conditions") {
      Effect(
        on: LogIn.self, .first,
        when: { _, change in change.previous?.session == nil && change.state.titles.isEmpty }
      ) { logIn, _ in
        Found(titles: try await library.titles(with: logIn.user))
      }
      Effect(whenChanged: \.query, .latest) { query, _ in
        Found(titles: try await library.titles(with: query))
      }
    }
    // GUIDE: end

    let store = try GuideApp.store { conditions }
    try await store.dispatch(LogIn(user: "Ann")).finish()
    try await store.dispatch(LogIn(user: "Bob")).finish()
    try await store.dispatch([Search(text: "Emma"), Search(text: "Dune")]).finish()
    try await store.dispatch(Search(text: "Dune")).finish()
    #expect(library.asked.values == ["Ann", "Dune"])
  }

  @Test func `cancelling reaches the whole tree`() async throws {
    let library = GuideApp.Library(gate: Gate())
    // GUIDE: Cancelling
    let oneByOne = Effect<AppState>(on: Search.self, .serial) { search, _ in
      Found(titles: try await library.titles(with: search.text))
    }
    let store = try makeStore {
      oneByOne.cancelled(on: LogOut.self)
    }
    let running = store.dispatch(Search(text: "Dune"))
    let queued = store.dispatch(Search(text: "Emma"))
    queued.cancel()  // has not begun, and never will
    store.dispatch(LogOut())  // ends the one that runs
    // GUIDE: end

    try await running.finish()
    await #expect(throws: CancellationError.self) { try await queued.finish() }
    #expect(store.titles.isEmpty)
    #expect(library.asked.values.allSatisfy { $0 == "Dune" })
  }

  @Test func `a dispatch waits for all that it started`() async throws {
    let library = GuideApp.Library()
    let errors = Recorder<String>()

    // GUIDE: Waiting
    let logIn = Effect<AppState>(on: LogIn.self, .serial) { logIn, context in
      // The search alone is waited for; what it starts goes on by itself.
      try await context.dispatch(Search(text: logIn.user)).finish(.applied)
    }
    // GUIDE: end

    let store = try GuideApp.store(errors: errors) {
      logIn
      Effect(on: Search.self) { search, _ in
        Found(titles: try await library.titles(with: search.text))
      }
      Effect(on: Failed.self, .serial) { failed, context in
        if failed.reason == "outer" {
          try await context.dispatch(Failed(reason: "inner")).finish()
        }
      }
    }
    try await store.dispatch(LogIn(user: "Ann")).finish()
    #expect(store.titles == ["Ann I", "Ann II"])
    try await store.dispatch(Failed(reason: "outer")).finish()
    #expect(errors.values.count == 1)
    #expect(errors.values.first?.contains("waits for finish() of") == true)
  }

  @Test func `a request has the answer of its own tree`() async throws {
    let library = GuideApp.Library()
    let store = try GuideApp.store {
      Effect(on: Search.self) { search, _ in
        Found(titles: try await library.titles(with: search.text))
      }
    }

    // GUIDE: Requests
    let found = try await store.request(Search(text: "Dune"), answeredBy: Found.self)
    // GUIDE: end

    #expect(found.titles == ["Dune I", "Dune II"])
    await #expect(throws: RequestError.self) {
      try await store.request(Search(text: "?"), answeredBy: Found.self)
    }
  }

  @Test func `an effect waits for what comes later`() async throws {
    let (clock, greetings) = (ManualClock(), Recorder<String>())
    @Sendable func greet(_ user: String, _ titles: [String]) {
      greetings.append("\(user): \(titles)")
    }

    // GUIDE: Later
    let welcome = Effect<AppState>(on: LogIn.self, .latest) { logIn, context in
      context.dispatch(Search(text: logIn.user))
      // The answer may have come before this line is reached: it is found all the same.
      let found = try await context.next(
        Found.self, where: { found, _ in !found.titles.isEmpty },
        within: .seconds(30), clock: clock
      )
      // Until the state is as it has to be: now, or after some later commit.
      try await context.until { $0.session != nil }
      greet(logIn.user, found.titles)
    }
    .keepingChanges()
    // GUIDE: end

    let store = try GuideApp.store { welcome }
    let task = store.dispatch(LogIn(user: "Ann"))
    store.dispatch(Found(titles: []))
    store.dispatch(Found(titles: ["Dune"]))
    try await task.finish()
    #expect(greetings.values == [#"Ann: ["Dune"]"#])
  }

  @Test func `an effect reads every later commit`() async throws {
    let tape = Recorder<UInt64>()

    // GUIDE: Changes
    let recording = Effect<AppState>(on: LogIn.self, .latest) { _, context in
      for await change in context.changes() { tape.append(change.revision) }
    }
    .keepingChanges(limit: 100)
    // GUIDE: end

    let store = try GuideApp.store { recording }
    let task = store.dispatch(LogIn(user: "Ann"))
    store.dispatch(Search(text: "a"))
    store.dispatch([Search(text: "b"), Search(text: "c")])
    await tape.waitForCount(2)
    task.cancel()
    #expect(tape.values == [2, 3])
  }

  @Test func `an error goes to whoever is nearest`() async throws {
    let library = GuideApp.Library()
    let errors = Recorder<String>()
    @Sendable func log(_ line: String) { errors.append(line) }

    // GUIDE: Errors
    let store = try Store(
      initialState: AppState(), coverage: .partial,
      onEffectError: { error in log("\(error)") }
    ) {
      Mutator(\.failure) { (failure: inout String?, action: Failed) in failure = action.reason }
      // This one knows what its failure means.
      Effect(
        on: Search.self, .latest,
        catch: { error, context in context.dispatch(Failed(reason: "\(error)")) }
      ) { search, _ in
        Found(titles: try await library.titles(with: search.text))
      }
      // This one does not: the error reaches the store.
      Effect(on: LogIn.self) { logIn, _ in
        Found(titles: try await library.titles(with: logIn.user))
      }
      .named("reading list")
    }
    // GUIDE: end

    try await store.dispatch(Search(text: "?")).finish()
    #expect(store.failure == "no answer to `?`")
    #expect(errors.values.isEmpty)
    try await store.dispatch(LogIn(user: "?")).finish()
    let line = try #require(errors.values.first)
    #expect(line.contains("the effect reading list failed for"))
    #expect(line.contains("no answer to `?`"))
  }

  @Test func `an effect ends with what it is for`() async throws {
    let library = GuideApp.Library(gate: Gate())
    let store = try GuideApp.store()
    store.dispatch(LogIn(user: "Ann"))

    // GUIDE: Lifetimes
    let search = Effect<AppState>(on: Search.self, .latest) { search, _ in
      Found(titles: try await library.titles(with: search.text))
    }
    let installed = store.install(search.tied(to: \.session))
    // GUIDE: end

    let running = store.dispatch(Search(text: "Dune"))
    await library.asked.waitForCount(1)
    store.dispatch(LogOut())
    try await running.finish()
    try await store.dispatch(Search(text: "Emma")).finish()
    #expect(library.asked.values == ["Dune"])
    installed.cancel()
  }

  @Test func `the guide shows these very lines, and no others in Swift`() throws {
    let model = #filePath.replacing("EffectsGuideTests", with: "EffectsGuideModel")
    let later = #filePath.replacing("EffectsGuideTests", with: "EffectsGuideTests+Lifetimes")
    let marked = try [model, #filePath, later].flatMap { try CodeRegions.marked("GUIDE", in: $0) }
    #expect(marked.count == 18)
    #expect(try CodeRegions.swiftBlocks(ofArticle: "Effects") == marked)
  }
}
