/// The decisions of an effect that are left to the deliverers of their commits: those that ask a condition of the user's,
/// compare a value, or ask a clock.
///
/// A trigger that is deferred has yet to begin. What ends the effect meanwhile is noted here, and so reaches it: a later
/// action, a tie, or the commit that dismisses its child. The steps of the cycle:
///
/// 1. `add`, in the commit of the trigger, under the lock of the store.
/// 2. `noteEnd`, in the commits up to the decision, under the lock of the store.
/// 3. `end` and `remove`, by who decides: nothing is kept once no decision is left.
final class EffectDeferrals: Sendable {
  typealias Ending = (reason: EffectEnd, ender: RunEnder)

  private struct Pending: Sendable {
    var count = 0
    var ends: [(ids: [AnyID], place: CommitPlace, end: Ending)] = []
  }

  private let pending = Locked(Pending())

  func add() { pending.withLock { $0.count += 1 } }

  /// Notes that the effect was ended in a feature, and in all that is in it.
  func noteEnd(
    in ids: [AnyID], at place: CommitPlace, as reason: EffectEnd, by ender: RunEnder
  ) {
    pending.withLock { if $0.count > 0 { $0.ends.append((ids, place, (reason, ender))) } }
  }

  /// How the effect was first ended in a feature after `place`, and by what; nil if it was not.
  func end(in ids: [AnyID], since place: CommitPlace) -> Ending? {
    pending.withLock { pending in
      pending.ends.first { $0.place > place && ids.starts(with: $0.ids) }?.end
    }
  }

  /// Removes a decision that was taken; not under the lock of the store, because it may release what a user made.
  func remove() {
    let ends = pending.withLock { pending in
      pending.count -= 1
      return pending.count == 0 ? exchange(&pending.ends, with: []) : []
    }
    withExtendedLifetime(ends) {}
  }
}
