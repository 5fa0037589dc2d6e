internal import Synchronization

/// The runs of an effect in one feature: in the state itself, or in one child.
///
/// A seat of a child is made in the commit of the action that is for it, and goes when nothing is under way.
final class EffectSeat<State: Sendable>: Sendable {
  let ids: [AnyID]
  let hash: Int
  /// The identity of the child; nil for what is always there.
  let identity: ChildIdentity?
  let home: EffectHome<State>
  let ties: [EffectTie<State>.Watch]
  /// Set under the lock of the store when the child goes.
  let end: SharedFlag
  let runs: EffectRuns

  init(
    ids: [AnyID] = [], hash: Int = 0, identity: ChildIdentity? = nil, home: EffectHome<State>,
    ties: [EffectTie<State>.Watch], end: SharedFlag = SharedFlag(), runs: EffectRuns
  ) {
    (self.ids, self.hash, self.identity, self.home) = (ids, hash, identity, home)
    (self.ties, self.end, self.runs) = (ties, end, runs)
  }
}

extension EffectSeat: KeyedEntry {
  var isIdle: Bool { runs.isIdle }
}

extension AnyID {
  /// What a trigger without a key counts under: equal to no key of a user, because none has its type.
  fileprivate static let unkeyed = AnyID(NoKey())

  private struct NoKey: Hashable, Sendable {}
}

/// The runs that an effect counts together, or one such group for each key.
final class EffectRuns: Sendable {
  /// Runs that count together.
  final class Group: KeyedEntry {
    let key: AnyID?
    let hash: Int
    let jobs: JobQueue
    /// Triggers wait here for a pause; a newer one replaces the one that waits.
    let waits: JobQueue?
    let throttle: ThrottleClock?

    init(
      _ key: AnyID?, _ hash: Int, _ policy: EffectPolicy, _ options: EffectOptions,
      _ label: WorkLabel, onEmpty: (@Sendable () -> Void)?
    ) {
      (self.key, self.hash) = (key, hash)
      throttle = options.throttle
      jobs = JobQueue(policy, of: label, silence: throttle?.silence, onEmpty: onEmpty)
      waits =
        options.pause == nil && throttle?.keepsLatest != true
        ? nil : JobQueue(.latest, holdsLulls: true, onEmpty: onEmpty)
    }

    var isIdle: Bool {
      guard jobs.isEmpty && waits?.isEmpty != false else { return false }
      return throttle.map { !jobs.isSilent(at: $0.now) } ?? true
    }

    /// Cancels the runs and the queue.
    ///
    /// The waits first: one that has ended looks under the lock of `jobs` whether it was stopped.
    func cancelAll() {
      waits?.dropAll()
      jobs.dropAll()
    }

    /// Ignores every job from now on; returns those to be stopped, or only those that are yet to begin.
    func close(retiring isRetiring: Bool) -> [WorkNode] {
      (waits?.close() ?? []) + jobs.close(retiring: isRetiring)
    }
  }

  let label: WorkLabel
  /// The one group, where there is no key.
  let only: Group?
  private let groups: KeyedTable<Group>?
  /// Whether a group is kept after its last run, until its silence is over.
  private let areSilenced: Bool
  private let make:
    (@Sendable (_ key: AnyID, _ hash: Int, _ tidy: @escaping @Sendable () -> Void) -> Group)?
  /// Whether every job is ignored.
  ///
  /// It is stored before the groups are closed, so a group that is not among those
  /// is held by a caller that finds it stored.
  private let isClosed = Atomic(false)

  /// Runs, or groups of them; `onEmpty` is called when the last job of a group has ended.
  init(
    _ policy: EffectPolicy, _ options: EffectOptions = EffectOptions(),
    _ label: WorkLabel = .effect(""), isKeyed: Bool = false, onEmpty: (@Sendable () -> Void)?
  ) {
    self.label = label
    areSilenced = options.throttle != nil
    if !isKeyed {
      only = Group(nil, 0, policy, options, label, onEmpty: onEmpty)
      (groups, make) = (nil, nil)
      return
    }
    (groups, only) = (KeyedTable<Group>(), nil)
    make = { key, hash, tidy in
      Group(key, hash, policy, options, label) {
        tidy()
        onEmpty?()
      }
    }
  }

  /// Whether nothing is under way, and no silence lasts.
  ///
  /// A group goes with its last run, but for one that is silenced: it stays until it is looked for.
  var isIdle: Bool {
    if let only { return only.isIdle }
    guard let groups, !groups.isEmpty else { return true }
    return areSilenced && groups.all.allSatisfy(\.isIdle)
  }

  /// Lends the group of a key, or of the triggers without one.
  func withGroup(of key: AnyID?, _ body: (Group) -> Void) {
    if let only { return body(only) }
    guard let groups, let make else { return }
    let key = key ?? .unkeyed
    let hash = key.hashValue
    let group = groups.hold(hash, where: { $0.key == key }, orMake: { make(key, hash, $0) })
    if !isClosed.load(ordering: .acquiring) { body(group) }
    groups.release(group)
  }

  private var all: [Group] { only.map { [$0] } ?? groups?.all ?? [] }

  /// Lends each group; releases none, so that it may be called under the lock of the store.
  private func inspect(_ body: (Group) -> Void) {
    if let only { body(only) } else { groups?.inspect(body) }
  }

  /// Cancels the runs and the queues.
  func cancelAll() {
    for group in all { group.cancelAll() }
  }

  /// The works that run, and those that wait.
  var works: [WorkNode] {
    var works: [WorkNode] = []
    inspect { works += $0.jobs.allJobs + ($0.waits?.allJobs ?? []) }
    return works
  }

  /// Lets the triggers that wait for a lull begin.
  func flush() {
    for group in all { group.waits?.endPauses() }
  }

  /// Ignores every job from now on; returns those to be stopped, or only those that are yet to begin.
  func close(retiring isRetiring: Bool = false) -> [WorkNode] {
    isClosed.store(true, ordering: .releasing)
    var jobs: [WorkNode] = []
    inspect { jobs += $0.close(retiring: isRetiring) }
    return jobs
  }
}
