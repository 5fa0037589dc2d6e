import Lensed
import LensedTestSupport
import Testing

/// What the README shows, word for word: between the marks stand the very lines of its code blocks.
@Suite("Contract: the README's code")
struct ReadmeTests {
  @Test func `the example does what its comments say`() throws {
    let printed = Recorder<String>()
    @Sendable func print(_ line: Any) { printed.append("\(line)") }

    // README: An example
    struct AppState {
      var counter = 0
      var notes: [String] = []
    }
    enum CounterAction: Action { case increase, reset }
    struct Note: Action { let text: String }

    let store = try Store(initialState: AppState()) {
      Mutator(\.counter) { (counter: inout Int, action: CounterAction) in
        counter = action == .reset ? 0 : counter + 1
      }
      Mutator(\.notes) { (notes: inout [String], note: Note) in notes.append(note.text) }
    }
    let subscription = store.states(\.counter).subscribe { print("counter: \($0)") }  // counter: 0
    store.dispatch(CounterAction.increase)  // counter: 1
    store.dispatch([CounterAction.increase, Note(text: "hi")])  // one commit, counter: 2
    // README: end

    #expect(printed.values == ["counter: 0", "counter: 1", "counter: 2"])
    #expect(store.notes == ["hi"])
    subscription.cancel()
  }

  @Test func `one action enum for everything runs every reducer`() throws {
    typealias AppState = Model
    let runs = Counter()

    // README: One enum per feature, before
    enum AppAction: Action {
      case increase(Int)
      case logIn(String)
      case logOut
    }
    let counter = Mutator(\AppState.counter) { (counter: inout Int, action: AppAction) in
      switch action {
      case .increase(let amount): counter += amount
      case .logOut: counter = 0
      default: break
      }
    }
    // README: end

    let store = try Store(initialState: AppState()) {
      counter
      Mutator(\.user) { (_: inout String?, _: AppAction) in runs.increment() }
    }
    store.dispatch([AppAction.increase(2), .logIn("Ann")])
    #expect(store.counter == 2)
    store.dispatch(AppAction.logOut)
    #expect(store.counter == 0)
    #expect(runs.value == 3)
  }

  @Test func `an enum for each feature keeps them apart`() throws {
    typealias AppState = Model

    // README: One enum per feature, after
    enum CounterAction: Action {
      case increase(Int)
    }
    enum UserAction: Action {
      case logIn(String)
    }
    struct LogOut: Action {}

    let counter = Mutator(\AppState.counter) { (counter: inout Int, action: CounterAction) in
      switch action {
      case .increase(let amount): counter += amount
      }
    }
    .on(LogOut.self) { counter, _ in counter = 0 }

    let user = Mutator(\AppState.user) { (user: inout String?, action: UserAction) in
      switch action {
      case .logIn(let name): user = name
      }
    }
    .on(LogOut.self) { user, _ in user = nil }
    // README: end

    let store = try Store(initialState: AppState()) {
      counter
      user
    }
    let heard = Recorder<String?>()
    let subscription = store.states(\.user, repeats: .kept).subscribe { heard.append($0) }
    store.dispatch([CounterAction.increase(2), UserAction.logIn("Ann")])
    store.dispatch(CounterAction.increase(1))
    #expect(store.counter == 3)
    store.dispatch(LogOut())
    #expect(store.counter == 0)
    #expect(heard.values == [nil, "Ann", nil])
    subscription.cancel()
  }

  @Test func `a feature fits in an app with one enum`() throws {
    typealias AppState = Model
    enum CounterAction: Action {
      case increase(Int)
    }
    let counter = Mutator(\AppState.counter) { (counter: inout Int, action: CounterAction) in
      switch action {
      case .increase(let amount): counter += amount
      }
    }

    // README: One enum per feature, meanwhile
    enum AppAction: Action {
      case counter(CounterAction)
      case logIn(String)
    }
    let inApp = counter.lifted(
      action: Prism<AppAction, CounterAction>(
        embed: AppAction.counter,
        extract: { if case .counter(let action) = $0 { action } else { nil } }))
    // README: end

    let store = try Store(initialState: AppState()) {
      inApp
      Unreduced(\.user)
    }
    let heard = Recorder<Int>()
    let subscription = store.states(\.counter, repeats: .kept).subscribe { heard.append($0) }
    store.dispatch(AppAction.logIn("Ann"))
    store.dispatch(AppAction.counter(.increase(2)))
    #expect(heard.values == [0, 2])
    subscription.cancel()
  }

