import Lensed

/// One of the two columns: which lines it shows.
struct Pane: Sendable, Equatable {
  var filter = Filter.all
  var query = ""

  enum Filter: Sendable, Equatable { case all, open, done }

  func shows(_ todo: Todo) -> Bool {
    switch filter {
    case .all: break
    case .open: if todo.isDone { return false }
    case .done: if !todo.isDone { return false }
    }
    return query.isEmpty || todo.title.contains(query)
  }
}

enum PaneAction: Action, Equatable { case show(Pane.Filter), search(String) }

extension Pane {
  static var feature: Feature<Pane> {
    Feature {
      Mutator(\.filter) { (filter: inout Filter, action: PaneAction) in
        if case .show(let new) = action { filter = new }
      }
      Mutator(\.query) { (query: inout String, action: PaneAction) in
        if case .search(let new) = action { query = new }
      }
    }
  }
}

/// The tags of the two panes.
enum Left {}
enum Right {}

/// What the panes show.
enum Visible {
  static let left = Derived.filter(\AppState.document.todos, with: \AppState.left) { todo, pane in
    pane.shows(todo)
  }
  static let right = Derived.filter(\AppState.document.todos, with: \AppState.right) {
    (todo, pane) in pane.shows(todo)
  }
  static let openCount = Derived.count(of: \AppState.document.todos) { !$0.isDone }
}
