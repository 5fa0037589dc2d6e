extension Effect {
  /// This effect, tied to an optional in the state: it ends when the optional becomes nil, and does not
  /// begin while it is nil.
  ///
  /// ```swift
  /// poll.tied(to: \.session)
  /// ```
  ///
  /// Where the value is `Identifiable`, the effect also ends when a value with another identity replaces
  /// it.
  public func tied<Value>(to keyPath: any KeyPath<State, Value?> & Sendable) -> Effect {
    tied(PartPath(keyPath, for: .effect)) { $0[keyPath: keyPath].map { _ in true } }
  }

  /// This effect, tied to the identity of an optional in the state: it ends when the optional becomes nil
  /// or a value with another identity, and does not begin while it is nil.
  public func tied<Value: Identifiable & SendableMetatype>(
    to keyPath: any KeyPath<State, Value?> & Sendable
  ) -> Effect where Value.ID: Sendable {
    tied(PartPath(keyPath, for: .effect)) { $0[keyPath: keyPath]?.id }
  }

  /// This effect, tied to a property of an optional in the state: it ends when the optional becomes nil or
  /// a value that differs in `identity`, and does not begin while it is nil.
  ///
  /// ```swift
  /// sync.tied(to: \.session, by: \.user)
  /// ```
  public func tied<Value, Identity: Equatable & Sendable>(
    to keyPath: any KeyPath<State, Value?> & Sendable,
    by identity: any KeyPath<Value, Identity> & Sendable
  ) -> Effect {
    tied(PartPath(keyPath, for: .effect)) { $0[keyPath: keyPath].map { $0[keyPath: identity] } }
  }

  /// This effect, tied to one row of a collection: it ends when the row is removed, and does not begin while there
  /// is none.
  ///
  /// ```swift
  /// receive.tied(to: \.chats, id: 7)
  /// ```
  ///
  /// - Parameters:
  ///   - keyPath: The collection: `Entities`, an array of `Identifiable` elements, a dictionary.
  ///   - id: The id of the row; in a dictionary, its key.
  /// - Returns: The effect, tied to the row.
  /// - Complexity: One look-up for each commit that touches the collection: O(1) in `Entities` and dictionaries,
  ///   O(*n*) in arrays.
  public func tied<Rows: RowCollection & SendableMetatype>(
    to keyPath: any KeyPath<State, Rows> & Sendable, id: Rows.RowID
  ) -> Effect where Rows.RowID: Sendable {
    tied(PartPath(keyPath, for: .effect)) { $0[keyPath: keyPath].row(id: id).map { _ in true } }
  }

  /// This effect, tied to the identity of one row of a collection: it ends when the row is removed or, in a
  /// dictionary, replaced by one with another identity, and does not begin while there is none.
  public func tied<Rows: RowCollection & SendableMetatype>(
    to keyPath: any KeyPath<State, Rows> & Sendable, id: Rows.RowID
  ) -> Effect
  where
    Rows.RowID: Sendable, Rows.Row: Identifiable & SendableMetatype, Rows.Row.ID: Sendable
  {
    tied(PartPath(keyPath, for: .effect)) { $0[keyPath: keyPath].row(id: id)?.id }
  }

  /// This effect, tied to a property of one row of a collection: it ends when the row is removed or differs in
  /// `identity`, and does not begin while there is none.
  public func tied<Rows: RowCollection & SendableMetatype, Identity: Equatable & Sendable>(
    to keyPath: any KeyPath<State, Rows> & Sendable, id: Rows.RowID,
    by identity: any KeyPath<Rows.Row, Identity> & Sendable
  ) -> Effect where Rows.RowID: Sendable {
    tied(PartPath(keyPath, for: .effect)) {
      $0[keyPath: keyPath].row(id: id).map { $0[keyPath: identity] }
    }
  }

  /// This effect, cancelled by each action of a type: its runs, and its queue.
  ///
  /// In an array, triggers before that action are cancelled, and those after it are not. In a child, an action
  /// for that child cancels what is under way there.
  public func cancelled<A: Action>(on type: A.Type) -> Effect {
    cancelled(EffectCanceller(ActionRoute(type)))
  }

  /// This effect, cancelled by those actions of a type for which `condition` is true, given the state after
  /// the commit.
  ///
  /// The condition is asked by whoever delivers the commit, before its observers. What was triggered before that action
  /// is cancelled then, and what was triggered after it is not.
  ///
  /// ```swift
  /// upload.cancelled(on: ConnectionChanged.self, where: { change, _ in !change.isOnline })
  /// ```
  public func cancelled<A: Action>(
    on type: A.Type, where condition: @escaping @Sendable (_ action: A, _ state: State) -> Bool
  ) -> Effect {
    cancelled(
      EffectCanceller(ActionRoute(type)) { action, state, _ in
        (action as? A).map { condition($0, state.read(State.self)) } ?? false
      })
  }

  private func cancelled(_ canceller: EffectCanceller<State>) -> Effect {
    with { $0.plan.cancellers.append(canceller) }
  }

  private func tied<Value, Identity: Equatable & Sendable>(
    _ part: PartPath<Value>, _ identity: @escaping @Sendable (State) -> Identity?
  ) -> Effect {
    let tie = EffectTie<State>(footprint: part.footprint) {
      let last = Locked<Identity?>(nil)
      return { state, _, jobs in
        let new = identity(state.read(State.self))
        return last.withLock { last in
          if let last, last == new { return .same }
          let old = exchange(&last, with: new)
          if let old { jobs.keep(old) }
          if new == nil { return .gone }
          return old == nil ? .same : .replaced
        }
      }
    }
    return with { $0.plan.ties.append(tie) }
  }
}
