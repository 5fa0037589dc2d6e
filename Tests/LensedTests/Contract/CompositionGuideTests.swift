import Lensed
import LensedTestSupport
import Testing

/// What the article `Composition` shows, word for word: between the marks stand the very lines of its code.
@Suite("Contract: the code of the guide to composition", .timeLimit(.minutes(30)))
struct CompositionGuideTests {
  /// What the guide calls `api`.
  struct API: Sendable {
    let gate: Gate
    let log = Recorder<String>()

    init(isOpen: Bool = true) {
      gate = Gate()
      if isOpen { gate.open() }
    }

    func title(of id: Int) async throws -> String {
      log.append("asked \(id)")
      do { try await gate.wait() } catch {
        log.append("cancelled \(id)")
        throw error
      }
      return "Title \(id)"
    }
  }

  // GUIDE: The model
  struct Todo: Sendable, Equatable, Identifiable {
    let id: Int
    var title = ""
    var isDone = false
  }
  enum TodoAction: Action { case rename(String), toggle }
  struct Reload: Action {}
  // GUIDE: end

  static func makeTodo(_ api: API) -> Feature<Todo> {
    // GUIDE: A feature
    let todo = Feature<Todo> {
      Constant(\.id)
      Mutator(\.title) { (title: inout String, action: TodoAction) in
        if case .rename(let new) = action { title = new }
      }
      Mutator(\.isDone) { (isDone: inout Bool, action: TodoAction) in
        if case .toggle = action { isDone.toggle() }
      }
      Effect(on: Reload.self, .latest) { _, context in
        TodoAction.rename(try await api.title(of: context.id))
      }
      .named("Reload")
    }
    // GUIDE: end
    return todo
  }

  private let api = API()
  var todo: Feature<Todo> { Self.makeTodo(api) }

  @Test func `a feature runs alone`() async throws {
    let printed = Recorder<Todo>()
    func print(_ todo: Todo) { printed.append(todo) }
    // GUIDE: Alone
    let store = try Store(initialState: Todo(id: 7), todo)
    store.dispatch(TodoAction.toggle)
    try await store.dispatch(Reload()).finish()
    print(store.state)  // Todo(id: 7, title: "Title 7", isDone: true)
    // GUIDE: end
    #expect(printed.values == [Todo(id: 7, title: "Title 7", isDone: true)])
  }

  @Test func `a reducer reads a sibling`() throws {
    // GUIDE: Siblings
    enum FormAction: Action { case type(String), save }
    struct Editor: Sendable {
      var form = ""
      var saved: [String] = []
    }
    let editor = Feature<Editor> {
      Mutator(\.form) { (form: inout String, action: FormAction) in
        switch action {
        case .type(let text): form = text
        case .save: form = ""
        }
      }
      Mutator(\.saved) { (saved: inout [String], _: Reload) in saved = [] }
        .on(FormAction.self, reading: \.form) { saved, action, form in
          // The form as it was before this action, though its reducer has emptied it.
          if case .save = action { saved.append(form) }
        }
    }
    // GUIDE: end
    let store = try Store(initialState: Editor(), editor)
    store.dispatch([FormAction.type("Dune"), .save])
    #expect(store.form == "")
    #expect(store.saved == ["Dune"])
  }

  @Test func `a feature is lifted to where its state is`() throws {
    // GUIDE: Lifted
    struct Home: Sendable {
      var first = Todo(id: 1)
      var count = 0
    }
    struct Count: Action {}
    let store = try Store(initialState: Home()) {
      todo.lifted(\.first)
      Mutator(\.count) { (count: inout Int, _: Count) in count += 1 }
    }
    store.dispatch(TodoAction.rename("Write"))
    // GUIDE: end
    #expect(store.first.title == "Write")
  }

