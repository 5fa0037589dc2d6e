/// The actions of one commit.
enum CommittedActions: Sendable {
  /// None: the commit is a replacement, or the result of an asynchronous reducer.
  case none
  case single(any Action)
  /// Several, in order, and the action that was dispatched, which stands for them.
  case several([any Action], as: any Action)

  /// What was dispatched, as a whole.
  var whole: (any Action)? {
    switch self {
    case .none: nil
    case .single(let action), .several(_, as: let action): action
    }
  }

  /// The single actions, in order, without an array where there is one.
  var list: InlineList<any Action> {
    switch self {
    case .none: .none
    case .single(let action): .one(action)
    case .several(let actions, as: _): InlineList(actions)
    }
  }

  /// The single actions, in order.
  var members: [any Action] {
    switch self {
    case .none: []
    case .single(let action): [action]
    case .several(let actions, as: _): actions
    }
  }
}
