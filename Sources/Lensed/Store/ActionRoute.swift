/// The actions of a child of one type, as the store knows them.
struct ActionRoute: Sendable {
  /// An action as the child knows it, and the ids on the way to the child.
  typealias ChildAction = (action: any Action, ids: [AnyID])

  private let steps: [any ActionStep]
  /// The types before each step, from the outside in; the last one is the child's own.
  private let types: [any Action.Type]

  /// The route of actions that the child knows as `type`.
  init(_ type: any Action.Type, through steps: [any ActionStep] = []) {
    var types = [type]
    for step in steps.reversed() { types.append(step.outerType(of: types[types.count - 1])) }
    self.types = types.reversed()
    self.steps = steps
  }

  /// The type as the store knows it.
  var type: any Action.Type { types[0] }

  /// The type as the child knows it.
  private var innerType: any Action.Type { types[types.count - 1] }

  /// The route of the same actions through further steps.
  func lifted(by outer: [any ActionStep]) -> ActionRoute {
    ActionRoute(innerType, through: outer + steps)
  }

  /// The action in the terms of the child.
  func inner(of outer: any Action) -> ChildAction? {
    let (action, ids) = Self.descend(from: outer, through: steps, as: types)
    guard let action, Swift.type(of: action) == innerType else { return nil }
    return (action, ids)
  }

  /// The ids on the way to the child that an action names, though its prism might not match behind them; nil if
  /// the action is for another child.
  func ids(of outer: any Action) -> [AnyID]? {
    let (action, ids) = Self.descend(from: outer, through: steps, as: types)
    return action == nil && ids.isEmpty ? nil : ids
  }

  /// The action as a child knows it that sees every action.
  ///
  /// Its ids lead to the element that the action is for, as far as they can be seen. It is nil if the action is for
  /// another collection than the one that the steps lead to.
  static func inner(
    of outer: any Action, through steps: [any ActionStep]
  ) -> ChildAction? {
    let (action, ids) = descend(from: outer, through: steps)
    return action.map { ($0, ids) }
  }

  /// The ids of the elements that the action names, whichever child in them it is for, as far as they can be seen.
  static func ids(of outer: any Action, through steps: [any ActionStep]) -> [AnyID] {
    descend(from: outer, through: steps).ids
  }

  /// The action behind the steps, nil where one of them finds none, and the ids on the way so far.
  private static func descend(
    from outer: any Action, through steps: [any ActionStep], as types: [any Action.Type]? = nil
  ) -> (action: (any Action)?, ids: [AnyID]) {
    var (action, ids): (any Action, [AnyID]) = (outer, [])
    for (index, step) in steps.enumerated() {
      guard let inner = step.inner(of: action, as: types?[index + 1], &ids) else {
        return (nil, ids)
      }
      action = inner
    }
    return (action, ids)
  }
}