  @Test func `two instances of a feature are kept apart by tags`() async throws {
    // GUIDE: Tagged
    enum Left {}
    enum Right {}
    struct Pair: Sendable {
      var left = Todo(id: 1)
      var right = Todo(id: 2)
    }
    let store = try Store(initialState: Pair()) {
      todo.tagged(Left.self).lifted(\.left)
      todo.tagged(Right.self).lifted(\.right)
    }
    store.dispatch(TodoAction.toggle.tagged(Left.self))
    try await store.dispatch(Reload().tagged(Right.self)).finish()
    // GUIDE: end
    #expect(store.left == Todo(id: 1, isDone: true))
    #expect(store.right == Todo(id: 2, title: "Title 2"))
  }

  @Test func `a feature of rows stands beside the mutator of the list`() async throws {
    // GUIDE: Rows
    struct List: Sendable {
      var todos: Entities<Todo> = []
    }
    enum ListAction: Action { case add(Todo), remove(Int) }
    let store = try Store(initialState: List()) {
      Mutator(\.todos) { (todos: inout Entities<Todo>, action: ListAction) in
        switch action {
        case .add(let todo): todos.append(todo)
        case .remove(let id): todos[id: id] = nil
        }
      }
      todo.identified().lifted(\.todos)
    }
    store.dispatch(ListAction.add(Todo(id: 7)))
    store.dispatch(TodoAction.toggle.element(7))
    try await store.dispatch(Reload().element(7)).finish()
    // GUIDE: end
    #expect(store.todos[id: 7] == Todo(id: 7, title: "Title 7", isDone: true))
  }

  @Test func `features of keys, offsets, optionals and cases`() async throws {
    // GUIDE: Children
    struct App: Sendable {
      var byDay: [String: Todo] = [:]
      var slots: [Todo] = []
      var editing: Todo?
      var page = Page.home
    }
    enum Page: Sendable { case home, todo(Todo) }
    let todoPage = Prism<Page, Todo>(
      embed: Page.todo, extract: { if case .todo(let todo) = $0 { todo } else { nil } })
    enum Editing {}
    let store = try Store(
      initialState: App(byDay: ["Monday": Todo(id: 1)], page: .todo(Todo(id: 2)))
    ) {
      todo.keyed(by: String.self).lifted(\.byDay)  // action.element("Monday")
      todo.offset().lifted(\.slots)  // action.element(0)
      todo.optional().lifted(\.editing).tagged(Editing.self)
      todo.matching(todoPage).lifted(\.page)
    }
    store.dispatch(TodoAction.toggle.element("Monday"))
    try await store.dispatch(Reload()).finish()  // of the page
    // GUIDE: end
    #expect(store.byDay["Monday"]?.isDone == true)
    #expect(todoPage.extract(store.page)?.title == "Title 2")
  }

  @Test func `an app with one action enum lifts a feature by a prism`() throws {
    // GUIDE: One enum
    enum AppAction: Action { case todo(TodoAction), quit }
    let todoActions = Prism<AppAction, TodoAction>(
      embed: AppAction.todo, extract: { if case .todo(let action) = $0 { action } else { nil } })
    let store = try Store(initialState: Todo(id: 1), todo.lifted(action: todoActions))
    store.dispatch(AppAction.todo(.rename("Wide")))
    // GUIDE: end
    #expect(store.title == "Wide")
  }

  @Test func `features lie in features, to any depth`() async throws {
    // GUIDE: Deep
    struct Project: Sendable, Identifiable {
      let id: String
      var todos: Entities<Todo> = []
      var name = ""
    }
    struct Workspace: Sendable {
      var projects: Entities<Project> = []
    }
    struct Rename: Action { let name: String }
    let project = Feature<Project> {
      Constant(\.id)
      Mutator(\.name) { (name: inout String, action: Rename) in name = action.name }
      todo.identified().lifted(\.todos)
    }
    let store = try Store(
      initialState: Workspace(projects: [Project(id: "house", todos: [Todo(id: 7)])])
    ) {
      project.identified().lifted(\.projects)
    }
    let reload = Reload().element(7).element("house")
    try await store.dispatch(reload).finish()
    // GUIDE: end
    #expect(store.projects[id: "house"]?.todos[id: 7]?.title == "Title 7")
  }

