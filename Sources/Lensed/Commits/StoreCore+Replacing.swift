extension StoreCore {
  /// Replaces the state by what `choose` returns in the same critical section; not, if that is nil.
  ///
  /// - Parameters:
  ///   - choose: Returns the new state.
  ///   - recorded: What the record says of the commit, where it repeats one, of which no middleware is notified.
  /// - Returns: The number of the commit; nil where none was made.
  @discardableResult
  func replaceState<State: Sendable>(
    choosing choose: () -> State?, replaying recorded: CommitCauses? = nil
  ) -> UInt64? {
    // The old state leaves in this variable, to be released without the lock.
    var replacement: State?
    var attempt: Attempt?
    withoutActuallyEscaping(choose) { choose in
      let content = CommitRequest.Content.replacement(
        of: nil,
        choose: {
          replacement = choose()
          return replacement != nil
        },
        write: { address in
          address.edit(State.self) { state in
            if let new = replacement.take() { replacement = exchange(&state, with: new) }
          }
        })
      var request = CommitRequest(content)
      if let recorded {
        (request.site, request.preparation) = (recorded.site, .replayed(as: Boxed(recorded)))
      }
      attempt = commit(request)
    }
    return attempt?.revision
  }

  /// Restores a part of the state, or all of it if that is nil, if `choose` returns true in the same critical section: an undo, a redo or a jump.
  ///
  /// What does not overlap the part is not touched: its observers are not notified, and its asynchronous
  /// reducers go on.
  func restorePart(
    _ part: Footprint?, choosing choose: () -> Bool, _ write: (_ state: StateAddress) -> Void
  ) {
    withoutActuallyEscaping(choose) { choose in
      withoutActuallyEscaping(write) { write in
        var request = CommitRequest(.replacement(of: part, choose: choose, write: write))
        request.isJourney = true
        _ = commit(request)
      }
    }
  }

  /// Replays commits within `body`; meanwhile, and until they are delivered, observers can dispatch nothing.
  func replaying(_ body: () -> Void) {
    withLock("replayed a session") { $0.table.replayCount += 1 }
    body()
    let end = DeliveryProbe { self.withLock("replayed a session") { $0.table.replayCount -= 1 } }
    let (isQueued, delivery) = withLock("replayed a session") { protected in
      let queued = protected.table.notifyWhenDelivered(end)
      if !queued.isQueued { protected.table.replayCount -= 1 }
      return queued
    }
    if isQueued, let delivery { deliver(delivery) }
  }

  /// Applies actions that were applied before, as one commit: the reducers run, and nothing is started.
  ///
  /// - Parameters:
  ///   - actions: The actions.
  ///   - site: Where they were dispatched.
  ///   - recorded: What the record says of the commit; nil where there is none.
  /// - Returns: The number of the commit; nil where none was made.
  @discardableResult
  func replay(
    _ actions: [any Action], from site: CallSite?, as recorded: CommitCauses? = nil
  ) -> UInt64? {
    let whole = actions.count == 1 ? actions[0] : ActionList(actions)
    var request = CommitRequest(actions, as: whole, from: site)
    request.preparation = .replayed(as: recorded.map { Boxed($0) })
    proveCoverage(before: whole, at: site)
    return commit(request).revision
  }

  /// Commits the result of an asynchronous reducer, which `write` puts into the sub-state of `epoch`.
  ///
  /// Not, if that has another owner by now, or the state was replaced after the commit `origin`.
  /// `placeholders` are the values for the time being that it shows and ends. `isRestoring` says that it puts back
  /// what stopped work had shown. `hasGone` says, under the lock, that the child has gone whose part it is.
  ///
  /// - Returns: Whether it was committed.
  func commitResult(
    of epoch: OwnershipEpoch, after origin: UInt64, by work: WorkNode, isRestoring: Bool = false,
    _ placeholders: PlaceholderStep, unless hasGone: () -> Bool,
    _ write: @escaping (_ state: StateAddress) -> Void
  ) -> Bool {
    withoutActuallyEscaping(hasGone) { hasGone in
      var isCommitted = false
      var request = CommitRequest(
        .result(
          of: epoch, after: origin, unless: hasGone,
          write: { state in
            write(state)
            isCommitted = true
          }))
      (request.parent, request.isRestoring) = (.part(of: work), isRestoring)
      request.placeholders = placeholders
      _ = commit(request)
      return isCommitted
    }
  }
}

extension WorkLabel {
  /// The name of what a commit starts.
  init(_ request: CommitRequest) {
    switch request.cause {
    case .action:
      // What was dispatched knows where; a place in here would tell nobody anything.
      self = request.site.map { .dispatch(request.type, $0) } ?? .commit("a dispatch")
    case .asyncResult: self = .commit("the outcome of an asynchronous reducer")
    case .placeholder: self = .commit("the placeholder of an asynchronous reducer")
    case .replacement: self = .commit("a replacement of the state")
    }
  }
}
