/// One commit, with the state after it, as a log of a test holds it.
package struct LoggedCommit<State: Sendable>: Sendable {
  package let revision: UInt64
  /// What the store did: a commit that replays a state is a replacement, whatever `cause` says.
  package let ownCause: CommitCause
  /// Why it was made, where it is replayed by its record.
  package let causes: CommitCauses
  /// What was dispatched, as a whole.
  package let action: (any Action)?
  /// The single actions that were applied.
  package let members: [any Action]
  /// Whether replaying its actions produces the same state; see `ReplayedParts`.
  package let isReplayable: Bool
  package let state: State
  /// The parts whose reducers ran.
  package let properties: [String]
  /// The parts whose reducers handle the type of the action, whether they ran or not.
  package var candidates: [String] { touched.properties }
  package let thread: UInt
  private let touched: TouchedParts

  package var cause: CommitCause { causes.cause }
  package var site: CallSite? { causes.site }
  package var origin: CommitOrigin { causes.origin }
  package var parent: UInt64? { causes.parent }
  package var isHandled: Bool { causes.isHandled }

  init(_ commit: CommitRecord, isReplayable: Bool) {
    self.isReplayable = isReplayable
    revision = commit.revision
    (ownCause, causes) = (commit.cause, CommitCauses(commit))
    action = commit.actions.whole
    members = commit.actions.members
    state = commit.state.read(State.self)
    properties = commit.touched.slots.compactMap {
      commit.touched.ownership.bySlot[$0]?.footprint.name
    }
    thread = ThreadIdentity.current
    touched = commit.touched
  }

  /// Whether a reducer ran that owns a part of what the lens reads.
  package func touches<Value>(_ lens: some LensLike<State, Value>) -> Bool {
    ownCause == .replacement || touched.touches(lens.asLens.footprint)
  }
}

/// The identity of the running thread, as `LoggedCommit` holds it.
package var currentThreadIdentity: UInt { ThreadIdentity.current }

extension Store {
  /// Logs every commit from now on, under the lock: `begin` and `log` only take in what they are given.
  ///
  /// - Parameters:
  ///   - begin: Is given the state before the first commit.
  ///   - log: Is given each commit.
  /// - Returns: The state before the first commit.
  @discardableResult
  package func logCommits(
    from begin: @escaping @Sendable (_ state: State) -> Void = { _ in },
    _ log: @escaping @Sendable (LoggedCommit<State>) -> Void
  ) -> State {
    let first = Locked<State?>(nil)
    let core = view.core
    let parts = Locked<ReplayedParts?>(nil)
    let recorder = CommitRecorder(record: { commit in
      let (isReplayable, formerOwners) = parts.replay(commit)
      log(LoggedCommit(commit, isReplayable: isReplayable))
      return formerOwners
    })
    let listener = CommitListener(
      selection: .recording(recorder),
      onAttach: { [unowned core] _, state in
        let start = ReplayedParts(core.presentRecord)
        parts.withLock { $0 = start }
        let state = state.read(State.self)
        first.withLock { $0 = state }
        begin(state)
      })
    _ = view.core.attach(Attachment(listeners: [listener]))
    return first.withLock { $0 } ?? state
  }

  /// Whether an effect or an asynchronous mutator is set off by actions of a type.
  package func hasListeners(of type: any Action.Type) -> Bool {
    view.core.withLock("looked up its effects") { protected in
      let index = view.core.routeIndex(of: type, &protected)
      return !protected.listeners.listeners(ofRoute: index).listeners.isEmpty
    }
  }

  /// Applies the actions of one recorded commit: the reducers run, and nothing is started.
  package func replay(_ actions: [any Action], from site: CallSite?) {
    view.core.replaying { view.core.replay(actions, from: site) }
  }
}
