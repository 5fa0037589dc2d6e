// What LensedPersistence needs of a store: to restore its state before anything else is attached, and to note in each
// commit, under the lock, which parts of the state it touched.

/// Middleware that restores the state of a store, wherever it is in the list: before all other middleware is attached.
///
/// It is asked about no action and is notified of no commit: a recorder notes what is touched.
package protocol StateKeeping<State>: Middleware {
  /// Restores the state, and begins to note what commits touch.
  ///
  /// Of a store that is being made (`isNew`), others may have restored their parts before.
  func keep(_ store: ScopedStore<State>, isNew: Bool)
}

/// A part of a state that is kept, as the store knows it.
package struct StatePart: Sendable {
  fileprivate let footprint: Footprint

  /// The part that a lens focuses on.
  package init<State, Value>(_ lens: Lens<State, Value>) {
    footprint = lens.footprint.resolved
  }

  /// The property, as a person would write it; nil where it cannot be seen.
  package var name: String? { footprint.path == nil ? nil : footprint.name }
  /// The type of the part.
  package var typeName: String { footprint.typeName }

  /// Whether another part may share something with it.
  package func overlaps(_ other: StatePart) -> Bool { footprint.isTouching(other.footprint) }
}

extension ScopedStore {
  /// Notes, under the lock, which parts each commit from now on touches, until the subscription ends.
  ///
  /// - Parameters:
  ///   - parts: At most 64 parts.
  ///   - note: Is given the parts that a commit touched, one bit each, and zero where it touched none; its cause; and
  ///     its number. Called under the lock, for each commit.
  ///   - wake: Called without the lock after each commit, by the thread that made it.
  ///   - end: Called once, when the subscription has ended or the store has gone: the state can still be read.
  /// - Returns: The subscription, and how many commits there were; nil when the store has gone.
  package func noteTouched(
    _ parts: [StatePart],
    note: @escaping @Sendable (_ touched: UInt64, _ cause: CommitCause, _ revision: UInt64) -> Void,
    wake: @escaping @Sendable () -> Void, end: @escaping @Sendable () -> Void
  ) -> (subscription: StoreSubscription, revision: UInt64)? {
    let footprints = parts.map(\.footprint)
    let revision = Locked<UInt64>(0)
    let recorder = CommitRecorder(
      begin: { start in
        _ = revision.withLock { exchange(&$0, with: start.revision) }
        return []
      },
      record: { commit in
        note(
          commit.touched.parts(of: footprints, in: commit.cause), commit.cause, commit.revision)
        return nil
      }, afterwards: wake)
    let core = view.core
    let id = core.attach(recorder, purpose: "attached a Persistence", onRemove: end)
    guard let id else { return nil }
    let subscription = StoreSubscription { [weak core] in core?.detach(id) }
    return (subscription, revision.withLock { $0 })
  }

  /// Replaces the state as a whole, unless `choose` returns false in the same critical section.
  package func replaceState(_ state: State, if choose: () -> Bool) {
    _ = view.core.replaceState(choosing: { () -> State? in choose() ? state : nil })
  }

  /// Reads the settled state and the number of its commit in one turn at the lock, also after the store has gone.
  ///
  /// `read` is given the number, too, and how often placeholders had ended without a commit: what these showed is
  /// settled since. It runs under the lock where no placeholder is shown: it runs lenses, and nothing else of a user's.
  package func readSettledState<Value>(
    _ read: (State, _ revision: UInt64, _ ends: UInt64) -> Value
  ) -> (value: Value, revision: UInt64) {
    view.core.readSettled(of: view.memory) { read(view.part.read($0), $1, $2) }
  }
}

extension TouchedParts {
  /// Which of some footprints a commit touched, one bit each.
  ///
  /// Owners are not kept from one commit to the next: they hold what reducers have captured.
  fileprivate func parts(of footprints: [Footprint], in cause: CommitCause) -> UInt64 {
    if slots.isEmpty { return cause == .replacement ? ~0 : 0 }
    let owners = ownership.bySlot
    var parts: UInt64 = 0
    for slot in slots {
      let owned = owners[slot]?.footprint
      for (number, part) in footprints.enumerated()
      where parts & 1 << UInt64(number) == 0 && owned?.isTouching(part) ?? true {
        parts |= 1 << UInt64(number)
      }
      if parts.nonzeroBitCount == footprints.count { break }
    }
    return parts
  }
}
