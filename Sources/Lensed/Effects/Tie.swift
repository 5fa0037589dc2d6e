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
  /// The thread that delivers the commit asks the condition, before the observers. What was triggered before that action
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

// MARK: The tie

/// The status of the value that an effect is tied to, compared with the state before.
enum TieStatus: Sendable {
  /// It exists, with the same identity.
  case same
  /// It exists, with another identity: the runs tied to the former one end.
  case replaced
  /// It does not exist: nothing runs.
  case gone
}

/// A value in the state that no run of an effect outlives.
struct EffectTie<State: Sendable>: Sendable {
  /// Is called under the lock of the store with each state in order, and returns the status of the tied value.
  ///
  /// What it forgets is kept until the lock is released.
  typealias Watch =
    @Sendable (
      _ state: StateAddress, _ ids: ArraySlice<AnyID>, _ jobs: inout JobDecisions
    ) -> TieStatus

  let footprint: Footprint
  /// Makes the watch of one installation, or of one child.
  let makeWatch: @Sendable () -> Watch

  /// The same tie of a feature in a larger state.
  func lifted<Root>(by path: ChildPath<Root, State>) -> EffectTie<Root> {
    EffectTie<Root>(footprint: path.footprint(of: footprint)) { [makeWatch] in
      let watch = makeWatch()
      return { root, ids, jobs in
        var (status, identity): (TieStatus, ChildIdentity?) = (.gone, nil)
        _ = path.lend(root, ids, &identity) { place, _ in
          status = watch(place, ids.dropFirst(path.depth), &jobs)
        }
        return status
      }
    }
  }
}

/// Actions that cancel an effect.
struct EffectCanceller<State: Sendable>: Sendable {
  let route: ActionRoute
  private let condition: Condition?
  /// Whether a condition of the user's is asked, by the deliverer of the commit.
  var isConditional: Bool { condition != nil }

  /// Says whether an action cancels, by the state after it, for the feature with some ids.
  typealias Condition =
    @Sendable (_ action: any Action, _ state: StateAddress, _ ids: ArraySlice<AnyID>) -> Bool

  init(_ route: ActionRoute, where condition: Condition? = nil) {
    (self.route, self.condition) = (route, condition)
  }

  func lifted<Root>(by path: ChildPath<Root, State>) -> EffectCanceller<Root> {
    EffectCanceller<Root>(
      route.lifted(by: path.steps),
      where: condition.map { condition -> EffectCanceller<Root>.Condition in
        { action, root, ids in
          var (isMet, identity): (Bool, ChildIdentity?) = (false, nil)
          _ = path.lend(root, ids, &identity) { place, _ in
            isMet = condition(action, place, ids.dropFirst(path.depth))
          }
          return isMet
        }
      })
  }

  /// Whether an action cancels runs in the feature with some ids, after a commit; called without a lock.
  func isMet(by inner: any Action, in ids: [AnyID], after report: any CommitReport) -> Bool {
    guard let condition else { return true }
    return report.read { condition(inner, $0, ids[...]) }
  }
}
