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
    /// Whether `suspect` may have dismissed any child: who decides about one compares it.
    var isSuspect = false
    /// It waits to be delivered, and so is there; its own listeners lead back to this.
    weak var suspect: (any CommitReport)?
  }

  private struct Pending: Sendable {
    var count = 0
    var notes: [Note] = []
    /// The last commit whose values are yet to be compared, in children.
    ///
    /// Who delivers it holds it; by its listeners it leads back to here.
    weak var newest: (any CommitReport)?
  }

  private let pending = Locked(Pending())

  func add() { pending.withLock { $0.count += 1 } }

  /// The same of values in children; returns the commit before, if that is yet to be decided too.
  func add(_ report: any CommitReport) -> (any CommitReport)? {
    pending.withLock { pending in
      pending.count += 1
      let former = pending.newest
      pending.newest = report
      return former
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
  }

  /// How the effect was first ended in a feature after `place`, and by what; nil if it was not.
  func end(
    in ids: [AnyID], since place: CommitPlace, _ isMeant: (any CommitReport) -> Bool
  ) -> Ending? {
    notes(in: ids, since: place).first { note in
      note.isSuspect ? note.suspect.map(isMeant) ?? false : true
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

  /// Removes a decision that was taken of a commit; not under the lock of the store, because it may release what a user
  /// made.
  func remove(at place: CommitPlace) {
    let past = pending.withLock { pending -> [Note] in
      pending.count -= 1
      if pending.count == 0 { return exchange(&pending, with: Pending()).notes }
      // Decisions are taken in the order of the commits: none asks for the ends of earlier ones any more.
      let past = Array(pending.notes.prefix { $0.place.revision < place.revision })
      pending.notes.removeFirst(past.count)
      return past
    }
    withExtendedLifetime(past) {}
  }
}
