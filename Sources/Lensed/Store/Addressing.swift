/// Addresses actions to one element, and hands them to the next transform.
struct Addressing<ID: Hashable & Sendable>: ActionTransform {
  let next: (any ActionTransform)?
  let id: ID

  func send(_ batch: ActionBatch, to last: (ActionBatch) -> DispatchTask) -> DispatchTask {
    address(batch, as: batch.batch.type) { next?.send($0, to: last) ?? last($0) }
  }

  private func address<A: Action>(
    _ batch: ActionBatch, as type: A.Type, _ send: (ActionBatch) -> DispatchTask
  ) -> DispatchTask {
    let actions = batch.batch
    guard actions.isArray else {
      return ActionBatch.lending(
        ElementAction(id: id, action: actions.first.read(A.self)), from: batch.site,
        isFocused: batch.isFocused, send)
    }
    let addressed = actions.members().compactMap { member in
      (member as? A).map { ElementAction(id: id, action: $0) }
    }
    return ActionBatch.lending(array: addressed, from: batch.site, send)
  }

  func untagged(_ action: any Action) -> any Action { strip(next?.untagged(action) ?? action) }

  private func strip(_ action: any Action) -> any Action {
    switch action {
    case let action as any AddressedAction: action.action(for: id) ?? action
    case let list as any CompositeAction: ActionList(list.members.map(strip))
    default: action
    }
  }
}

/// An action for an element, whose types are not known.
private protocol AddressedAction: Action {
  /// The action, if it is for this element.
  func action(for id: some Hashable) -> (any Action)?
}

extension ElementAction: AddressedAction {
  fileprivate func action(for id: some Hashable) -> (any Action)? {
    (self.id as? AnyHashable) == AnyHashable(id) ? action : nil
  }
}
