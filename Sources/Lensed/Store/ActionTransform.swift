/// Changes actions on their way from a feature to its store, and back.
protocol ActionTransform: ActionTranslator {
  /// The transform of what holds the feature; nil for the store itself.
  var next: (any ActionTransform)? { get }
  /// Hands the actions on as the app knows them.
  func send(_ batch: ActionBatch, to next: (ActionBatch) -> DispatchTask) -> DispatchTask
  /// The action of the feature that one of what holds it stands for; nil if it is for something else.
  ///
  /// It notes whether the two differ.
  func stripped(_ action: any Action, _ differs: inout Bool) -> (any Action)?
}

extension ActionTransform {
  func inner(of action: any Action) -> (any Action)? {
    var differs = false
    let own = descend(to: self, action, &differs)
    return differs ? own : nil
  }
}

/// The action that an action of the store stands for, for all transforms from the store to one of them.
private func descend(
  to transform: any ActionTransform, _ action: any Action, _ differs: inout Bool
) -> (any Action)? {
  guard let next = transform.next else { return transform.stripped(action, &differs) }
  return descend(to: next, action, &differs).flatMap { transform.stripped($0, &differs) }
}

/// Tags actions, and hands them to the next transform.
final class Tagging<Tag>: ActionTransform {
  let next: (any ActionTransform)?

  init(next: (any ActionTransform)?) {
    self.next = next
  }

  func send(_ batch: ActionBatch, to last: (ActionBatch) -> DispatchTask) -> DispatchTask {
    let tagged = batch.tagged(Tag.self)
    return next?.send(tagged, to: last) ?? last(tagged)
  }

  func stripped(_ action: any Action, _ differs: inout Bool) -> (any Action)? {
    guard let tagged = action as? any AnyTagged, type(of: tagged).tag == Tag.self else {
      return nil
    }
    differs = true
    return tagged.untagged
  }
}

/// Addresses actions to one element, and hands them to the next transform.
final class Addressing<ID: Hashable & Sendable>: ActionTransform {
  let next: (any ActionTransform)?
  private let id: ID

  init(next: (any ActionTransform)?, id: ID) {
    (self.next, self.id) = (next, id)
  }

  func send(_ batch: ActionBatch, to last: (ActionBatch) -> DispatchTask) -> DispatchTask {
    func address<A: Action>(_ opened: A.Type) -> DispatchTask {
      let actions = batch.actions(as: A.self).map { ElementAction(id: id, action: $0) }
      func send(_ batch: ActionBatch) -> DispatchTask { next?.send(batch, to: last) ?? last(batch) }
      return batch.isArray
        ? ActionBatch.lending(array: actions, send) ?? DispatchTask()
        : ActionBatch.lending(actions[0], send)
    }
    return _openExistential(batch.type, do: address)
  }

  func stripped(_ action: any Action, _ differs: inout Bool) -> (any Action)? {
    guard let element = action as? any AnyElementAction, (element.element as? ID) == id else {
      return nil
    }
    differs = true
    return element.unaddressed
  }
}

/// Embeds the narrow actions in the wide ones of an app, and hands them to the next transform.
final class Embedding<Wide: Action, Narrow: Action>: ActionTransform {
  let next: (any ActionTransform)?
  private let prism: Prism<Wide, Narrow>

  init(next: (any ActionTransform)?, prism: Prism<Wide, Narrow>) {
    (self.next, self.prism) = (next, prism)
  }

  func send(_ batch: ActionBatch, to last: (ActionBatch) -> DispatchTask) -> DispatchTask {
    ActionBatch.lending(prism.embedded(batch.boxed())) { next?.send($0, to: last) ?? last($0) }
  }

  func stripped(_ action: any Action, _ differs: inout Bool) -> (any Action)? {
    // Actions that the prism passes unchanged are the feature's, too.
    guard let narrow = (action as? Wide).flatMap({ prism.extract($0) }) else { return action }
    differs = true
    return narrow
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
      ActionList(list.members.map(embedded))
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
