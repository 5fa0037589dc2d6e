/// One step between the actions of a child and those of what holds it; equal steps make equal actions.
protocol ActionStep: Hashable, Sendable {
  /// The type of the outer actions that stand for inner ones of a type.
  func outerType(of inner: any Action.Type) -> any Action.Type

  /// The inner action of an outer one, nil if there is none; adds the id of the element that it is for.
  ///
  /// `inner` is the type of the inner actions, nil for any.
  func inner(
    of outer: any Action, as inner: (any Action.Type)?, _ ids: inout [AnyID]
  ) -> (any Action)?

  /// The action of a feature that an outer one stands for; nil if it is for something else.
  ///
  /// It notes whether the two differ.
  func stripped(_ outer: any Action, _ differs: inout Bool) -> (any Action)?

  /// The same step for one child, whose id it takes from `ids` where it needs one.
  func bound(to ids: inout ArraySlice<AnyID>) -> any ActionStep

  /// Turns inner actions into outer ones, and hands them on.
  func send(_ batch: ActionBatch, to next: (ActionBatch) -> DispatchTask) -> DispatchTask
}

extension ActionStep {
  func stripped(_ outer: any Action, _ differs: inout Bool) -> (any Action)? {
    var ids: [AnyID] = []
    let inner = inner(of: outer, as: nil, &ids)
    if inner != nil { differs = true }
    return inner
  }

  func bound(to ids: inout ArraySlice<AnyID>) -> any ActionStep { self }
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

  func send(_ batch: ActionBatch, to next: (ActionBatch) -> DispatchTask) -> DispatchTask {
    next(batch.tagged(Tag.self))
  }
}

/// `ElementAction<ID, A>` stands for `A` of one element.
struct ElementStep<ID: Hashable & Sendable>: ActionStep {
  /// The id of the element; nil for any.
  var id: ID?

  func outerType(of inner: any Action.Type) -> any Action.Type { inner.addressed(by: ID.self) }

  func inner(
    of outer: any Action, as inner: (any Action.Type)?, _ ids: inout [AnyID]
  ) -> (any Action)? {
    guard let element = outer as? any AnyElementAction, let id = element.element as? ID else {
      return nil
    }
    if let own = self.id {
      if own != id { return nil }
    } else {
      ids.append(AnyID(id))
    }
    return element.unaddressed
  }

  func bound(to ids: inout ArraySlice<AnyID>) -> any ActionStep {
    guard let id = ids.popFirst()?.value as? ID else { Self.trapWithoutID() }
    return ElementStep(id: id)
  }

  func send(_ batch: ActionBatch, to next: (ActionBatch) -> DispatchTask) -> DispatchTask {
    guard let id else { Self.trapWithoutID() }
    func address<A: Action>(_ opened: A.Type) -> DispatchTask {
      // A single action is put into no array: here no type is known, so that costs as much as its commit.
      if !batch.isArray {
        return ActionBatch.lending(ElementAction(id: id, action: batch.first.read(A.self)), next)
      }
      let actions = batch.actions(as: A.self).map { ElementAction(id: id, action: $0) }
      return ActionBatch.lending(array: actions, next) ?? DispatchTask()
    }
    return _openExistential(batch.type, do: address)
  }

  private static func trapWithoutID() -> Never {
    fatalError("Lensed: a child was reached without its id; this is a fault of Lensed.")
  }
}

extension Action {
  fileprivate static func addressed<ID: Sendable>(by id: ID.Type) -> any Action.Type {
    ElementAction<ID, Self>.self
  }
}

/// `Wide` stands for `Narrow`; other actions stand for themselves.
///
/// An object, so that each of the children that it is bound to shares the prism.
final class EmbedStep<Wide: Action, Narrow: Action>: ActionStep {
  private let prism: Prism<Wide, Narrow>

  static func == (left: EmbedStep, right: EmbedStep) -> Bool {
    left.prism.id == right.prism.id
  }

  func hash(into hasher: inout Hasher) { hasher.combine(prism.id) }

  init(_ prism: Prism<Wide, Narrow>) {
    self.prism = prism
  }

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

