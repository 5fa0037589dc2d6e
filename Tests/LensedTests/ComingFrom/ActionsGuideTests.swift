import Lensed
import LensedTestSupport
import Testing

/// What the guide to actions shows, word for word: between the marks stand the very lines of its code.
@Suite("Contract: the code of the guide to actions", .timeLimit(.minutes(30)))
struct ActionsGuideTests {
  private struct AppState: Sendable {
    var counter = 0
    var user: String?
  }

  @Test func `one action enum for everything runs every reducer`() throws {
    let runs = Counter()

    // GUIDE: One enum per feature, before
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
    // GUIDE: end

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
    // GUIDE: One enum per feature, after
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
    // GUIDE: end

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
    enum CounterAction: Action {
      case increase(Int)
    }
    let counter = Mutator(\AppState.counter) { (counter: inout Int, action: CounterAction) in
      switch action {
      case .increase(let amount): counter += amount
      }
    }

    // GUIDE: One enum per feature, meanwhile
    enum AppAction: Action {
      case counter(CounterAction)
      case logIn(String)
    }
    let inApp = counter.lifted(
      action: Prism<AppAction, CounterAction>(
        embed: AppAction.counter,
        extract: { if case .counter(let action) = $0 { action } else { nil } }))
    // GUIDE: end

    let store = try Store(initialState: AppState()) {
      inApp
      Constant(\.user)
    }
    let heard = Recorder<Int>()
    let subscription = store.states(\.counter, repeats: .kept).subscribe { heard.append($0) }
    store.dispatch(AppAction.logIn("Ann"))
    store.dispatch(AppAction.counter(.increase(2)))
    #expect(heard.values == [0, 2])
    subscription.cancel()
  }

  @Test(.warnsOnPurpose) func `a task says which commit came of its dispatch`() throws {
    enum CounterAction: Action { case increase(Int) }
    enum UserAction: Action { case logIn(String) }
    let counter = Mutator(\AppState.counter) { (counter: inout Int, action: CounterAction) in
      if case .increase(let amount) = action { counter += amount }
    }
    let user = Mutator(\AppState.user) { (user: inout String?, action: UserAction) in
      if case .logIn(let name) = action { user = name }
    }

    // GUIDE: What became of an action
    struct Unknown: Action {}
    let store = try Store(initialState: AppState()) {
      counter
      user
    }
    let task = store.dispatch([CounterAction.increase(2), UserAction.logIn("Ann")])
    let number = task.revision  // 1: an array is one commit
    let isHandled = task.isHandled  // true
    let isKnown = store.dispatch(Unknown()).isHandled  // false: no reducer is for it
    // GUIDE: end

    #expect(number == 1)
    #expect(isHandled == true)
    #expect(isKnown == false)
    #expect(store.dispatch([any Action]()).revision == nil)
  }

  // GUIDE: Actions that a feature keeps to itself
  struct Suggestions: Sendable, Equatable {
    var query = ""
    var words: [String] = []

    struct Typed: Action { let text: String }
    private struct Answered: Action { let words: [String] }

    static func feature(
      _ look: @escaping @Sendable (String) async throws -> [String]
    ) -> Feature<Suggestions> {
      Feature {
        Mutator(\.query) { (query: inout String, action: Typed) in query = action.text }
        Mutator(\.words) { (words: inout [String], action: Answered) in words = action.words }
        Effect(on: Typed.self, .latest) { typed, _ in
          Answered(words: try await look(typed.text))
        }
      }
    }
  }
  // GUIDE: end

  @Test func `a test takes what it cannot name`() async throws {
    // GUIDE: Testing them
    let test = try TestStore(initialState: Suggestions(), Suggestions.feature { ["\($0)!"] })
    await test.dispatch(Suggestions.Typed(text: "a")) { $0.query = "a" }
    await test.skipReceived()
    #expect(test.state.words == ["a!"])
    await test.finish()
    // GUIDE: end
  }

  @Test func `who has seen a private action can dispatch it again, as a replay does`() async throws
  {
    let seen = Recorder<any Action>()
    let store = try Store(
      initialState: Suggestions(), Suggestions.feature { ["\($0)!"] },
      middleware: [Watch<Suggestions>(seen: seen)])
    try await store.dispatch(Suggestions.Typed(text: "a")).finish()
    try await store.dispatch(Suggestions.Typed(text: "b")).finish()
    #expect(store.words == ["b!"])
    let answer = try #require(seen.values.first { !($0 is Suggestions.Typed) })
    store.dispatch(answer)
    #expect(store.words == ["a!"])
  }

  private struct Watch<State: Sendable>: Middleware {
    let seen: Recorder<any Action>

    func didReduce(_ change: Change<State>) {
      if let action = change.action { seen.append(action) }
    }
  }

  @Test func `the guide shows these very lines, and no others in Swift`() throws {
    let marked = try CodeRegions.marked("GUIDE", in: #filePath)
    #expect(marked.count == 6)
    #expect(try CodeRegions.swiftBlocks(ofArticle: "Actions") == marked)
  }
}
