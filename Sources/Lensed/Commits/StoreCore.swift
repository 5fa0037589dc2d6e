internal import Synchronization

// The life of a store core:
//
// 1. *Open.* Parts are registered and listeners attached, each under the lock. A dispatch tries the fast
//    path, and takes the slow path otherwise (both in StoreCore+Committing), which makes one
//    `Transaction`. Both leave post-commit work, which the dispatching thread does without the lock.
// 2. *Closed.* Nothing is committed any more. The state stays readable for readers that own its storage.
//
// Mutable state, and its guard:
// - `protected`, `state` and `running`: `lock`.
// - `baton`: an atomic word; see `Baton`.
// - `hasClosed`: set once, before the lock is taken to close.
// - `workCount`, `runs`: see `WorkCount`, `RunRecorders`.
// - `revocation` guards no data. It may be taken under `lock`, never the reverse.

/// The inside of a store: its lock, the state behind it, its owners, observers and listeners.
///
/// It knows the state by address alone, so that the path of a dispatch is compiled once, for every type of state.
/// Streams, scopes, subscriptions and tasks hold it; only the `Store` keeps it open.
@usableFromInline
final class StoreCore: StateHost {
  /// Everything that the lock guards, but for what has an address of its own: the state, the records.
  @usableFromInline
  struct Protected: ~Copyable, Sendable {
    @usableFromInline
    var table: ObserverTable
    var router: Router
    var owners: [Owner] = []
    var ownership = OwnershipMap.empty
    var footprints = OwnerIndex()
    /// The features of effects alone, so that none is given twice.
    var uses = FeatureUses()
    var listeners = ListenerTable()
    /// What neither a parent nor a queue keeps alive.
    var works = SlotMap<WorkNode>()
    var settling = Settling()
    /// The way from a commit back to the store, once a listener needs it.
    var home: StoreHome?
    var log = ChangeLog()
    /// The values for the time being that the state shows.
    var placeholders = Placeholders()
    /// How often some of them ended without a commit.
    var quietEnds: UInt64 = 0
    var memos = MemoTable()
    let witness: any StateWitness.Type
    var isCovered: Bool
    /// The owners of children of which some were not seen yet.
    var unproved: [ChildProof] = []
    /// The cache entry whose direct reducers run, or ran last; nil on the slow path.
    @usableFromInline
    var runningEntry: StateAddress?

    var isRecorded: Bool { !(log.isEmpty && listeners.recorders.isEmpty) }
    /// Whether a recorder or listener might be notified of a commit, beside observers and readers.
    var isHeard: Bool { !(log.isEmpty && listeners.isEmpty) }
  }

  // The lock comes first in its memory. What a commit writes stands elsewhere: threads that wait for the
  // lock would take the line of memory from the one that writes.
  @usableFromInline
  let lock = StoreLock()
  @usableFromInline
  let protected: UnsafeCell<Protected>
  let baton: Baton
  @usableFromInline
  let cache = RouteCache()
  let state: StateAddress
  let running = UnsafeCell(RunningReducer())
  let coverage: Coverage
  let clock: StoreClock
  let hasClosed = Atomic(false)
  let onEffectError: EffectErrorHandler
  /// Is given the warnings; nil if they have no receiver: then nothing is looked for.
  let warnings: WarningLog?
  /// The executor that its tasks prefer; nil is the global one.
  @usableFromInline
  let taskExecutor = StoreProbe.current?.executor
  /// Called without the lock in the middle of a delivery, where a test wants other code to act.
  let attack = StoreProbe.current?.attack
  let runs = RunRecorders()
  /// The root works that are not registered.
  let workCount = WorkCount()
  let revocation = Locked(())

  init<State: Sendable>(
    _ state: UnsafeCell<State>, coverage: Coverage,
    onEffectError: EffectErrorHandler?, warnings: WarningLog?, clock: StoreClock
  ) {
    self.clock = clock
    self.coverage = coverage
    self.state = state.place
    self.onEffectError = StoreProbe.observed(onEffectError)
    self.warnings = warnings
    let table = ObserverTable(memory: StateStorage(state))
    baton = table.baton
    protected = UnsafeCell(
      Protected(
        table: table, router: Router(), witness: CommitSnapshot<State>.self,
        isCovered: coverage == .partial))
  }

  /// Runs `body` under the lock.
  ///
  /// A thread that holds it already, in a reducer, a lens, or a `deinit` that a write of these ran, would wait for
  /// itself: it traps.
  @inline(__always)
  func withLock<Result: ~Copyable & Sendable>(
    _ intrusion: @autoclosure () -> String, _ body: (inout Protected) -> Result
  ) -> Result {
    takeLock(intrusion())
    return withHeldLock(body)
  }

