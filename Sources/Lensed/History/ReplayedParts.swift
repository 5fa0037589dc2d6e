/// Decides whether replaying the actions of a commit produces the same state.
///
/// It does while the same reducers handle them: those of the parts that the store had when the recording began, and
/// of those that were registered before the first action. It does not for a commit in which another part ran, nor for
/// any commit after one of the first parts was unregistered. Such a commit is recorded as a state.
struct ReplayedParts: Sendable {
  /// The parts at the first action in an earlier store.
  private var previous: OwnershipMap?
  /// The parts when the recording began.
  private let beginning: OwnershipMap
  private var first: OwnershipMap?
  /// The owners at the last commit, and whether they included all of the first.
  private var last: (owners: OwnershipMap, isWhole: Bool)?

  /// Begins with the parts of a store, which may continue the session of an earlier one.
  ///
  /// The other store numbers its parts differently, so they are compared by their footprints.
  init(_ start: CommitRecord, after former: ReplayedParts? = nil) {
    beginning = start.touched.ownership
    previous = former?.first ?? former?.previous
  }

  /// Records the owners of a commit.
  ///
  /// - Returns: Whether replaying its actions produces the same state. And the owners before, if they were
  ///   others, to be released without the lock: they hold what reducers have captured.
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
      bySlot[slot]?.identity == owner.identity
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
