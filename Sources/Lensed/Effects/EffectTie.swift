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
  /// Whether a condition of the user's is asked, by whoever delivers the commit.
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
