import Lensed
import LensedTestSupport
import Testing

private enum DerivedGuide {
  // GUIDE: The app
  struct App: Sendable {
    var todos: [Todo] = []
    var filter = Filter.all
    var author: Int?
  }
  struct Todo: Sendable, Equatable, Identifiable {
    let id: Int
    var title: String
    var author = 0
    var isDone = false
  }
  enum Filter: Sendable, Equatable {
    case all, open, done

    func matches(_ todo: Todo) -> Bool {
      switch self {
      case .all: true
      case .open: !todo.isDone
      case .done: todo.isDone
      }
    }
  }

  enum TodoAction: Action { case add(Todo), toggle(id: Int), rename(id: Int, String) }
  enum FilterAction: Action { case show(Filter) }
  // GUIDE: end

  // GUIDE: Making one
  enum Todos {
    static let visible = Derived(\App.todos, \App.filter) { todos, filter in
      todos.filter(filter.matches)
    }
    static let openCount = Derived(\App.todos) { todos in todos.count { !$0.isDone } }
    static let badge = Derived(openCount) { count in count > 99 ? "99+" : "\(count)" }
  }
  // GUIDE: end

  static func makeStore() throws -> Store<App> {
    try Store(initialState: App(todos: [Todo(id: 1, title: "Write"), Todo(id: 2, title: "Rest")])) {
      Mutator(\App.todos) { (todos: inout [Todo], action: TodoAction) in
        switch action {
        case .add(let todo): todos.append(todo)
        case .toggle(let id):
          for index in todos.indices where todos[index].id == id { todos[index].isDone.toggle() }
        case .rename(let id, let title):
          for index in todos.indices where todos[index].id == id { todos[index].title = title }
        }
      }
      Mutator(\App.filter) { (filter: inout Filter, action: FilterAction) in
        switch action {
        case .show(let shown): filter = shown
        }
      }
      Constant(\App.author)
    }
  }
}

/// What the article `DerivedValues` shows, word for word: between the marks stand the very lines of its code.
@Suite("Contract: the code of the guide to derived values", .timeLimit(.minutes(30)))
struct DerivedGuideTests {
  private typealias App = DerivedGuide.App
  private typealias Todo = DerivedGuide.Todo
  private typealias Todos = DerivedGuide.Todos
  private typealias TodoAction = DerivedGuide.TodoAction
  private typealias FilterAction = DerivedGuide.FilterAction

  @Test func `it is read like a property`() throws {
    let store = try DerivedGuide.makeStore()
    // GUIDE: Reading one
    store.dispatch(FilterAction.show(.open))
    let titles = store[Todos.visible].map(\.title)  // ["Write", "Rest"]
    let badge = store[Todos.badge]  // "2"
    // GUIDE: end
    #expect(titles == ["Write", "Rest"])
    #expect(badge == "2")
  }

  @Test func `it is observed like a property`() async throws {
    let store = try DerivedGuide.makeStore()
    let (shown, saved) = (Recorder<String>(), Recorder<Int>())
    @Sendable func show(_ text: String) { shown.append(text) }
    @Sendable func save(_ todos: [Todo]) { saved.append(todos.count) }
    // GUIDE: Observing one
    let subscription = store.states(Todos.badge).subscribe { badge in show(badge) }
    let saving = store.install(
      Effect(whenChanged: Todos.visible, .latest) { todos, _ in save(todos) })
    store.dispatch(TodoAction.rename(id: 1, "Rewrite"))  // shows nothing new, and saves
    try await store.dispatch(TodoAction.toggle(id: 1)).finish()  // shows "1", and saves
    // GUIDE: end
    #expect(shown.values == ["2", "1"])
    #expect(saved.values.last == 2)
    subscription.cancel()
    saving.cancel()
  }

  @Test func `a view shows one`() async throws {
    try await MainActor.run {
      let store = try DerivedGuide.makeStore()
      // GUIDE: In a view
      let observed = ObservedStore(store)
      let titles = observed[Todos.visible].map(\.title)
      // GUIDE: end
      #expect(titles == ["Write", "Rest"])
    }
  }

