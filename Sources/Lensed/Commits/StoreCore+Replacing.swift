extension StoreCore {
  /// Replaces the state by what `choose` returns in the same critical section; not, if that is nil.
  ///
  /// - Parameters:
  ///   - choose: Returns the new state.
  ///   - isReplay: Whether it repeats a commit, of which no middleware is notified.
  /// - Returns: Whether the state was replaced.
  func replaceState<State: Sendable>(
    choosing choose: () -> State?, isReplay: Bool = false
  ) -> Bool {
    // The old state leaves in this variable, to be released without the lock.
    var replacement: State?
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
      if isReplay { request.preparation = .replayed }
      _ = commit(request)
    }
    return replacement != nil
  }

  /// Replaces a part of the state, if `choose` returns true in the same critical section.
  ///
  /// What does not overlap the part is not touched: its observers are not notified, and its asynchronous
  /// reducers go on.
  func replacePart(
    _ part: Footprint, choosing choose: () -> Bool, _ write: (_ state: StateAddress) -> Void
  ) {
    withoutActuallyEscaping(choose) { choose in
      withoutActuallyEscaping(write) { write in
        _ = commit(CommitRequest(.replacement(of: part, choose: choose, write: write)))
      }
    }
  }

  /// Applies actions that were applied before, as one commit: the reducers run, and nothing is started.
  func replay(_ actions: [any Action], from site: CallSite) {
    let whole = actions.count == 1 ? actions[0] : ActionList(actions)
    var request = CommitRequest(actions, as: whole, from: site)
    request.preparation = .replayed
    proveCoverage(before: whole, at: site)
    _ = commit(request)
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