  @inline(__always)
  func takeLock(_ intrusion: @autoclosure () -> String) {
    if !lock.lock(as: ThreadIdentity.current) { trapIntrusion(intrusion()) }
  }

  /// Runs `body` under the lock, which the calling thread has taken, and releases that.
  @inline(__always)
  func withHeldLock<Result: ~Copyable & Sendable>(_ body: (inout Protected) -> Result) -> Result {
    defer { lock.unlock() }
    protected.value.runningEntry = nil
    return body(&protected.value)
  }

  /// Traps if the caller holds the lock, as a reducer does, and what runs for one: for what does not take it, or takes it
  /// later.
  @usableFromInline
  func checkEntry(_ intrusion: @autoclosure () -> String) {
    if isEntered { trapIntrusion(intrusion()) }
  }

  /// Lends what the lock guards to `body`; the calling thread has taken the lock, and keeps it.
  @inline(__always)
  func lendHeldLock<Result>(_ body: (inout Protected) -> Result) -> Result {
    protected.value.runningEntry = nil
    return body(&protected.value)
  }

  /// Asserts, in debug builds, that the caller holds the lock.
  func assertLocked() {
    assert(
      isEntered,
      "Lensed: what the lock guards was touched without it; this is a fault of Lensed.")
  }

  @usableFromInline
  func withTable<Result: Sendable>(_ body: (inout ObserverTable) -> Result) -> Result {
    withLock("observed or read the store") { protected in body(&protected.table) }
  }

  /// Lends the state under the lock to an owner of its storage, which alone keeps it alive once the store has gone.
  @inlinable
  func withState<Value>(of memory: StateStorage, _ body: (StateAddress) -> Value) -> Value {
    lock.withLock(as: ThreadIdentity.current) {
      protected.value.runningEntry = nil
      return body(memory.place)
    } reentry: {
      trapIntrusion("read the state")
    }
  }

  /// Copies what lies at an address in the storage of the state, which the caller owns.
  @inlinable
  @inline(__always)
  func read<Value>(_ type: Value.Type, at address: StateAddress) -> Value {
    lock.withLock(as: ThreadIdentity.current) {
      address.read(type)
    } reentry: {
      trapIntrusion("read the state")
    }
  }

  var isClosed: Bool { hasClosed.load(ordering: .acquiring) }
}

// MARK: Closing

extension StoreCore {
  /// Ends streams, releases observers, cancels tasks.
  func close() {
    hasClosed.store(true, ordering: .releasing)
    var afterCommit = AfterCommit()
    var queued: [WorkNode] = []
    let (works, attachments, log, recorders) = withLock("let go of the last reference to the store")
    {
      protected in
      if warnings != nil { queued = protected.listeners.works }
      let waits = protected.settling.removeAll()
      afterCommit.trash.reserveCapacity(10)
      protected.table.close(into: &afterCommit)
      protected.table.queue.deferRelease(protected.router.clear(), into: &afterCommit)
      protected.table.invalidateRoutes(into: &afterCommit)
      // All that holds owners, and with them what their reducers have captured.
      afterCommit.trash.append(exchange(&protected.owners, with: []))
      afterCommit.trash.append(exchange(&protected.unproved, with: []))
      afterCommit.trash.append(exchange(&protected.ownership, with: .empty))
      afterCommit.trash.append(exchange(&protected.footprints, with: OwnerIndex()))
      afterCommit.trash.append(protected.memos.removeAll())
      return (
        exchange(&protected.works, with: SlotMap()).members + waits,
        protected.listeners.removeAll(), protected.log.close(), runs.set([])
      )
    }
    withExtendedLifetime(recorders) {}
    let lost = queued.compactMap(\.lullWarning)
    for work in works { work.abandon() }
    // Nothing can wait for the jobs of a store that was released.
    for job in attachments.flatMap({ $0.close() }) { job.abandon() }
    for buffer in log { buffer.end() }
    for attachment in attachments { attachment.onRemove() }
    perform(afterCommit)
    for warning in lost { warnings?.report(warning) }
  }
}

extension WorkNode {
  /// The warning that the work was waiting for a lull, and never begins; nil if it did not wait for one.
  fileprivate var lullWarning: StoreWarning? {
    guard let queue = queue as? JobQueue, queue.holdsLulls, hasOwnCode, let name = label.effect
    else { return nil }
    var warning = StoreWarning(.lostEffect)
    warning.effect = name
    return warning.about(self)
  }
}
