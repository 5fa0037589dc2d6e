import Lensed

struct Todo: Sendable, Equatable, Identifiable {
  let id: Int
  var title: String
  var isDone = false
}

struct AppState: Sendable {
  var todos: Entities<Todo> = []
}

enum ListAction: Action {
  case add(String), clearDone
}

enum TodoAction: Action {
  case toggle, rename(String)
}

let todo = Reducer { (todo: inout Todo, action: TodoAction) in
  switch action {
  case .toggle: todo.isDone.toggle()
  case .rename(let title): todo.title = title
  }
}

let list = Mutator(\AppState.todos, todo.identified())
  .on(ListAction.self) { todos, action in
    switch action {
    case .add(let title):
      todos.append(Todo(id: (todos.last?.id ?? 0) + 1, title: title))
    case .clearDone: todos.removeAll(where: \.isDone)
    }
  }

func makeStore(
  _ state: AppState = AppState()
) throws -> Store<AppState> {
  try Store(initialState: state) {
    list
  }
}
