/// Changes actions on their way from a feature to its store.
@usableFromInline
protocol ActionTransform: Sendable {
  /// Hands the actions on as the app knows them.
  func send(_ batch: ActionBatch, to next: (ActionBatch) -> DispatchTask) -> DispatchTask
  /// A dispatched action as the feature knows it.
  func untagged(_ action: any Action) -> any Action
}

/// Tags actions, and hands them to the next transform.
struct Tagging<Tag>: ActionTransform {
  let next: (any ActionTransform)?

  func send(_ batch: ActionBatch, to last: (ActionBatch) -> DispatchTask) -> DispatchTask {
    let tagged = batch.tagged(Tag.self)
    return next?.send(tagged, to: last) ?? last(tagged)
  }

  func untagged(_ action: any Action) -> any Action {
    strip(next?.untagged(action) ?? action)
  }

  private func strip(_ action: any Action) -> any Action {
    switch action {
    case let tagged as any AnyTagged where type(of: tagged).tag == Tag.self: tagged.untagged
    case let tagged as any TaggedList where type(of: tagged).tag == Tag.self: tagged.untagged
    case let list as ActionList: list.mapLeaves(strip)
    default: action
    }
  }
}

/// Addresses actions to one element, and hands them to the next transform.
struct Addressing<ID: Hashable & Sendable>: ActionTransform {
  let next: (any ActionTransform)?
  let id: ID

  func send(_ batch: ActionBatch, to last: (ActionBatch) -> DispatchTask) -> DispatchTask {
    func address<A: Action>(_ opened: A.Type) -> DispatchTask {
      let actions = batch.batch.actions(as: A.self).map { ElementAction(id: id, action: $0) }
      if batch.batch.isArray {
        return ActionBatch.lending(array: actions, from: batch.site) {
          next?.send($0, to: last) ?? last($0)
        }
      }
      return ActionBatch.lending(actions[0], from: batch.site, isFocused: batch.isFocused) {
        next?.send($0, to: last) ?? last($0)
      }
    }
    return _openExistential(batch.batch.type, do: address)
  }

  func untagged(_ action: any Action) -> any Action {
    strip(next?.untagged(action) ?? action)
  }

  private func strip(_ action: any Action) -> any Action {
    switch action {
    case let element as any AnyElementAction where (element.element as? ID) == id:
      element.unaddressed
    case let list as ActionList: list.mapLeaves(strip)
    case let array as any CompositeAction: ActionList(array.members.map(strip))
    default: action
    }
  }
}

/// Embeds the narrow actions in the wide ones of an app, and hands them to the next transform.
struct Embedding<Wide: Action, Narrow: Action>: ActionTransform {
  let next: (any ActionTransform)?
  let prism: Prism<Wide, Narrow>

  func send(_ batch: ActionBatch, to last: (ActionBatch) -> DispatchTask) -> DispatchTask {
    ActionBatch.lending(
      prism.embedded(batch.batch.boxed()), from: batch.site, isFocused: batch.isFocused
    ) { next?.send($0, to: last) ?? last($0) }
  }

  func untagged(_ action: any Action) -> any Action {
    narrow(next?.untagged(action) ?? action)
  }

  private func narrow(_ action: any Action) -> any Action {
    switch action {
    case let wide as Wide: prism.extract(wide) ?? action
    case let list as ActionList: list.mapLeaves(narrow)
    case let array as [Wide]: ActionList(array.map(narrow))
    default: action
    }
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

  func take(_ action: some Action) async throws {
    try await sink.take(prism.embedded(action))
  }
}
