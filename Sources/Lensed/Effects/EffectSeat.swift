/// The runs of an effect in one feature: in the state itself, or in one child.
///
/// A seat of a child is made in the commit of the action that is for it, and goes when nothing is under way.
final class EffectSeat<State: Sendable>: Sendable {
  let ids: [AnyID]
  /// The identity of the child; nil for what is always there.
  let identity: ChildIdentity?
  let home: EffectHome<State>
  let ties: [EffectTie<State>.Watch]
  /// Set under the lock of the store when the child goes.
  let end: SharedFlag
  let runs: EffectRuns

  init(
    ids: [AnyID] = [], identity: ChildIdentity? = nil, home: EffectHome<State>,
    ties: [EffectTie<State>.Watch], end: SharedFlag = SharedFlag(), runs: EffectRuns
  ) {
    (self.ids, self.identity, self.home) = (ids, identity, home)
    (self.ties, self.end, self.runs) = (ties, end, runs)
  }
}

extension AnyID {
  /// What a trigger without a key counts under: equal to no key of a user, because none has its type.
  fileprivate static let unkeyed = AnyID(NoKey())

  private struct NoKey: Hashable, Sendable {}
}

/// The wait of triggers, of which each replaces the one before, for a lull.
final class Lull: Sendable {
  private let first = Locked<Duration?>(nil)

  /// When its first trigger began to wait, by the clock of whoever asks at `now`.
  func beginning(at now: Duration) -> Duration {
    first.withLock { first in
      let beginning = first ?? now
      first = beginning
      return beginning
    }
  }
}

/// The runs that an effect counts together, or one such group for each key.
///
/// The groups are guarded by the lock of the store: under it they are looked up and made, and an idle one is removed. So
/// keys are hashed and compared under that lock.
final class EffectRuns: Sendable {
  /// Runs that count together.
  final class Group: Sendable {
    let jobs: JobQueue
    /// Triggers wait here for a pause; a newer one replaces the one that waits.
    let waits: JobQueue?
    let throttle: ThrottleClock?
    /// The wait for a lull that is under way; guarded by the lock of the store.
    private let lull = Locked(Lull())

    /// The lull that a new trigger waits for: that of the one it replaces, or a new one.
    func nextLull() -> Lull {
      let isUnderWay = waits?.allJobs.contains { !$0.isStopped } ?? false
      return lull.withLock { lull in
        if !isUnderWay { lull = Lull() }
        return lull
      }
    }

    fileprivate init(
      _ policy: EffectPolicy, _ options: EffectOptions, _ label: WorkLabel,
      onEmpty: (@Sendable () -> Void)?
    ) {
      throttle = options.throttle
      jobs = JobQueue(policy, of: label, silence: throttle?.silence, onEmpty: onEmpty)
      waits =
        options.pause == nil && throttle?.keepsLatest != true
        ? nil : JobQueue(.latest, holdsLulls: true, onEmpty: onEmpty)
    }

    /// Whether nothing is under way, and no silence lasts; `now` is the time of the throttle.
    fileprivate func isIdle(at now: Duration?) -> Bool {
      guard jobs.isEmpty && waits?.isEmpty != false else { return false }
      guard throttle != nil else { return true }
      return now.map { !jobs.isSilent(at: $0) } ?? false
    }

    /// The works that wait for a lull, and then those that run or wait for their turn.
    fileprivate var works: [WorkNode] { (waits?.allJobs ?? []) + jobs.allJobs }
  }

  private struct Groups: Sendable {
    var groups: [AnyID: Group] = [:]
    /// The count at which groups are looked for whose silence is over.
    var limit = 16
  }

  let label: WorkLabel
  /// The one group, where there is no key.
  let only: Group?
  private let policy: EffectPolicy
  private let options: EffectOptions
  private let core: StoreCore
  private let groups = Locked(Groups())
  private let closed = SharedFlag()
  private let onEmpty: (@Sendable () -> Void)?

  /// Runs, or groups of them; `onEmpty` is called without a lock when the last job of a group has ended.
  init(
    _ policy: EffectPolicy, _ options: EffectOptions = EffectOptions(),
    _ label: WorkLabel = .effect(""), isKeyed: Bool = false, in core: StoreCore,
    onEmpty: (@Sendable () -> Void)?
  ) {
    (self.policy, self.options, self.label, self.core) = (policy, options, label, core)
    self.onEmpty = onEmpty
    only = isKeyed ? nil : Group(policy, options, label, onEmpty: onEmpty)
  }

  /// Whether nothing is under way, and no silence lasts.
  func isIdle(at now: Duration?) -> Bool {
    if let only { return only.isIdle(at: now) }
    return groups.withLock { $0.groups.values.allSatisfy { $0.isIdle(at: now) } }
  }

  /// The group of a key, or of the triggers without one; nil once all is closed.
  ///
  /// Called under the lock of the store.
  func group(of key: AnyID?, at now: Duration?, into decisions: inout JobDecisions) -> Group? {
    if let only { return only }
    if closed.isSet { return nil }
    let key = key ?? .unkeyed
    return groups.withLock { groups in
      if let group = groups.groups[key] { return group }
      if let now, groups.groups.count >= groups.limit {
        let idle = groups.groups.filter { $0.value.isIdle(at: now) }
        for key in idle.keys { groups.groups[key] = nil }
        groups.limit = 2 * groups.groups.count + 16
        decisions.keep(idle)
      }
      let group = Group(policy, options, label) { [weak self] in self?.tidy(key) }
      groups.groups[key] = group
      return group
    }
  }

  /// Removes the group of a key if it is idle.
  private func tidy(_ key: AnyID) {
    // The clock of a user is asked without a lock.
    let now = options.throttle?.now
    let removed = core.withLock("ended a run of an effect") { _ in
      groups.withLock { groups -> (AnyID, Group)? in
        guard let index = groups.groups.index(forKey: key),
          groups.groups.values[index].isIdle(at: now)
        else { return nil }
        return groups.groups.remove(at: index)
      }
    }
    withExtendedLifetime(removed) {}
    onEmpty?()
  }

  private var all: [Group] {
    only.map { [$0] } ?? groups.withLock { Array($0.groups.values) }
  }

  /// The works that run, and those that wait; an order to end them in.
  var works: [WorkNode] { all.flatMap(\.works) }

  /// Lets the triggers that wait for a lull begin.
  func flush() {
    for group in all { group.waits?.endPauses() }
  }

  /// Refuses every job from now on; returns those to be stopped, or only those that are yet to begin.
  func close(retiring isRetiring: Bool = false) -> [WorkNode] {
    closed.set()
    return all.flatMap { group in
      (group.waits?.close() ?? []) + group.jobs.close(retiring: isRetiring)
    }
  }
}
