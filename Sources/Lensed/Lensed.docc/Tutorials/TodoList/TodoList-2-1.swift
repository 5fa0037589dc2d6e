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

let counter = Mutator(\AppState.count) {
  (count: inout Int, action: CountAction) in
  switch action {
  case .increase: count += 1
  case .reset: count = 0
  }
}

func makeStore(
  _ state: AppState = AppState()
) throws -> Store<AppState> {
  try Store(initialState: state) {
    counter
  }
}
