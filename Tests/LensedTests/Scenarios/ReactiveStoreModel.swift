import Lensed

/// The scenario of the reactive store: a counter and a user, each with a reducer that sees every
/// action and gives its part back untouched for one it does not know.
struct ReactiveState: Sendable, Equatable {
  var counterState = CounterState.empty
  var userState = UserState.loggedOut

  enum CounterState: Sendable, Equatable {
    case empty
    case increasing(Int)
    case decreasing(Int)

    var value: Int {
      switch self {
      case .empty: 0
      case .increasing(let value), .decreasing(let value): value
      }
    }
  }

  enum UserState: Sendable, Equatable {
    case loggedIn(name: String)
    case loggedOut
  }

  /// Gives the next counter.
  static func counter(_ state: ReactiveState, _ action: any Action) -> CounterState {
    switch action {
    case ReactiveAction.increase(let amount): .increasing(state.counterState.value + amount)
    case ReactiveAction.decrease(let amount): .decreasing(state.counterState.value - amount)
    case ReactiveAction.clear: .empty
    default: state.counterState
    }
  }

  /// Gives the next user.
  static func user(_ state: ReactiveState, _ action: any Action) -> UserState {
    switch action {
    case ReactiveAction.logUser(let name): .loggedIn(name: name)
    case ReactiveAction.clear: .loggedOut
    default: state.userState
    }
  }

  /// A lens as a pair of functions, as the original writes them.
  static let counterLens = Lens<ReactiveState, CounterState>(
    name: "counterState", get: { $0.counterState },
    set: { ReactiveState(counterState: $1, userState: $0.userState) })

  /// A lens as a pair of functions, as the original writes them.
  static let userLens = Lens<ReactiveState, UserState>(
    name: "userState", get: { $0.userState },
    set: { ReactiveState(counterState: $0.counterState, userState: $1) })

  static func makeStore(_ state: ReactiveState = ReactiveState()) throws -> Store<ReactiveState> {
    try Store(initialState: state) {
      Mutator(lens: counterLens, reducer: counter)
      Mutator(lens: userLens, reducer: user)
    }
  }
}

/// What the counter and the user are told.
enum ReactiveAction: Action, Equatable {
  case increase(Int)
  case decrease(Int)
  case logUser(String)
  case clear
}