  @Test func `a feature has its own`() throws {
    // GUIDE: Lifting one
    struct Root: Sendable {
      var app = App()
      var isOnline = true
    }
    let root = Store(initialState: Root(), coverage: .partial)
    let status = Derived(Todos.badge.lifted(\Root.app), \Root.isOnline) { badge, isOnline in
      isOnline ? badge : "offline"
    }
    let badge = root.scope(\.app)[Todos.badge]  // the scope and the lifted one share one value
    // GUIDE: end
    #expect(root[status] == "0")
    #expect(badge == "0")
  }

  @Test func `a family has one for each key`() throws {
    let store = try DerivedGuide.makeStore()
    // GUIDE: One for each key
    let byAuthor = DerivedFamily<App, Int, [Todo]>(limit: 100) { author in
      Derived(\App.todos) { todos in todos.filter { $0.author == author } }
    }
    let mine = store[byAuthor[0]]
    // GUIDE: end
    #expect(mine.count == 2)
  }

  @Test func `values follow rows`() throws {
    // GUIDE: Rows
    struct Board: Sendable {
      var cards: Entities<Card> = []
      var query = ""
    }
    struct Card: Sendable, Equatable, Identifiable {
      let id: Int
      var title: String
      var column = 0
      var points = 0
    }
    // GUIDE: end
    // GUIDE: Following rows
    enum Cards {
      static let found = Derived.filter(\Board.cards, with: \Board.query) { card, query in
        card.title.hasPrefix(query)
      }
      static let byTitle = Derived.sorted(found, by: \.title)
      static let columns = Derived.grouped(byTitle, by: \.column)
      static let points = Derived.reduced(
        \Board.cards, 0, adding: { $0 += $1.points }, removing: { $0 -= $1.points })
      static let unrated = Derived.count(of: \Board.cards) { card in card.points == 0 }
    }
    // GUIDE: end
    // GUIDE: Reading what follows rows
    struct Rate: Action { let points: Int }
    let card = Reducer { (card: inout Card, action: Rate) in card.points = action.points }
    let cards: Entities<Card> = [
      Card(id: 7, title: "Write", column: 1), Card(id: 8, title: "Walk", column: 1),
      Card(id: 9, title: "Rest"),
    ]
    let board = try Store(initialState: Board(cards: cards)) {
      Mutator(\.cards, card.identified())
      Constant(\.query)
    }
    let doing = board[Cards.columns][id: 1]?.rows.map(\.title)  // ["Walk", "Write"]
    board.dispatch(Rate(points: 5).element(7))
    let points = board[Cards.points]  // 5
    // GUIDE: end
    #expect(doing == ["Walk", "Write"] && points == 5 && board[Cards.unrated] == 2)
  }

  @Test func `a narrow one first keeps the rest green`() throws {
    let store = try DerivedGuide.makeStore()
    let computed = Recorder<Int>()
    // GUIDE: A firewall
    let titles = Derived(\App.todos) { todos in todos.map(\.title) }
    let index = Derived(titles) { titles in
      computed.append(titles.count)
      return Dictionary(grouping: titles, by: \.first)
    }
    _ = store[index]
    store.dispatch(TodoAction.toggle(id: 1))
    _ = store[index]  // no title has changed, so the index was not made again
    // GUIDE: end
    #expect(computed.count == 1)
  }

  @Test func `it is tested without a store`() {
    // GUIDE: Testing one
    let app = App(todos: [Todo(id: 1, title: "Write", isDone: true)])
    #expect(Todos.badge.value(in: app) == "0")
    // GUIDE: end
  }

  @Test func `a change knows it`() async throws {
    let store = try DerivedGuide.makeStore()
    let badges = Recorder<String>()
    // GUIDE: In a change
    let watching = store.changes(keepingPrevious: true).subscribe(onMain: { change in
      if change.didChange(Todos.badge) { badges.append(change[Todos.badge]) }
    })
    // GUIDE: end
    store.dispatch(TodoAction.toggle(id: 1))
    store.dispatch(TodoAction.toggle(id: 2))
    await badges.wait(untilLast: { $0 == "0" })
    watching.cancel()
    #expect(badges.values == ["1", "0"])
  }

  @Test func `the guide shows these very lines, and no others in Swift`() throws {
    let marked = try CodeRegions.marked("GUIDE", in: #filePath)
    #expect(marked.count == 13)
    #expect(try CodeRegions.swiftBlocks(ofArticle: "DerivedValues") == marked)
  }
}