  func stripped(_ outer: any Action, _ differs: inout Bool) -> (any Action)? {
    // Actions that the prism passes unchanged are the feature's, too.
    guard let narrow = (outer as? Wide).flatMap({ prism.extract($0) }) else { return outer }
    differs = true
    return narrow
  }

  func send(_ batch: ActionBatch, to next: (ActionBatch) -> DispatchTask) -> DispatchTask {
    ActionBatch.lending(prism.embedded(batch.boxed()), next)
  }
}

extension Prism where Root: Action, Value: Action {
  /// An action with the narrow ones in it embedded, however deep they lie; others pass as they are.
  fileprivate func embedded(_ action: any Action) -> any Action {
    switch action {
    case let narrow as Value:
      embed(narrow)
    case let list as ActionList:
      list.mapLeaves(embedded)
    case let list as any CompositeAction:
      list.members.map(embedded).together
    case let sequence as any AsynchronousAction:
      AsyncActions(base: self) { sink in
        try await sequence.feed(EmbeddingSink(sink: sink, prism: self))
      }
    default:
      action
    }
  }
}

private struct EmbeddingSink<Wide: Action, Narrow: Action>: ActionSink {
  let sink: any ActionSink
  let prism: Prism<Wide, Narrow>

  func receive(_ action: some Action) async throws {
    try await sink.receive(prism.embedded(action))
  }
}

// MARK: Steps in a row

/// The way of actions from a feature to its store, and back: one step, and those of what holds the feature.
final class ActionTransform: Sendable {
  private let step: any ActionStep
  /// The way of what holds the feature; nil for the store itself.
  private let next: ActionTransform?

  init(_ step: any ActionStep, next: ActionTransform?) {
    (self.step, self.next) = (step, next)
  }

  /// The steps from the inside out, to be compared.
  var steps: [AnyID] { [AnyID(step)] + (next?.steps ?? []) }

  /// Hands the actions on as the app knows them.
  func send(_ batch: ActionBatch, to store: (ActionBatch) -> DispatchTask) -> DispatchTask {
    step.send(batch) { next?.send($0, to: store) ?? store($0) }
  }

  /// A dispatched action with those of the feature in its own terms, and all others as they are; an array stays one.
  func translated(_ action: any Action) -> any Action { translatedIfAny(action) ?? action }

  /// The same; nil if nothing in it stands for an action of the feature.
  private func translatedIfAny(_ action: any Action) -> (any Action)? {
    switch action {
    case let list as ActionList:
      var isTranslated = false
      let leaves = list.mapLeaves { leaf in
        guard let own = translatedIfAny(leaf) else { return leaf }
        isTranslated = true
        return own
      }
      return isTranslated ? leaves : nil
    case let list as any CompositeAction:
      let members = list.members
      let own = members.map { translatedIfAny($0) }
      if own.allSatisfy({ $0 == nil }) { return nil }
      return zip(own, members).map { $0 ?? $1 }.together
    default:
      return inner(of: action)
    }
  }

  /// The action of the feature that a single action stands for; nil if it stands for itself, or for something else.
  private func inner(of action: any Action) -> (any Action)? {
    var differs = false
    let own = stripped(action, &differs)
    return differs ? own : nil
  }

  private func stripped(_ action: any Action, _ differs: inout Bool) -> (any Action)? {
    guard let next else { return step.stripped(action, &differs) }
    return next.stripped(action, &differs).flatMap { step.stripped($0, &differs) }
  }
}

extension [any Action] {
  /// The actions as an array, if they are of one type, or else as a list.
  var together: any Action {
    func array<First: Action>(_ first: First) -> any Action {
      let same = compactMap { exactly($0, First.self) }
      return same.count == count ? same : ActionList(self)
    }
    return first.map { array($0) } ?? ActionList(self)
  }
}

// MARK: Steps the other way

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

  var type: any Action.Type { types[0] }

  private var innerType: any Action.Type { types[types.count - 1] }

  /// The route of the same actions through further steps.
  func lifted(by outer: [any ActionStep]) -> ActionRoute {
    ActionRoute(innerType, through: outer + steps)
  }

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

  /// The action as a child knows it that sees every action; nil if the action is for another collection than its own.
  ///
  /// Its ids lead to the element that the action is for, as far as they can be seen.
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
