/// Knows the actions of a feature among those of a store.
protocol ActionTranslator: AnyObject, Sendable {
  /// The action of the feature that a single action stands for; nil if it stands for itself, or for something else.
  func inner(of action: any Action) -> (any Action)?
}

extension ActionTranslator {
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
