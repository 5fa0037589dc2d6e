/// One commit, with the state after it, as a log of a test holds it.
package struct LoggedCommit<State: Sendable>: Sendable {
  package let revision: UInt64
  /// What the store did: a commit that replays a state is a replacement, whatever `cause` says.
  package let ownCause: CommitCause
  /// Why it was made, where it is replayed by its record.
  package let causes: CommitCauses
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
  /// Logs every commit from now on, under the lock, and returns the state before the first one.
  ///
  /// `begin`, which is given that state, and `log` only take in what they are given.
  @discardableResult
  package func logCommits(
    from begin: @escaping @Sendable (_ state: State) -> Void = { _ in },
    _ log: @escaping @Sendable (LoggedCommit<State>) -> Void
  ) -> State {
    let first = Locked<State?>(nil)
    let parts = Locked<ReplayedParts?>(nil)
    let recorder = CommitRecorder(
      begin: { start in
        parts.withLock { $0 = ReplayedParts(start) }
        let state = start.state.read(State.self)
        first.withLock { $0 = state }
        begin(state)
        return []
      },
      record: { commit in
        let (isReplayable, formerOwners) = parts.replay(commit)
        log(LoggedCommit(commit, isReplayable: isReplayable))
        return formerOwners
      })
    _ = view.core.attach(recorder)
    // The recorder keeps the box.
    return first.withLock { $0.take() } ?? state
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

// MARK: Attaching a recorder

extension StoreCore {
  /// Records each commit in its critical section, until the subscription ends; nil when the store has gone.
  func record(with recorder: CommitRecorder) -> StoreSubscription? {
    attach(recorder).map { id in
      StoreSubscription { [weak self] in self?.detach(id) }
    }
  }

  /// All of its state; nil when the store has gone.
  func view<State>(of type: State.Type) -> StoreView<State>? {
    withTable { $0.memory }.map { StoreView(self, PartPath(Lens.identity), $0) }
  }
}

// MARK: What can be replayed

/// Decides whether replaying the actions of a commit produces the same state.
///
/// It does while the same reducers handle them: those that the store had when the recording began, or that were
/// registered before the first action. It does not if another part ran, nor once one of the first parts was
/// unregistered, or got other reducers.
struct ReplayedParts: Sendable {
  /// The parts at the first action in an earlier store.
  private var previous: OwnershipMap?
  /// The parts when the recording began.
  private let beginning: OwnershipMap
  private var first: OwnershipMap?
  /// The owners at the last commit, and whether they included all of the first.
  private var last: (owners: OwnershipMap, isWhole: Bool)?

  /// Begins with the parts of a store; those of an earlier one have other numbers, and are compared by their
  /// footprints.
  init(_ start: CommitRecord, after former: ReplayedParts? = nil) {
    beginning = start.touched.ownership
    previous = former?.first ?? former?.previous
  }

  /// Records the owners of a commit, and returns whether replaying its actions produces the same state.
  ///
  /// Also the owners before, if they were others, to be released without the lock: they hold what reducers have
  /// captured.
  mutating func replay(_ commit: CommitRecord) -> (isReplayable: Bool, former: OwnershipMap?) {
    guard commit.cause == .action else { return (false, nil) }
    let owners = commit.touched.ownership
    let first = self.first ?? owners
    self.first = first
    var former: OwnershipMap?
    if last?.owners !== owners {
      former = last?.owners
      last = (owners, isWhole(owners, comparedTo: first))
    }
    guard last?.isWhole == true else { return (false, former) }
    let isReplayable =
      owners === first || commit.touched.slots.allSatisfy { first.bySlot[$0] != nil }
    return (isReplayable, former)
  }

  private func isWhole(_ present: OwnershipMap, comparedTo first: OwnershipMap) -> Bool {
    if let previous, !previous.isAlike(first) { return false }
    // A part that was registered again has a new owner, and might have another reducer.
    return first.includes(beginning) && present.includes(first)
  }
}

extension Locked where Value == ReplayedParts? {
  /// The same; no commit is replayed before the recording has begun.
  func replay(_ commit: CommitRecord) -> (isReplayable: Bool, former: OwnershipMap?) {
    withLock { $0?.replay(commit) } ?? (false, nil)
  }
}

extension OwnershipMap {
  fileprivate func includes(_ other: OwnershipMap) -> Bool {
    if self === other { return true }
    return other.bySlot.allSatisfy { slot, owner in
      guard let own = bySlot[slot] else { return false }
      return own.identity == owner.identity && own.replacements == owner.replacements
    }
  }

  /// Whether the same parts have owners, ignoring their numbers.
  fileprivate func isAlike(_ other: OwnershipMap) -> Bool {
    bySlot.count == other.bySlot.count
      && bySlot.values.allSatisfy { owner in
        other.bySlot.values.contains { $0.footprint == owner.footprint }
      }
  }
}
