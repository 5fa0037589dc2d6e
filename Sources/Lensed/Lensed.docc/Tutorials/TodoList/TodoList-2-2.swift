import Lensed

struct Todo: Sendable, Equatable, Identifiable {
  let id: Int
  var title: String
  var isDone = false
}

struct AppState: Sendable {
  var count = 0
  var todos: Entities<Todo> = []
}

enum CountAction: Action {
  case increase, reset
}

enum ListAction: Action {
  case add(String), clearDone
}

let counter = Mutator(\AppState.count) {
  (count: inout Int, action: CountAction) in
  switch action {
  case .increase: count += 1
  case .reset: count = 0
  }
}

let list = Mutator(\AppState.todos) {
  (todos: inout Entities<Todo>, action: ListAction) in
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
    counter
    list
  }
}
