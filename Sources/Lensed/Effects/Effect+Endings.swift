extension Effect {
  /// This effect, which ends when an optional in the state becomes nil, and does not begin while it is.
  ///
  /// ```swift
  /// poll.tied(to: \.session)
  /// ```
  public func tied<Value>(to keyPath: any KeyPath<State, Value?> & Sendable) -> Effect {
    tied(PartReader(keyPath)) { $0[keyPath: keyPath] != nil }
  }

  /// This effect, which ends when the entry of one key goes away, and does not begin while there is
  /// none.
  public func tied<Key: Hashable & Sendable, Value>(
    to keyPath: any KeyPath<State, [Key: Value]> & Sendable, id: Key
  ) -> Effect {
    tied(PartReader(keyPath)) { $0[keyPath: keyPath][id] != nil }
  }

  /// This effect, which ends when the element with one identity goes away, and does not begin while
  /// there is none.
  ///
  /// - Complexity: Each commit that touches the array looks through it.
  public func tied<Element: Identifiable & SendableMetatype>(
    to keyPath: any KeyPath<State, [Element]> & Sendable, id: Element.ID
  ) -> Effect where Element.ID: Sendable {
    tied(PartReader(keyPath)) { state in state[keyPath: keyPath].contains { $0.id == id } }
  }

  /// This effect, which also ends, queue and all, on each action of a type.
  ///
  /// In an array, what comes before that action is cancelled, and what comes after it is not.
  public func cancelled<A: Action>(on type: A.Type) -> Effect {
    var copy = self
    copy.cancellers.append(type)
    return copy
  }

  private func tied<Value>(
    _ part: PartReader<Value>, _ isAlive: @escaping @Sendable (State) -> Bool
  ) -> Effect {
    var copy = self
    copy.ties.append(Tie(sight: Sight(part), isAlive: isAlive))
    return copy
  }
}
