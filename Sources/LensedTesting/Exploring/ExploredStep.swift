public import Lensed

/// One step of an exploration.
enum ExploredStep<State: Sendable>: Sendable {
  /// Dispatches an action; its effects run.
  case dispatch(any Action)
  /// Applies the actions of one recorded commit; only reducers run.
  case replay([any Action], from: CallSite?)
  /// Restores a recorded state.
  indirect case state(State)

  /// The step that an action stands for, in a list that a test gives.
  static func dispatching(_ action: any Action) -> ExploredStep {
    replacing(by: action) ?? .dispatch(action)
  }

  /// The step without effects that an action stands for, in a list that a test gives.
  static func replaying(_ action: any Action) -> ExploredStep {
    replacing(by: action) ?? .replay(members(of: action), from: nil)
  }

  private static func replacing(by action: any Action) -> ExploredStep? {
    (action as? ReplaceState<State>).map { .state($0.state) }
  }

  /// The step as one action, which is a list where it has several.
  var action: any Action {
    switch self {
    case .dispatch(let action): action
    case .replay(let actions, _): Self.whole(actions)
    case .state(let state): ReplaceState(state)
    }
  }

  /// The actions that the step stands for.
  var members: [any Action] {
    switch self {
    case .dispatch(let action): Self.members(of: action)
    case .replay(let actions, _): actions
    case .state: []
    }
  }

  /// The step with some of its members.
  func with(_ members: [any Action]) -> ExploredStep {
    switch self {
    case .dispatch: members.count == self.members.count ? self : .dispatch(Self.whole(members))
    case .replay(_, let site): .replay(members, from: site)
    case .state: self
    }
  }

  /// The actions of a list and of the lists in it, or the action.
  static func members(of action: any Action) -> [any Action] {
    let members = (action as? ActionList)?.actions ?? action as? [any Action]
    return members?.flatMap { Self.members(of: $0) } ?? [action]
  }

  private static func whole(_ actions: [any Action]) -> any Action {
    guard actions.count != 1, let first = actions.first else {
      return actions.first ?? ActionList(actions)
    }
    return array(actions, like: first) ?? ActionList(actions)
  }

  private static func array<A: Action>(_ actions: [any Action], like: A) -> (any Action)? {
    actions as? [A]
  }
}

// MARK: Steps that no store reduces

/// A step of an exploration that moves its clock to the next deadline of a sleeper.
///
/// Exploration mixes it in among the actions where the store was made with a clock. It never reaches the store.
public struct NextDeadline: Action, Hashable {
  /// The step.
  public init() {}
}

extension Generator where Value == any Action {
  /// The actions that a seed stands for; where the clock moves, every eighth on average moves it.
  func list(of count: Int, seed: UInt64, movesClock: Bool) -> [any Action] {
    var random = SeededGenerator(seed: seed)
    return (0..<max(0, count)).map { _ in
      movesClock && UInt64.random(in: 0..<8, using: &random) == 0
        ? NextDeadline() : next(&random)
    }
  }
}

/// A step of an exploration that replaces the whole state, as a jump of a history does.
///
/// What a failed replay of a session with jumps prints has such steps. It never reaches the store as an action.
///
/// ```swift
/// let actions: [any Action] = [ReplaceState(AppState(count: 9)), CountAction.add(1)]
/// await explore(store: makeStore, replaying: actions, invariants: invariants)
/// ```
public struct ReplaceState<State: Sendable>: Action {
  /// The state from then on.
  public let state: State

  /// The step.
  public init(_ state: State) {
    self.state = state
  }
}
