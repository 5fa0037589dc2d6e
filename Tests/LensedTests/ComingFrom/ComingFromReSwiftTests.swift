import Lensed
import LensedTestSupport
import Testing

/// What the guide for those who come from ReSwift shows, word for word.
@Suite("Contract: the code of the guide from ReSwift", .timeLimit(.minutes(30)))
struct ComingFromReSwiftTests {
  protocol Server: Sendable {
    func todos() async -> [String]
  }

  // GUIDE: The feature
  struct AppState: Sendable {
    var todos: [String] = []
    var isLoading = false
  }
  struct AddTodo: Action { let title: String }
  struct LoadTodos: Action {}
  struct TodosLoaded: Action { let titles: [String] }
  struct LoadingEnded: Action {}

  func makeStore(_ server: any Server) throws -> Store<AppState> {
    try Store(initialState: AppState()) {
      Mutator(\.todos) { (todos: inout [String], action: AddTodo) in
        todos.append(action.title)
      }
      .on(TodosLoaded.self) { todos, action in todos = action.titles }
      Mutator(\.isLoading) { (isLoading: inout Bool, _: LoadTodos) in isLoading = true }
        .on(LoadingEnded.self) { isLoading, _ in isLoading = false }
      Effect(on: LoadTodos.self, .first) { _, _ in TodosLoaded(titles: await server.todos()) }
        .ended { _, _ in LoadingEnded() }
    }
  }

  @MainActor
  final class TodosView {
    private(set) var titles: [String] = []
    private var subscription: StoreSubscription?

    func appear(in store: Store<AppState>) {
      subscription = store.states(\.todos).subscribe(onMain: { [weak self] titles in
        self?.titles = titles
      })
    }
    func disappear() { subscription = nil }
  }
  // GUIDE: end

  /// Answers once its gate is open, if it has one.
  private struct GatedServer: Server {
    var gate: Gate?
    let asked = Recorder<Int>()

    func todos() async -> [String] {
      asked.append(1)
      try? await gate?.wait()
      return ["Write"]
    }
  }

  @Test func `the list is loaded`() async throws {
    let server = GatedServer()
    // GUIDE: Waiting for it
    let store = try makeStore(server)
    try await store.dispatch(LoadTodos()).finish()
    #expect(store.todos == ["Write"])
    #expect(!store.isLoading)
    // GUIDE: end
  }

  @Test func `it is loaded once at a time`() async throws {
    let gate = Gate()
    let server = GatedServer(gate: gate)
    let store = try makeStore(server)
    let first = store.dispatch(LoadTodos())
    let second = store.dispatch(LoadTodos())
    #expect(store.isLoading)
    try await second.finish()
    gate.open()
    try await first.finish()
    #expect(server.asked.count == 1)
  }

  @MainActor
  @Test func `a view shows the part while it is there`() async throws {
    let (store, view) = (try makeStore(GatedServer()), TodosView())
    view.appear(in: store)
    store.dispatch(AddTodo(title: "Read"))
    while view.titles != ["Read"] { await Task.yield() }
    view.disappear()
    let seen = Recorder<[String]>()
    let other = store.states(\.todos).subscribe(onMain: { seen.append($0) })
    store.dispatch(AddTodo(title: "Sleep"))
    await seen.wait(untilLast: { $0.count == 2 })
    #expect(view.titles == ["Read"])
    other.cancel()
  }

  // GUIDE: What there is
  protocol OldAction {}
  struct OldState: Sendable, Equatable { var visits = 0 }
  struct Visit: OldAction, Action {}

  func oldReducer(action: any OldAction, state: OldState?) -> OldState {
    var state = state ?? OldState()
    if action is Visit { state.visits += 1 }
    return state
  }
  // GUIDE: end

  // GUIDE: Both in one app
  struct NewState: Sendable {
    var old = OldState()
    var todos: [String] = []
  }

  func makeNewStore() throws -> Store<NewState> {
    try Store(initialState: NewState()) {
      Mutator(
        lens: Lens(\.old),
        everyAction: { (state: NewState, action: any Action) -> OldState in
          guard let action = action as? any OldAction else { return state.old }
          return oldReducer(action: action, state: state.old)
        })
      Mutator(\.todos) { (todos: inout [String], action: AddTodo) in
        todos.append(action.title)
      }
    }
  }
  // GUIDE: end

  @Test func `an old reducer runs in the new store`() throws {
    let store = try makeNewStore()
    store.dispatch([Visit(), AddTodo(title: "Write"), Visit()] as [any Action])
    #expect(store.old == OldState(visits: 2))
    #expect(store.todos == ["Write"])
  }

  @Test func `the guide shows these very lines, and no others in Swift`() throws {
    let marked = try CodeRegions.marked("GUIDE", in: #filePath)
    #expect(marked.count == 4)
    #expect(try CodeRegions.swiftBlocks(ofArticle: "ComingFromReSwift") == marked)
  }
}