  @Test(.timeLimit(.minutes(10))) func `an effect answers an action, and an event its state`()
    async throws
  {
    struct Search: Action { let text: String }
    struct Found: Action { let titles: [String] }
    enum Page: Sendable { case start, loading, showing(String), failed }
    enum PageEvent: Action { case open(String) }
    struct AppState: Sendable {
      var titles: [String] = []
      var page = Page.start
    }
    struct Library: Sendable {
      func titles(with text: String) async throws -> [String] { ["\(text) I", "\(text) II"] }
      func text(of title: String) async throws -> String { "\(title): once upon a time" }
    }
    let library = Library()

    // README: Effects
    let search = Effect<AppState>(on: Search.self, .latest) { search, _ in
      Found(titles: try await library.titles(with: search.text))
    }
    // README: end

    // README: Asynchronous reducers
    let page = AsyncMutator(\AppState.page) { (page: Page, event: PageEvent) -> AsyncResult<Page> in
      switch event {
      case .open(let title):
        AsyncResult { try await library.text(of: title) }
          .map(Page.showing).whileLoading(.loading).recover { _ in .failed }
      }
    }
    // README: end

    let store = try Store(initialState: AppState()) {
      Mutator(\.titles) { (titles: inout [String], found: Found) in titles = found.titles }
      page
      search
    }
    try await store.dispatch(Search(text: "Dune")).finish()
    #expect(store.titles == ["Dune I", "Dune II"])
    try await store.dispatch(PageEvent.open("Dune I")).finish()
    guard case .showing("Dune I: once upon a time") = store.page else {
      Issue.record("\(store.page)")
      return
    }
  }

  @MainActor
  @Test func `a store is logged, undone and observed`() throws {
    let printed = Recorder<String>()
    @Sendable func print(_ line: Any) { printed.append("\(line)") }
    enum CounterAction: Action { case increase }
    struct AppState { var counter = 0 }

    // README: Logs and undo
    let history = History<AppState>(limit: 100)
    let store = try Store(
      initialState: AppState(), middleware: [ActionLogger(to: { print($0) }), history]
    ) {
      Mutator(\.counter) { (counter: inout Int, action: CounterAction) in counter += 1 }
    }
    store.dispatch(CounterAction.increase)  // prints the action, from where, and counter: 0 → 1
    history.undo()  // counter is 0 again
    // README: end

    #expect(store.counter == 0)
    let logged = printed.values.joined(separator: "\n")
    #expect(logged.contains("CounterAction.increase at LensedTests/ReadmeTests.swift:"))
    #expect(logged.contains("counter: 0 → 1"))

    // README: Views
    let observed = ObservedStore(store)
    observed.dispatch(CounterAction.increase)
    print(observed.counter)  // 1
    // README: end

    #expect(printed.last == "1")
  }

  @Test func `the README shows these very lines, and no others in Swift`() throws {
    let marked = try Self.markedRegions()
    #expect(marked.count == 8)
    #expect(try Self.swiftBlocks() == marked)
  }

  @Test func `the example is fifteen lines long`() throws {
    let example = try #require(try Self.markedRegions().first)
    #expect(example.count { !$0.isEmpty } == 15)
  }

  private struct Model: Sendable {
    var counter = 0
    var user: String?
  }

  /// The lines between the marks of this file.
  private static func markedRegions() throws -> [[String]] {
    try CodeRegions.marked("README", in: #filePath)
  }

  /// The lines of the README's blocks of Swift code, but for the one that belongs in a manifest.
  private static func swiftBlocks() throws -> [[String]] {
    try CodeRegions.swiftBlocks(of: "README.md").filter { block in
      !block.contains { $0.hasPrefix(".package(") }
    }
  }
}