  @Test func `a child asks for state from above`() async throws {
    let journal = Recorder<String>()
    // GUIDE: State from above
    struct Shop: Sendable {
      var rates = Rates()
      var items: Entities<Item> = []
    }
    struct Rates: Sendable, Equatable { var percent = 10 }
    struct Item: Sendable, Equatable, Identifiable {
      let id: Int
      var price = 100
    }
    enum RatesAction: Action { case set(Int) }
    struct Reprice: Action {}
    struct Announce: Action {}
    struct Clear: Action {}
    let total = Derived(\Item.price, .given(Rates.self)) { price, rates in
      price + price * rates.percent / 100
    }
    let item = Feature<Item> {
      Constant(\.id)
      Mutator(\.price) { (price: inout Int, _: Clear) in price = 0 }
        .on(Reprice.self, given: Rates.self) { price, _, rates in
          price += price * rates.percent / 100
        }
      Effect(on: Announce.self) { _, context in
        journal.append("\(context.id) at \(context.given(Rates.self).percent) %")
      }
      .needing(Rates.self)
      Effect(whenChanged: .given(Rates.self), .latest) { rates, context in
        journal.append("\(context.id): now \(rates.percent) %")
      }
    }
    let store = try Store(initialState: Shop(items: [Item(id: 7)])) {
      Mutator(\.rates) { (rates: inout Rates, action: RatesAction) in
        if case .set(let percent) = action { rates.percent = percent }
      }
      item.identified().lifted(\.items, giving: \.rates)
    }
    store.dispatch(Reprice().element(7))  // 110
    try await store.dispatch(Announce().element(7)).finish()
    try await store.dispatch(RatesAction.set(20)).finish()
    let withRates = store.scope(\.items, id: 7)?[total]  // 132
    // GUIDE: end
    #expect(store.items[id: 7]?.price == 110)
    #expect(withRates == 132)
    #expect(journal.values == ["7 at 10 %", "7: now 20 %"])
    #expect(throws: RegistrationError.self) { try Store(initialState: Item(id: 7), item) }
    let alone = try Store(initialState: Item(id: 7), item.giving(Rates(percent: 50)))
    alone.dispatch(Reprice())
    #expect(alone.price == 150)
  }

  @Test func `one policy for each row, for each key, and for each case`() async throws {
    // GUIDE: Keys
    struct Search: Action { let field: String; let text: String }
    enum Query: Action { case text(String), reset }
    struct Form: Sendable {
      var found: [String] = []
    }
    struct Found: Action { let text: String }
    let form = Feature<Form> {
      Mutator(\.found) { (found: inout [String], action: Found) in found.append(action.text) }
      // A search in one field cancels none in another.
      Effect(on: Search.self, .latest, per: \.field) { search, _ in Found(text: search.text) }
      // Only one case is a trigger: a `reset` cancels nothing.
      Effect(
        on: Query.self, matching: { if case .text(let text) = $0 { text } else { nil } }, .latest
      ) { text, _ in Found(text: text) }
    }
    // GUIDE: end
    let store = try Store(initialState: Form(), form)
    try await store.dispatch(Search(field: "a", text: "x")).finish()
    try await store.dispatch([Query.text("y"), Query.reset]).finish()
    #expect(store.found == ["x", "y"])
  }

  @Test func `the guide shows these very lines, and no others in Swift`() throws {
    let later = #filePath.replacing("CompositionGuideTests", with: "CompositionGuideTests+Coming")
    let marked = try [#filePath, later].flatMap { try CodeRegions.marked("GUIDE", in: $0) }
    #expect(marked.count == 15)
    #expect(try CodeRegions.swiftBlocks(ofArticle: "Composition") == marked)
  }
}
