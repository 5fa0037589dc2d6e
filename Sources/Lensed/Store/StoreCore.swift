internal import Synchronization

/// What a store is inside: its lock, the state behind it, and who owns and observes what.
///
/// It knows the state by place alone, so that the way of a dispatch is compiled once, for every
/// state. Streams, scopes, subscriptions and tasks hold it; only the `Store` keeps it open.
@usableFromInline
final class StoreCore: StateHost {
  /// Everything that the lock guards, but for what lies at places of its own: the state, the records, the cache.
  @usableFromInline
  struct Protected: Sendable {
    @usableFromInline
    var table: ObserverTable
    var router: Router
    var owners: [Owner] = []
    var ownership = OwnershipMap([])
    var feeds: [UInt64: (hook: FeedHook, onClose: @Sendable () -> Void)] = [:] {
      didSet { updateNeedsFullCommit() }
    }
    var listeners = ListenerTable() { didSet { updateNeedsFullCommit() } }
    /// Whether somebody wants to see, or to judge, each action.
    private(set) var needsFullCommit = false
    /// Whether there is middleware to ask before each commit.
    var hasMiddleware = false { didSet { updateNeedsFullCommit() } }
    var works = SlotMap<WorkNode>()
    var type: StateWitness
    /// Whether each property was found to have an owner.
    var isCovered: Bool

    private mutating func updateNeedsFullCommit() {
      needsFullCommit = hasMiddleware || !feeds.isEmpty || !listeners.everything.isEmpty
      // Nothing goes the quick way then; and what a line holds, the router holds too.
      if needsFullCommit { router.empty() }
    }
  }

  /// The lock, and what it guards.
  ///
  /// The lock comes first in it. What a commit writes stands far from the lock, and from what is read before
  /// one has it: threads that wait would take those lines of memory away from the one that writes.
  @usableFromInline
  let protected: Locked<Protected>
  /// Who delivers.
  let baton: Baton
  /// The routes that were used last; guarded by the lock.
  @usableFromInline
  let cache: RouteCache
  /// Where the state lies; guarded by the lock.
  let state: StateAddress
  /// The commit in progress, for the message of a trap; guarded by the lock.
  let progress = UnsafeCell(RunningReducer())
  /// The names of the sub-states, for messages; guarded by the lock.
  let names = UnsafeCell<[Int: String]>([:])
  let coverage: Coverage
  let hasClosed = Atomic(false)
  /// Who is asked before each commit; emptied when the store goes.
  let gates = Locked<[ErasedMiddleware]>([])
  /// Told of errors that nobody caught.
  let onEffectError: @Sendable (any Error) -> Void
  /// The thread that holds the lock, and the line of the route whose leads it runs; last, for the reason
  /// given above.
  @usableFromInline
  let occupant = LockOwner()

  @usableFromInline
  init<State: Sendable>(
    _ state: UnsafeCell<State>, _ type: StateWitness, coverage: Coverage,
    onEffectError: @escaping @Sendable (any Error) -> Void
  ) {
    self.coverage = coverage
    self.state = state.place
    self.onEffectError = onEffectError
    let router = Router()
    cache = router.cache
    let table = ObserverTable(memory: StateStorage(state))
    baton = table.baton
    protected = Locked(
      Protected(table: table, router: router, type: type, isCovered: coverage == .partial))
  }

  /// Runs `body` under the lock.
  ///
  /// A thread that holds the lock already came here from a reducer, a lens, or a `deinit` that a
  /// reducer's write ran. It traps, because it would wait for itself.
  @inline(__always)
  func withLock<Result: ~Copyable & Sendable>(
    _ intrusion: @autoclosure () -> String, _ body: (inout Protected) -> Result
  ) -> Result {
    let me = ThreadIdentity.current
    if occupant.isInside(me) { trapIntrusion(intrusion()) }
    return protected.withLock { protected in
      occupant.enter(me, for: LockOwner.somethingElse)
      defer { occupant.leave() }
      return body(&protected)
    }
  }

  /// Asserts, in debug builds, that the caller holds the lock.
  func assertLocked() {
    assert(
      occupant.isInside(ThreadIdentity.current),
      "Lensed: what the lock guards was touched without it; this is a fault of Lensed.")
  }

  @usableFromInline
  func withTable<Result: Sendable>(_ body: (inout ObserverTable) -> Result) -> Result {
    withLock("observed or read the store") { protected in body(&protected.table) }
  }

