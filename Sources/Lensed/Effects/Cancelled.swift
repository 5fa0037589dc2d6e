// An effect that is `cancelled(on:)` ends with an action:
//
// 1. A listener of that action asks in its commit, under the lock of the store, whether the action is for the feature of
//    the effect, or for what holds it.
// 2. Without a condition, the runs are revoked right there (`cancel`): those alone whose triggers came before the action.
// 3. A condition is code of the user's. The deliverer of the commit asks it, before the observers, and then cancels in a
//    turn at the lock.
// 4. Triggers whose own decisions are left to a deliverer are reached too: the end is noted with `EffectDeferrals`.

extension Effect {
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
    with { $0.cancellers.append(canceller) }
  }
}

// MARK: The actions that cancel

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

  func lifted<Root>(by path: Optic<Root, State>) -> EffectCanceller<Root> {
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

// MARK: Cancelling

extension EffectRunner {
  /// Ends runs in the commit of an action that cancels them, or when its deliverer has asked the condition.
  func listener(of canceller: EffectCanceller<Root>) -> CommitListener {
    var listener = CommitListener(
      selection: .actions(canceller.route.type),
      decide: { decisions, action in
        guard let action, let (inner, ids) = canceller.route.inner(of: action) else { return }
        if !canceller.isConditional { return self.cancel(in: ids, &decisions) }
        let place = decisions.place
        decisions.decideLater { report, work in
          guard canceller.isMet(by: inner, in: ids, after: report) else { return }
          self.view.core.decide(at: place, of: report, under: work) { self.cancel(in: ids, &$0) }
        }
      })
    listener.needsReport = canceller.isConditional
    if path.lens == nil {
      listener.child = path.locator { canceller.route.ids(of: $0) }
    }
    return listener
  }

  /// Ends the runs in a feature and in what is in it, but for those whose triggers came later.
  func cancel(in ids: [AnyID], _ decisions: inout CommitDecisions) {
    seats.deferrals.note(
      EffectDeferrals.Note(
        ids: ids, place: decisions.place, end: (.cancelled, decisions.jobs.ender)))
    for seat in seats.all(in: ids) {
      decisions.jobs.end(seat.runs.works.filter { $0.origin < decisions.place })
      seats.tidy(seat, at: nil, into: &decisions.jobs)
    }
  }
}
