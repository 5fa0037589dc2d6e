/// The decisions of an effect that are left to the deliverers of their commits: those that ask a condition of the user's,
/// compare a value, or ask a clock.
///
/// A trigger that is deferred has yet to begin. What ends the effect meanwhile is noted here, and so reaches it: a later
/// action, a tie, the commit that dismisses its child, or its removal. The steps of the cycle:
///
/// 1. `add`, in the commit of the trigger, under the lock of the store.
/// 2. `note`, in the commits up to the decision, under the lock of the store.
/// 3. `end` and `remove`, by who decides: nothing is kept once no decision is left.
final class EffectDeferrals: Sendable {
  typealias Ending = (reason: EffectEnd, ender: RunEnder)

  /// What has ended the effect in a feature, and in all that is in it.
  struct Note: Sendable {
    let ids: [AnyID]
    let place: CommitPlace
    let end: Ending
    /// The seat that the dismissal of a child has closed.
    var seat: (any AnyObject & Sendable)?
    /// The commit that may have dismissed any child: who decides about one compares it.
    ///
    /// It waits to be delivered, and so is there; its own listeners lead back to this.
    var suspect: Suspect?
  }

  struct Suspect: Sendable {
    weak let report: (any CommitReport)?
  }

  private struct Pending: Sendable {
    var count = 0
    var notes: [Note] = []
    /// The last commit whose values are yet to be compared, in children.
    var newest: (any CommitReport)?
  }

  private let pending = Locked(Pending())

  func add() { pending.withLock { $0.count += 1 } }

  /// The same of values in children; returns the commit before, if that is yet to be decided too.
  ///
  /// Whoever delivers that one holds it.
  func add(_ report: any CommitReport) -> (any CommitReport)? {
    pending.withLock { pending in
      pending.count += 1
      return exchange(&pending.newest, with: report)
    }
  }

  /// Notes that the effect was ended.
  func note(_ note: Note) {
    pending.withLock { if $0.count > 0 { $0.notes.append(note) } }
  }

  /// Notes that the effect begins nothing more.
  func noteClosed() {
    note(
      Note(ids: [], place: CommitPlace(revision: .max, member: 0), end: (.cancelled, .ordinary)))
    let newest = pending.withLock { exchange(&$0.newest, with: nil) }
    withExtendedLifetime(newest) {}
  }

  /// How the effect was first ended in a feature after `place`, and by what; nil if it was not.
  func end(
    in ids: [AnyID], since place: CommitPlace, _ isMeant: (any CommitReport) -> Bool
  ) -> Ending? {
    notes(in: ids, since: place).first { note in
      guard let suspect = note.suspect else { return true }
      return suspect.report.map(isMeant) ?? false
    }?.end
  }

  /// The first seat of a child that was closed after `place`.
  func closedSeat(of ids: [AnyID], since place: CommitPlace) -> (any AnyObject & Sendable)? {
    notes(in: ids, since: place).lazy.compactMap(\.seat).first
  }

  private func notes(in ids: [AnyID], since place: CommitPlace) -> [Note] {
    pending.withLock { pending in
      pending.notes.filter { $0.place > place && ids.starts(with: $0.ids) }
    }
  }

  /// Removes a decision that was taken; not under the lock of the store, because it may release what a user made.
  func remove() {
    let left = pending.withLock { pending -> Pending? in
      pending.count -= 1
      return pending.count == 0 ? exchange(&pending, with: Pending()) : nil
    }
    withExtendedLifetime(left) {}
  }
}
