// An effect that is tied to a value ends with it:
//
// 1. A tie makes a *watch* for each installation, or for each child. Asked about each state in order, it compares the
//    identity of the value with the one before: `same`, `replaced` or `gone`.
// 2. A listener of the part that the value lies in asks the watch in each commit that touches it, under the lock of the
//    store (`isAlive`). A trigger of the same commit asks it too; whichever comes first finds the change.
// 3. Where the value was replaced, or has gone, the runs are revoked in that commit. Where it has gone, none begins.
// 4. Where a decision is left to the deliverer, what a commit in between has ended is noted (`EffectDeferrals`).
//
// An effect of a feature in a row, an optional or a case needs no tie: it ends with that child (`EffectsPerChild.stopGone`).

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
    tied(PartPath(keyPath, for: .effect)) { $0.map { _ in true } }
  }

  /// This effect, tied to the identity of an optional in the state: it ends when the optional becomes nil
  /// or a value with another identity, and does not begin while it is nil.
  public func tied<Value: Identifiable & SendableMetatype>(
    to keyPath: any KeyPath<State, Value?> & Sendable
  ) -> Effect where Value.ID: Sendable {
    tied(PartPath(keyPath, for: .effect)) { $0?.id }
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
    tied(PartPath(keyPath, for: .effect)) { $0.map { $0[keyPath: identity] } }
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
  /// - Complexity: One look-up for each commit that touches the collection: O(log *n*) in `Entities`, O(1) in
  ///   dictionaries, O(*n*) in arrays.
  public func tied<Rows: RowCollection & SendableMetatype>(
    to keyPath: any KeyPath<State, Rows> & Sendable, id: Rows.RowID
  ) -> Effect where Rows.RowID: Sendable {
    tied(PartPath(keyPath, for: .effect)) { $0.row(id: id).map { _ in true } }
  }

  /// This effect, tied to the identity of one row of a collection: it ends when the row is removed or, in a
  /// dictionary, replaced by one with another identity, and does not begin while there is none.
  public func tied<Rows: RowCollection & SendableMetatype>(
    to keyPath: any KeyPath<State, Rows> & Sendable, id: Rows.RowID
  ) -> Effect
  where
    Rows.RowID: Sendable, Rows.Row: Identifiable & SendableMetatype, Rows.Row.ID: Sendable
  {
    tied(PartPath(keyPath, for: .effect)) { $0.row(id: id)?.id }
  }

  /// This effect, tied to a property of one row of a collection: it ends when the row is removed or differs in
  /// `identity`, and does not begin while there is none.
  public func tied<Rows: RowCollection & SendableMetatype, Identity: Equatable & Sendable>(
    to keyPath: any KeyPath<State, Rows> & Sendable, id: Rows.RowID,
    by identity: any KeyPath<Rows.Row, Identity> & Sendable
  ) -> Effect where Rows.RowID: Sendable {
    tied(PartPath(keyPath, for: .effect)) {
      $0.row(id: id).map { $0[keyPath: identity] }
    }
  }

  private func tied<Value, Identity: Equatable & Sendable>(
    _ part: PartPath<Value>, _ identity: @escaping @Sendable (Value) -> Identity?
  ) -> Effect {
    let read = part.read
    let tie = EffectTie<State>(footprint: part.footprint) {
      let last = Locked<Identity?>(nil)
      return { state, _, jobs in
        let new = identity(read(state))
        return last.withLock { last in
          if let last, last == new { return .same }
          let old = exchange(&last, with: new)
          if let old { jobs.keep(old) }
          if new == nil { return .gone }
          return old == nil ? .same : .replaced
        }
      }
    }
    return with { $0.ties.append(tie) }
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
  /// Is called under the lock of the store with each state in order, and returns the status of the tied value; what it
  /// forgets is kept until the lock is released.
  typealias Watch =
    @Sendable (
      _ state: StateAddress, _ ids: ArraySlice<AnyID>, _ jobs: inout JobDecisions
    ) -> TieStatus

  let footprint: Footprint
  /// Makes the watch of one installation, or of one child.
  let makeWatch: @Sendable () -> Watch

  /// The same tie of a feature in a larger state.
  func lifted<Root>(by path: Optic<Root, State>) -> EffectTie<Root> {
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

// MARK: Ending

extension EffectRunner {
  /// Ends the runs in each commit in which the value has gone, or was replaced.
  func listener(of tie: EffectTie<Root>) -> CommitListener {
    CommitListener(
      selection: .part(tie.footprint),
      decide: { decisions, _ in
        for seat in self.seats.touched(by: decisions) {
          _ = self.isAlive(in: seat, &decisions)
          self.seats.tidy(seat, at: nil, into: &decisions.jobs)
        }
      })
  }

  /// Whether all values exist that the effect is tied to; ends the runs when one was replaced.
  ///
  /// The first one to ask in a commit finds it out, be it a listener of a tie or a trigger.
  func isAlive(in seat: EffectSeat<State>, _ decisions: inout CommitDecisions) -> Bool {
    if seat.ties.isEmpty { return true }
    var (isAlive, isSame) = (true, true)
    for tie in seat.ties {
      switch tie(decisions.state, seat.ids[...], &decisions.jobs) {
      case .same: break
      case .replaced: isSame = false
      case .gone: (isAlive, isSame) = (false, false)
      }
    }
    if !isSame {
      seats.deferrals.note(
        EffectDeferrals.Note(
          ids: seat.ids, place: CommitPlace(revision: decisions.place.revision, member: -1),
          end: (.gone, decisions.jobs.ender)))
      decisions.jobs.end(seat.runs.works, as: .gone)
    }
    return isAlive
  }

  /// Whether all values existed after a commit.
  func tiesExisted(
    in ids: [AnyID], after report: any CommitReport, _ jobs: inout JobDecisions
  ) -> Bool {
    ties.allSatisfy { tie in
      let watch = tie.makeWatch()
      // It may be the last to hold an identity, which is the user's.
      defer { jobs.keep(watch) }
      return report.read { watch($0, ids[...], &jobs) } == .same
    }
  }
}
