import Foundation
import Lensed
import LensedTestSupport
import Testing

/// What the guide for those who come from Redux shows, word for word.
@Suite("Contract: the code of the guide from Redux", .timeLimit(.minutes(30)))
struct ComingFromReduxTests {
  protocol TodoAPI: Sendable {
    func todos() async throws -> [Todo]
  }

  // GUIDE: The feature
  struct Todo: Sendable, Equatable, Codable, Identifiable {
    let id: Int
    var title: String
    var isDone = false
  }
  struct Todos: Sendable {
    var all: Entities<Todo> = []
    var status = Status.idle
    var showsDone = true
    enum Status: Sendable, Equatable { case idle, loading, failed }

    static let visible = Derived.filter(\Todos.all, with: \Todos.showsDone) { todo, showsDone in
      showsDone || !todo.isDone
    }
  }

  struct TodoAdded: Action, Codable { let todo: Todo }
  struct TodoToggled: Action, Codable { let id: Int }
  struct DoneShown: Action, Codable { let isShown: Bool }
  struct FetchTodos: Action, Codable {}
  enum Fetched: Action { case todos([Todo]), failed }
  // GUIDE: end

  // GUIDE: The slice
  func todos(_ api: any TodoAPI) -> Feature<Todos> {
    Feature {
      Mutator(\.all) { (all: inout Entities<Todo>, action: TodoAdded) in
        all.append(action.todo)
      }
      .on(TodoToggled.self) { all, action in all[id: action.id]?.isDone.toggle() }
      .on(Fetched.self) { all, fetched in
        guard case .todos(let todos) = fetched else { return }
        all.removeAll()
        all.upsert(contentsOf: todos)
      }
      Mutator(\.status) { (status: inout Todos.Status, _: FetchTodos) in status = .loading }
        .on(Fetched.self) { status, fetched in
          if case .failed = fetched { status = .failed } else { status = .idle }
        }
      Mutator(\.showsDone) { (showsDone: inout Bool, action: DoneShown) in
        showsDone = action.isShown
      }
      Effect(
        on: FetchTodos.self, .latest,
        catch: { _, context in context.dispatch(Fetched.failed) }
      ) { _, _ in
        Fetched.todos(try await api.todos())
      }
      .ended { end, _ in
        switch end {
        case .finished, .failed, .superseded: nil
        case .cancelled, .gone: Fetched.failed
        }
      }
    }
  }
  // GUIDE: end

  private struct Answers: TodoAPI {
    var isDown = false

    func todos() async throws -> [Todo] {
      if isDown { throw URLError(.notConnectedToInternet) }
      return [Todo(id: 1, title: "Write"), Todo(id: 2, title: "Read")]
    }
  }

  @Test func `they are fetched, toggled and derived`() async throws {
    let api = Answers()
    // GUIDE: Waiting for it
    let store = try Store(initialState: Todos(), todos(api))
    try await store.dispatch(FetchTodos()).finish()
    store.dispatch([TodoToggled(id: 1), DoneShown(isShown: false)] as [any Action])
    #expect(store[Todos.visible].map(\.title) == ["Read"])
    // GUIDE: end
    #expect(store.status == .idle)
  }

  @Test func `a failure is a status`() async throws {
    let store = try Store(initialState: Todos(), todos(Answers(isDown: true)))
    let task = store.dispatch(FetchTodos())
    try await task.finish()
    #expect(store.status == .failed)
  }

  // GUIDE: Both in one app
  struct ReduxAction: Decodable {
    let action: any Action

    enum Field: CodingKey { case type, payload }
    struct Unknown: Error { let type: String }

    init(from decoder: any Decoder) throws {
      let fields = try decoder.container(keyedBy: Field.self)
      action =
        switch try fields.decode(String.self, forKey: .type) {
        case "todos/added": TodoAdded(todo: try fields.decode(Todo.self, forKey: .payload))
        case "todos/toggled": TodoToggled(id: try fields.decode(Int.self, forKey: .payload))
        case "todos/fetch": FetchTodos()
        case let type: throw Unknown(type: type)
        }
    }
  }
  func receive(_ json: String, in store: Store<Todos>) throws {
    store.dispatch(try JSONDecoder().decode(ReduxAction.self, from: Data(json.utf8)).action)
  }
  func mirror(
    _ store: Store<Todos>, post: @escaping @Sendable (String) -> Void
  ) -> StoreSubscription {
    store.states(Todos.visible).subscribe { visible in
      guard let json = try? JSONEncoder().encode(visible) else { return }
      post(String(decoding: json, as: UTF8.self))
    }
  }
  // GUIDE: end

  @Test func `actions come as JSON, and the state goes as JSON`() throws {
    let store = try Store(initialState: Todos(), todos(Answers()))
    let posted = Recorder<String>()
    let mirroring = mirror(store, post: { posted.append($0) })
    try receive(
      #"{"type": "todos/added", "payload": {"id": 7, "title": "Sleep", "isDone": false}}"#,
      in: store)
    try receive(#"{"type": "todos/toggled", "payload": 7}"#, in: store)
    #expect(throws: ReduxAction.Unknown.self) { try receive(#"{"type": "x"}"#, in: store) }
    let lists = try posted.values.map {
      try JSONDecoder().decode([Todo].self, from: Data($0.utf8))
    }
    #expect(lists.map { $0.map(\.isDone) } == [[], [false], [true]])
    mirroring.cancel()
  }

  @Test func `the guide shows these very lines, and no others in Swift`() throws {
    let marked = try CodeRegions.marked("GUIDE", in: #filePath)
    #expect(marked.count == 4)
    #expect(try CodeRegions.swiftBlocks(ofArticle: "ComingFromRedux") == marked)
  }
}
