import Lensed

struct AppState: Sendable {
  var count = 0
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
