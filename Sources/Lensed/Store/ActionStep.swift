/// One step between the actions of a child and those of what holds it.
protocol ActionStep: Sendable {
  /// The type of the outer actions that stand for inner ones of a type.
  func outerType(of inner: any Action.Type) -> any Action.Type

  /// The inner action of an outer one, nil if there is none; adds the id of the element that it is for.
  ///
  /// `inner` is the type of the inner actions, nil for any.
  func inner(
    of outer: any Action, as inner: (any Action.Type)?, _ ids: inout [AnyID]
  ) -> (any Action)?

  /// Turns inner actions into outer ones, and passes them to `next`; takes the id it needs from `ids`.
  func transform(
    _ ids: inout ArraySlice<AnyID>, next: (any ActionTransform)?
  ) -> any ActionTransform
}

/// `Tagged<Tag, A>` stands for `A`.
struct TagStep<Tag>: ActionStep {
  func outerType(of inner: any Action.Type) -> any Action.Type { inner.tagged(Tag.self) }

  func inner(
    of outer: any Action, as inner: (any Action.Type)?, _ ids: inout [AnyID]
  ) -> (any Action)? {
    guard let tagged = outer as? any AnyTagged, type(of: tagged).tag == Tag.self else {
      return nil
    }
    return tagged.untagged
  }

  func transform(
    _ ids: inout ArraySlice<AnyID>, next: (any ActionTransform)?
  ) -> any ActionTransform {
    Tagging<Tag>(next: next)
  }
}

/// `Wide` stands for `Narrow`; other actions stand for themselves.
struct EmbedStep<Wide: Action, Narrow: Action>: ActionStep {
  let prism: Prism<Wide, Narrow>

  func outerType(of inner: any Action.Type) -> any Action.Type {
    inner == Narrow.self ? Wide.self : inner
  }

  func inner(
    of outer: any Action, as inner: (any Action.Type)?, _ ids: inout [AnyID]
  ) -> (any Action)? {
    if let inner, inner != Narrow.self { return outer }
    guard let wide = outer as? Wide else { return outer }
    return prism.extract(wide)
  }

  func transform(
    _ ids: inout ArraySlice<AnyID>, next: (any ActionTransform)?
  ) -> any ActionTransform {
    Embedding(next: next, prism: prism)
  }
}

/// `ElementAction<ID, A>` stands for `A` of one element.
struct ElementStep<ID: Hashable & Sendable>: ActionStep {
  func outerType(of inner: any Action.Type) -> any Action.Type { inner.addressed(by: ID.self) }

  func inner(
    of outer: any Action, as inner: (any Action.Type)?, _ ids: inout [AnyID]
  ) -> (any Action)? {
    guard let element = outer as? any AnyElementAction, let id = element.element as? ID else {
      return nil
    }
    ids.append(AnyID(id))
    return element.unaddressed
  }

  func transform(
    _ ids: inout ArraySlice<AnyID>, next: (any ActionTransform)?
  ) -> any ActionTransform {
    guard let id = ids.popFirst()?.value as? ID else {
      fatalError("Lensed: a child was reached without its id; this is a fault of Lensed.")
    }
    return Addressing(next: next, id: id)
  }
}

/// The actions of a child of one type, as the store knows them.
struct ActionRoute: Sendable {
  /// The type as the store knows it.
  let type: any Action.Type
  /// An action as the child knows it, and the ids on the way to the child.
  typealias ChildAction = (action: any Action, ids: [AnyID])

  private let steps: [any ActionStep]
  /// The types before each step, from the outside in; the last one is the child's own.
  private let types: [any Action.Type]

  /// The route of actions that the child knows as `type`.
  init(_ type: any Action.Type, through steps: [any ActionStep]) {
    var types = [type]
    for step in steps.reversed() { types.append(step.outerType(of: types[types.count - 1])) }
    self.types = types.reversed()
    self.type = self.types[0]
    self.steps = steps
  }

  /// The action in the terms of the child.
  func inner(of outer: any Action) -> ChildAction? {
    var (action, ids): (any Action, [AnyID]) = (outer, [])
    for (index, step) in steps.enumerated() {
      guard let inner = step.inner(of: action, as: types[index + 1], &ids) else { return nil }
      action = inner
    }
    return Swift.type(of: action) == types[types.count - 1] ? (action, ids) : nil
  }

  /// The ids on the way to the child that an action names, though its prism might not match behind them; nil if
  /// the action is for another child.
  func ids(of outer: any Action) -> [AnyID]? {
    var (action, ids): (any Action, [AnyID]) = (outer, [])
    for (index, step) in steps.enumerated() {
      guard let inner = step.inner(of: action, as: types[index + 1], &ids) else {
        return ids.isEmpty ? nil : ids
      }
      action = inner
    }
    return ids
  }

  /// The action as a child knows it that sees every action.
  static func inner(
    of outer: any Action, through steps: [any ActionStep]
  ) -> ChildAction? {
    var (action, ids): (any Action, [AnyID]) = (outer, [])
    for step in steps {
      guard let inner = step.inner(of: action, as: nil, &ids) else { return nil }
      action = inner
    }
    return (action, ids)
  }

  /// The ids that lead to the element that an action is for, as far as they can be seen.
  ///
  /// Nil if the action is for another collection than the one that the steps lead to.
  static func ids(
    of outer: any Action, through steps: [any ActionStep]
  ) -> [AnyID]? {
    inner(of: outer, through: steps)?.ids
  }
}

extension Action {
  /// The type of this type's actions for one element.
  static func addressed<ID: Sendable>(by id: ID.Type) -> any Action.Type {
    ElementAction<ID, Self>.self
  }
}
