import Lensed
import LensedTestSupport
import Testing

// What the end of the article shows: what comes and goes, and what is refused.
extension CompositionGuideTests {
  @Test func `a feature comes to each child, and leaves it`() async throws {
    struct List: Sendable {
      var todos: Entities<Todo> = [Todo(id: 7)]
    }
    let journal = Recorder<String>()

    // GUIDE: Coming and going
    let watched = Feature<Todo>(
      "watched",
      onInstall: { todo in journal.append("there is \(todo.state.id)") },
      onRemove: { journal.append("one has gone") }
    ) {
      todo
      Effect(whenChanged: \.isDone, .serial) { isDone, context in
        journal.append("\(context.state.id) is done: \(isDone)")
      }
    }
    let store = try Store(initialState: List()) { watched.identified().lifted(\.todos) }
    try await store.dispatch(TodoAction.toggle.element(7)).finish()
    // GUIDE: end
    #expect(journal.values == ["there is 7", "7 is done: true"])
  }

  @Test func `faults are named`() throws {
    struct List: Sendable {
      var todos: Entities<Todo> = [Todo(id: 7)]
    }
    var sentences = ""
    // GUIDE: Faults
    let incomplete = Feature<Todo> {
      Mutator(\.title) { (title: inout String, action: TodoAction) in }
      Mutator(\.title) { (title: inout String, _: Reload) in }
    }
    do {
      _ = try Store(initialState: List()) { incomplete.identified().lifted(\.todos) }
    } catch {
      sentences = "\(error)"
    }
    // GUIDE: end
    #expect(sentences.contains("`todos[…].title` has two reducers"))
    #expect(sentences.contains("`todos[7].id` has no reducer"))
    #expect(sentences.contains("`todos[7].isDone` has no reducer"))
  }

  @Test func `a feature comes and goes`() async throws {
    struct List: Sendable {
      var todos: Entities<Todo> = [Todo(id: 7)]
    }
    struct Add: Action { let todo: Todo }
    let journal = Recorder<String>()

    // GUIDE: Coming and going
    let store = Store(initialState: List(), coverage: .partial)
    let listing = Feature<List> {
      Mutator(\.todos) { (todos: inout Entities<Todo>, add: Add) in todos.append(add.todo) }
      todo.identified().lifted(\.todos)
      Effect(on: Add.self, .latest) { _, context in
        journal.append("\(context.todos.count) to do")
      }
    }
    try store.register(listing)
    try await store.dispatch(Add(todo: Todo(id: 8))).finish()
    try store.replace(  // newest first from now on; the feature, its effect and the to-dos stay
      Mutator(\.todos) { (todos: inout Entities<Todo>, add: Add) in
        todos.insert(add.todo, at: 0)
      })
    store.unregister(\.todos)  // with the list go its effect, and the feature of the to-dos
    try store.register(listing)  // and can come again
    // GUIDE: end
    try await store.dispatch(Add(todo: Todo(id: 9))).finish()
    try await store.dispatch(ElementAction(id: 9, action: Reload())).finish()
    #expect(journal.values == ["2 to do", "3 to do"])
    #expect(store.todos[id: 9]?.title == "Title 9")
  }
}
