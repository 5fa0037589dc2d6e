extension Effect {
  /// This effect, which ends when an optional in the state becomes nil, and does not begin while it is.
  ///
  /// ```swift
  /// poll.tied(to: \.session)
  /// ```
  ///
  /// Of a value that is `Identifiable`, it is tied to the identity: it ends, too, when another takes its
  /// place.
  public func tied<Value>(to keyPath: any KeyPath<State, Value?> & Sendable) -> Effect {
    tied(PartPath(keyPath)) { $0[keyPath: keyPath].map { _ in true } }
  }

  /// This effect, which ends when an optional in the state becomes nil or one with another identity, and
  /// does not begin while it is nil.
  public func tied<Value: Identifiable & SendableMetatype>(
    to keyPath: any KeyPath<State, Value?> & Sendable
  ) -> Effect where Value.ID: Sendable {
    tied(PartPath(keyPath)) { $0[keyPath: keyPath]?.id }
  }

  /// This effect, which ends when an optional in the state becomes nil or one that differs in `identity`,
  /// and does not begin while it is nil.
  ///
  /// ```swift
  /// sync.tied(to: \.session, by: \.user)
  /// ```
  public func tied<Value, Identity: Equatable & Sendable>(
    to keyPath: any KeyPath<State, Value?> & Sendable,
    by identity: any KeyPath<Value, Identity> & Sendable
  ) -> Effect {
    tied(PartPath(keyPath)) { $0[keyPath: keyPath].map { $0[keyPath: identity] } }
  }

  /// This effect, which ends when the entry of one key goes away, and does not begin while there is
  /// none.
  public func tied<Key: Hashable & Sendable, Value>(
    to keyPath: any KeyPath<State, [Key: Value]> & Sendable, id: Key
  ) -> Effect {
    tied(PartPath(keyPath)) { $0[keyPath: keyPath][id].map { _ in true } }
  }

  /// This effect, which ends when the entry of one key goes away or gets another identity, and does not
  /// begin while there is none.
  public func tied<Key: Hashable & Sendable, Value: Identifiable & SendableMetatype>(
    to keyPath: any KeyPath<State, [Key: Value]> & Sendable, id: Key
  ) -> Effect where Value.ID: Sendable {
    tied(PartPath(keyPath)) { $0[keyPath: keyPath][id]?.id }
  }

  /// This effect, which ends when the entry of one key goes away or differs in `identity`, and does not
  /// begin while there is none.
  public func tied<Key: Hashable & Sendable, Value, Identity: Equatable & Sendable>(
    to keyPath: any KeyPath<State, [Key: Value]> & Sendable, id: Key,
    by identity: any KeyPath<Value, Identity> & Sendable
  ) -> Effect {
    tied(PartPath(keyPath)) { $0[keyPath: keyPath][id].map { $0[keyPath: identity] } }
  }

  /// This effect, which ends when the element with one identity goes away, and does not begin while
  /// there is none.
  ///
  /// - Complexity: Each commit that touches the array looks through it.
  public func tied<Element: Identifiable & SendableMetatype>(
    to keyPath: any KeyPath<State, [Element]> & Sendable, id: Element.ID
  ) -> Effect where Element.ID: Sendable {
    tied(PartPath(keyPath)) { state in
      state[keyPath: keyPath].contains { $0.id == id } ? true : nil
    }
  }

  /// This effect, which also ends, queue and all, on each action of a type.
  ///
  /// In an array, what comes before that action is cancelled, and what comes after it is not.
  public func cancelled<A: Action>(on type: A.Type) -> Effect {
    var copy = self
    copy.cancellers.append(type)
    return copy
  }

  private func tied<Value, Identity: Equatable & Sendable>(
    _ part: PartPath<Value>, _ identity: @escaping @Sendable (State) -> Identity?
  ) -> Effect {
    var copy = self
    let tie = Tie(sight: ObservedPath(part)) {
      // States are looked at in commit order, one at a time; identities are compared without the lock.
      let last = Locked<Identity?>(nil)
      return { state in
        let new = identity(state)
        let old = last.withLock { exchange(&$0, with: new) }
        guard let new else { return .gone }
        return old.map { $0 == new } ?? true ? .same : .replaced
      }
    }
    copy.ties.append(tie)
    return copy
  }
}
