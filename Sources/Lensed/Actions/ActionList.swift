/// A list of actions of different types, where an action is asked for.
///
/// ```swift
/// store.dispatch([CounterAction.increase(1), ActionList([UserAction.logOut, CounterAction.reset])])
/// ```
///
/// Its members run in order, as one commit up to the first asynchronous one. An empty list is none.
public struct ActionList: Action, ExpressibleByArrayLiteral {
  /// The actions, in the order they run in.
  public let actions: [any Action]

  /// A list of `actions`.
  public init(_ actions: [any Action]) {
    self.actions = actions
  }

  /// A list written as a literal.
  public init(arrayLiteral elements: any Action...) {
    actions = elements
  }
}

extension ActionList: CompositeAction {
  var members: [any Action] { actions }
}
