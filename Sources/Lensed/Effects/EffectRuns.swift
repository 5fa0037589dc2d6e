// The runs of an effect that count together:
//
// 1. An effect without keys has one *group*. One with `per:` has a group for each key, made by the first trigger with it.
// 2. A group has the queue of its jobs, and one of the triggers that wait. What becomes of a new job, as under
//    `.latest` of the older one, is decided by the policy of the queue (`JobQueueMachine`).
// 3. A group goes when nothing of it is under way and its silence is over: with its last job, or when there are many.

/// The runs that an effect counts together, or one such group for each key: looked up, made and removed under the lock
/// of the store, so that keys are hashed and compared under it.
final class EffectRuns: Sendable {
  /// Runs that count together.
  final class Group: Sendable {
    let jobs: JobQueue
    /// The triggers that wait for a lull or the end of a silence, of which a newer one replaces the one before; nil
    /// where none does.
    let waits: JobQueue?
    /// The lull that the newest one waits for; guarded by the lock of the store.
    let lull = Locked<Lull?>(nil)
    let throttle: Throttle?

    fileprivate init(
      _ policy: EffectPolicy, _ options: EffectOptions, _ label: WorkLabel,
      onEmpty: (@Sendable () -> Void)?
    ) {
      throttle = options.throttle
      jobs = JobQueue(
        policy, of: label, at: options.site, silence: throttle?.clock.length, onEmpty: onEmpty)
      let mayWait = options.pause != nil || options.throttle?.keepsLatest == true
      waits =
        mayWait
        ? JobQueue(.latest, at: options.site, holdsLulls: true, onEmpty: onEmpty) : nil
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

  let label: WorkLabel
  /// The one group, where there is no key.
  let only: Group?
  private let policy: EffectPolicy
  private let options: EffectOptions
  private let core: StoreCore
  private let groups = Locked(TidyTable<AnyID, Group>())
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

  /// Whether nothing begins any more.
  var isClosed: Bool { closed.isSet }

  /// Whether nothing is under way, and no silence lasts.
  func isIdle(at now: Duration?) -> Bool {
    if let only { return only.isIdle(at: now) }
    return groups.withLock { $0.entries.values.allSatisfy { $0.isIdle(at: now) } }
  }

  /// Whether a trigger with a key, or without one, would come too soon.
  func isSilent(_ key: AnyID?, at now: Duration) -> Bool {
    let group = only ?? groups.withLock { $0.entries[key ?? .unkeyed] }
    return group?.jobs.isSilent(at: now) ?? false
  }

  /// The group of a key, or of the triggers without one, under the lock of the store; nil once all is closed.
  func group(of key: AnyID?, at now: Duration?, into decisions: inout JobDecisions) -> Group? {
    if let only { return only }
    if closed.isSet { return nil }
    let key = key ?? .unkeyed
    return groups.withLock { groups in
      if let group = groups.entries[key] { return group }
      if let now, let idle = groups.removeIdle({ $0.isIdle(at: now) }) { decisions.keep(idle) }
      let group = Group(policy, options, label) { [weak self] in self?.tidy(key) }
      groups.entries[key] = group
      return group
    }
  }

  /// Removes the group of a key if it is idle.
  private func tidy(_ key: AnyID) {
    // The clock of a user is asked without a lock.
    let now = options.throttle?.clock.now
    let removed = core.withLock("ended a run of an effect") { _ in
      groups.withLock { $0.remove(key) { $0.isIdle(at: now) } }
    }
    withExtendedLifetime(removed) {}
    onEmpty?()
  }

  private var all: [Group] {
    only.map { [$0] } ?? groups.withLock { Array($0.entries.values) }
  }

  /// The works that run, and those that wait; an order to end them in.
  var works: [WorkNode] { all.flatMap { $0.works } }

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

extension AnyID {
  /// What a trigger without a key counts under: equal to no key of a user, because none has its type.
  fileprivate static let unkeyed = AnyID(NoKey())

  private struct NoKey: Hashable, Sendable {}
}

/// Groups by their keys, or seats by their children, that go when they are idle: a plain value.
///
/// An idle entry is removed when it is known to be idle. Of some that is known only once a silence is over, which nobody
/// announces: those are looked for when there are twice as many as after the last look.
struct TidyTable<Key: Hashable & Sendable, Entry: Sendable>: Sendable {
  var entries: [Key: Entry] = [:]
  /// The count at which idle entries are looked for.
  private var limit = 16

  /// Removes an entry if it is idle.
  mutating func remove(_ key: Key, _ isIdle: (Entry) -> Bool) -> (key: Key, value: Entry)? {
    guard let index = entries.index(forKey: key), isIdle(entries.values[index]) else { return nil }
    return entries.remove(at: index)
  }

  /// Removes all idle entries, once there are many; nil if it removes none.
  mutating func removeIdle(_ isIdle: (Entry) -> Bool) -> [Key: Entry]? {
    if entries.count < limit { return nil }
    let idle = entries.removeAll { isIdle($0.value) }
    limit = 2 * entries.count + 16
    return idle.isEmpty ? nil : idle
  }
}
