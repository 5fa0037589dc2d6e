/// A list of actions without the lists in it, and without what middleware held back.
struct FlatList {
  /// What becomes of a single action.
  enum Fate {
    case proceed
    case drop
    /// Another is offered in its place, to those who have not been asked: from the one at `next`.
    case replace(with: any Action, next: Int)
  }

  /// What comes before the first asynchronous member.
  private(set) var leaves: [any Action] = []
  /// The first asynchronous member and what follows it.
  private(set) var rest: [any Action] = []
  /// The type of the last leaf: most lists repeat a few types, and asking what one is takes long.
  private var leaf: (any Action.Type)?
  /// Whether an action was dropped or replaced.
  private var isAltered = false
  private let judge: (_ action: any Action, _ first: Int) -> Fate

  init(_ judge: @escaping (_ action: any Action, _ first: Int) -> Fate) {
    self.judge = judge
  }

  var isSynchronous: Bool { rest.isEmpty }

  /// What is told of the commit of the leaves.
  func seen(as action: any Action) -> any Action {
    if isSynchronous && !isAltered { return action }
    if !(action is any CompositeAction), leaves.count == 1 { return leaves[0] }
    return ActionList(leaves)
  }

  /// Adds an action, judged by all.
  mutating func append(_ action: any Action) {
    append(action, first: 0)
  }

  private mutating func append(_ action: any Action, first: Int) {
    if !rest.isEmpty {
      rest.append(action)
    } else if type(of: action) == leaf {
      append(leaf: action, first: first)
    } else if action is any AsynchronousAction {
      rest.append(action)
    } else if let list = action as? any CompositeAction {
      for member in list.members { append(member, first: first) }
    } else {
      leaf = type(of: action)
      append(leaf: action, first: first)
    }
  }

  private mutating func append(leaf action: any Action, first: Int) {
    switch judge(action, first) {
    case .proceed:
      leaves.append(action)
    case .drop:
      isAltered = true
    case .replace(let other, let next):
      isAltered = true
      append(other, first: next)
    }
  }
}