  /// Lends the state under the lock, to somebody who owns its memory: after the store has gone, nobody else
  /// may.
  @usableFromInline
  func withState(of memory: StateStorage, _ body: (StateAddress) -> Void) {
    withLock("read the state") { _ in body(memory.place) }
  }

  /// Reads the state under the lock, unless the store has gone.
  ///
  /// The table owns the memory until the store goes, which is decided under the same lock.
  func readIfOpen<Value: Sendable>(_ read: (StateAddress) -> Value) -> Value? {
    withLock("read the state") { protected in protected.table.memory.map { read($0.place) } }
  }

  /// Whether the store has gone.
  @usableFromInline
  var isClosed: Bool { hasClosed.load(ordering: .acquiring) }

  /// Ends streams, lets observers go, cancels tasks.
  @usableFromInline
  func close() {
    hasClosed.store(true, ordering: .releasing)
    var aftermath = AfterCommit()
    let (works, closings, attachments) = withLock("let go of the last reference to the store") {
      protected in
      protected.table.close(into: &aftermath)
      protected.table.retire(protected.router.clear(), into: &aftermath)
      aftermath.trash.append(protected.owners)
      protected.owners = []
      let closings = protected.feeds.values.map(\.onClose)
      defer { (protected.works, protected.feeds) = (SlotMap(), [:]) }
      return (protected.works.members, closings, protected.listeners.removeAll())
    }
    aftermath.trash.append(gates.withLock { gates in exchange(&gates, with: []) })
    for work in works { work.abandon() }
    for close in closings { close() }
    dismiss(attachments)
    finish(aftermath)
  }

  /// Says which reducer entered its own store, and what to do instead.
  @inline(never)
  func trapIntrusion(_ intrusion: String) -> Never {
    var (action, culprit) = ("an action", "A lens")
    if let (route, slot) = underWay() {
      action = "`\(route.lend(\.type))`"
      if let name = names.value[slot] {
        culprit = "The reducer of `\(name)`, or a deinit that its write ran,"
      }
    }
    fatalError(
      """
      Lensed: \(culprit) \(intrusion) while \(action) was being reduced. A reducer computes the next \
      state and touches no store, or the store would wait for itself. Dispatch from an observer, or \
      from whoever dispatched \(action).
      """)
  }
}

extension StoreCore {
  /// The route that is being run and the sub-state whose reducer runs, if any; asked by the thread that
  /// runs it.
  private func underWay() -> (route: Unretained<Route>, slot: Int)? {
    let business = occupant.activity.load(ordering: .relaxed)
    if business != LockOwner.somethingElse { return cache.underWay(at: business) }
    return progress.value.route.map { ($0, progress.value.running) }
  }
}

/// What has to be done with the state where its type is known.
@usableFromInline
struct StateWitness: Sendable {
  /// Copies the state out.
  @usableFromInline
  let copy: @Sendable (_ state: StateAddress) -> any Sendable
  @usableFromInline
  let box: @Sendable (_ state: StateAddress) -> any AnyObject & Sendable
  @usableFromInline
  let report:
    @Sendable (
      _ state: StateAddress, _ record: inout CommitRecord?, _ previous: (any AnyObject & Sendable)?
    ) -> any CommitReport

  /// Copies the state out, into a box.
  ///
  /// It mutates nothing: a closure that is held inout is called without counting its context.
  @inline(__always)
  mutating func keep(_ state: StateAddress) -> any AnyObject & Sendable { box(state) }

  /// Copies the state out, into a report of the commit that led to it.
  @inline(__always)
  mutating func keep(
    _ state: StateAddress, of record: consuming CommitRecord, previous: (any AnyObject & Sendable)?
  ) -> any CommitReport {
    var record: CommitRecord? = consume record
    return report(state, &record, previous)
  }

  @inlinable
  init<State: Sendable>(_ type: State.Type) {
    copy = { $0.read(State.self) }
    box = { Boxed($0.read(State.self)) }
    report = { state, record, previous in
      // Optional only so that it can be moved out of an argument; `keep` always fills it.
      guard let record = record.take() else {
        fatalError("Lensed: a report was asked for of no commit; this is a fault of Lensed.")
      }
      return CommitSnapshot(
        state.read(State.self), of: record,
        previous: previous.flatMap { $0 as? Boxed<State> })
    }
  }
}
