/// The store as works see it.
protocol WorkStore: AnyObject, Sendable {
  /// The executor that its tasks prefer; nil is the global one.
  var taskExecutor: (any TaskExecutor)? { get }

  /// Removes the root work at `registryIndex` from the store's registry; the work calls it once, when it has finished.
  func unregisterWork(at registryIndex: Int)

  /// Subtracts a work that the store counted, and has no registry of; the same holds.
  func uncountWork()

  /// Notes, without a lock, that a work has finished, began to wait, or ceased to: one load, unless a caller waits for
  /// the store to settle.
  func workChanged()

  /// Calls `body` while no other thread revokes works of this store; the caller may hold the lock of the store. `body`
  /// takes no locks but those of works and of their queues.
  func whileRevoking(_ body: () -> Void)

  /// Returns once every commit that had already begun has ended.
  func awaitCommit()

  /// Traps if a reducer of this store is the caller, or what runs for one.
  func checkEntry(_ intrusion: @autoclosure () -> String)

  /// Whether the caller holds the lock, as a reducer of this store does, and what runs for one.
  var isEntered: Bool { get }

  /// Calls `body` soon, without the lock; the store settles after that.
  func callLater(_ body: @escaping @Sendable () -> Void)

  /// Whether the store has gone.
  var isClosed: Bool { get }

  /// Keeps a work alive that goes on, and that neither a parent nor a queue keeps.
  func keepAlive(_ work: WorkNode)

  /// Numbers a run that begins, at its time; nil without a recorder. Called under the lock of the store.
  func numberRun() -> (number: UInt64, time: Duration)?

  /// Hands a run to the recorders, at its time; called without a lock.
  func recordRun(_ make: (_ time: Duration) -> RecordedRun?)

  /// Passes an error that no waiter received to the store's error handler.
  func report(_ error: any Error, of work: WorkNode)
}

/// An action among those of all commits, or the beginning of a commit.
struct CommitPlace: Comparable, Sendable {
  let revision: UInt64
  /// The place among the actions of the commit; -1 before the first.
  var member: Int32
  /// Whether the commit is of members of a list that holds a sequence, and not of what the sequence yields.
  var isOfMembers = false

  static func < (first: CommitPlace, second: CommitPlace) -> Bool {
    (first.revision, first.member) < (second.revision, second.member)
  }

  /// Before every commit.
  static let start = CommitPlace(revision: 0, member: -1)
}
