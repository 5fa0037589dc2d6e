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
      let actions = batch.actions(as: A.self).map { ElementAction(id: id, action: $0) }
      return batch.isArray
        ? ActionBatch.lending(array: actions, next) ?? DispatchTask()
        : ActionBatch.lending(actions[0], next)
    }
    return _openExistential(batch.type, do: address)
  }

  private static func trapWithoutID() -> Never {
    fatalError("Lensed: a child was reached without its id; this is a fault of Lensed.")
  }
}

extension Action {
  /// The type of this type's actions for one element.
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

/// Embeds the actions that pass through it.
private struct EmbeddingSink<Wide: Action, Narrow: Action>: ActionSink {
  let sink: any ActionSink
  let prism: Prism<Wide, Narrow>

  func receive(_ action: some Action) async throws {
    try await sink.receive(prism.embedded(action))
  }
}
