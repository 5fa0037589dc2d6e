internal import Synchronization

/// The order of deliveries: one thread at a time makes calls, in commit order.
///
/// The thread that commits delivers, and queues nothing, unless another thread delivers. Then its commit waits for
/// that thread, which delivers up to 16 of others beside its own (`Baton.share`). What is left goes to the next
/// commit, or to a task (`StateHost.passOn`).
///
/// A pure machine but for the baton, guarded by the lock of the store. It is *idle*, with a free baton; or one thread
/// *delivers*; or it is *left*: the last deliverer has done its share, and the next commit, or a task, takes up the
/// rest. Something waits only while the baton is contended; `isDelivering` counts only then.
struct DeliveryQueue: ~Copyable, Sendable {
  let baton = Baton()
  private var waiting = RingBuffer<Delivery>()
  private var deferred: [any Sendable] = []
  private var isDelivering = false
  /// Whether a task is on its way to take up what waits.
  private var isTaskStarted = false
  /// Whether a deliverer was told that too many wait.
  private var isKnownOverdue = false

  /// Beyond it the store warns, once.
  static let overdueCount = 100_000

  var isEmpty: Bool { waiting.isEmpty }

  /// Asks to deliver now; returns whether the caller is the deliverer, and otherwise is to `append`.
  mutating func claim() -> Bool {
    !tellDeliverer() && baton.claimIfIdle()
  }

  /// Has the deliverer look under the lock before it gives the baton up; returns false if the baton is free.
  private mutating func tellDeliverer() -> Bool {
    switch baton.contend() {
    case .idle: return false
    case .busy: isDelivering = true
    case .contended: break
    }
    return true
  }

  /// Queues a delivery; returns the oldest one, for the caller to deliver now, if no thread does.
  mutating func append(_ delivery: Delivery) -> Delivery? {
    waiting.append(delivery)
    return takeUp().delivery
  }

  /// Makes the caller the deliverer, if something waits and no thread delivers.
  mutating func takeUp(asCalled: Bool = false) -> DeliveryStep {
    if asCalled { isTaskStarted = false }
    if isDelivering || waiting.isEmpty { return DeliveryStep() }
    isDelivering = true
    return next()
  }

  /// What the deliverer is to deliver next; with nothing, it is the deliverer no more.
  mutating func next() -> DeliveryStep {
    if let delivery = waiting.popFirst() {
      return DeliveryStep(delivery: delivery)
    }
    isDelivering = false
    baton.set(.idle)
    defer { deferred = [] }
    return DeliveryStep(trash: deferred)
  }

  /// Ends the turn of a deliverer that has done its share; the step says whether the caller is to start a task.
  mutating func endTurn() -> DeliveryStep {
    if waiting.isEmpty { return next() }
    isDelivering = false
    defer { isTaskStarted = true }
    return DeliveryStep(startsTask: !isTaskStarted)
  }

  /// Whether too many wait, and no deliverer was told so; once.
  mutating func becomesOverdue() -> Bool {
    if isKnownOverdue || waiting.count < Self.overdueCount { return false }
    isKnownOverdue = true
    return true
  }

  /// Keeps what a deliverer might be using until there is no deliverer.
  mutating func deferRelease(_ left: any Sendable, into afterCommit: inout AfterCommit) {
    if tellDeliverer() { deferred.append(left) } else { afterCommit.trash.append(left) }
  }
}

/// What a deliverer does next.
struct DeliveryStep: Sendable {
  var delivery: Delivery?
  /// What is not in use any more, to be released without the lock.
  var trash: [any Sendable] = []
  /// Whether a task is to take up what waits.
  var startsTask = false
  /// Whether the store is to warn that too many commits wait.
  var isOverdue = false
}

// MARK: The baton

/// The claim to deliver, as one word.
///
/// 1. *Idle to busy*, under the lock of the store, by the thread that becomes the deliverer. Its load acquires: what the
///    last deliverer did with captures and observers comes before what this one does. No exchange is needed: no
///    other thread writes, because this one holds the lock, and only a deliverer writes without it.
///    The store instruction may be relaxed: `busy` tells a reader only that another thread delivers.
/// 2. *Busy to idle*, without the lock, by the deliverer, in one exchange that releases what it did. It fails if
///    another thread has queued a delivery meanwhile. One step thus checks that nothing waits, and gives the claim up.
/// 3. *Busy to contended*, under the lock, by a thread that queues a delivery, or keeps what the deliverer might use.
///    An exchange, because of step 2: if the deliverer was faster, this thread finds it idle.
/// 4. *Contended to idle*, under the lock, by the deliverer that finds nothing waiting. The lock orders it with those
///    that queue, and the store releases what the deliverer did, for step 1.
final class Baton: Sendable {
  enum Phase: UInt8, AtomicRepresentable {
    case idle
    /// One thread delivers, and nothing waits.
    case busy
    /// What comes next is to be looked up under the lock.
    case contended
  }

  /// How many commits of other threads a thread delivers beside its own, and a subscriber queued calls of its own.
  static let share = 16

  private let phase = Atomic(Phase.idle)
  let mark = DeliveryMark()

  /// Gives the baton up, if nothing waits.
  @inline(__always)
  func passOn() -> Bool {
    phase.compareExchange(
      expected: .busy, desired: .idle, successOrdering: .acquiringAndReleasing,
      failureOrdering: .acquiring
    ).exchanged
  }

  /// Leaves word with the deliverer, if there is one, and returns what the baton was; to be called under the lock,
  /// where only a busy one may change.
  func contend() -> Phase {
    while true {
      let seen = phase.load(ordering: .acquiring)
      if seen != .busy { return seen }
      let (exchanged, _) = phase.compareExchange(
        expected: .busy, desired: .contended, ordering: .acquiringAndReleasing)
      if exchanged { return seen }
    }
  }

  /// Takes the baton if it is free; to be called under the lock, where a free one stays free.
  @inline(__always)
  func claimIfIdle() -> Bool {
    guard phase.load(ordering: .acquiring) == .idle else { return false }
    phase.store(.busy, ordering: .relaxed)
    return true
  }

  /// Whether everything committed so far was delivered.
  var isIdle: Bool { phase.load(ordering: .acquiring) == .idle }

  func set(_ new: Phase) {
    phase.store(new, ordering: .releasing)
  }
}

// MARK: One delivery

/// The calls of one commit that are yet to be made.
struct Delivery: Sendable {
  let audience: Audience
  let revision: UInt64
  private let kind: DeliveryKind
  private let thread = ThreadIdentity.current
  /// The listeners to notify around the calls.
  var notification: (any CommitNotification)?
  /// The commit that the deliverer has just made; `.max` where it made none.
  var deliverersCommit: UInt64

  init(
    audience: Audience, revision: UInt64, kind: DeliveryKind = .ordinary,
    notification: (any CommitNotification)? = nil
  ) {
    (self.audience, self.revision, self.kind) = (audience, revision, kind)
    self.notification = notification
    deliverersCommit = revision
  }

  func isOwn(since revision: UInt64) -> Bool {
    self.revision >= revision && thread == ThreadIdentity.current
  }

  func makeCalls() {
    audience.baton.mark.delivering(revision, kind) {
      guard let notification else { return audience.deliver(revision) }
      notification.notify { audience.deliver(revision) }
    }
  }
}

/// Notifies others than observers of a commit.
protocol CommitNotification: AnyObject, Sendable {
  /// Notifies those that come before the observers, calls these, and notifies those that come after them; once.
  func notify(around observers: () -> Void)
  /// Notes, under the lock and where the commit is made, that another thread may deliver it.
  func willBeQueued()
}

// MARK: The commit that is delivered

/// The commit in whose delivery a thread acts, or by which a run was ended.
struct DeliveredCommit: Sendable, Equatable {
  let revision: UInt64
  let kind: DeliveryKind
}

/// What the commit that is delivered has to do with the past.
enum DeliveryKind: UInt8, AtomicRepresentable, Sendable {
  case ordinary
  /// An undo, a redo or a jump.
  case journey
  /// What an observer has dispatched in the delivery of a journey, or of another echo; and what tells the end of a run
  /// that one of them has ended.
  case echo
  /// A commit that was made before, and is made again.
  case replay

  /// The kind of what an observer dispatches meanwhile, and of what tells the end of a run that it has ended.
  var ofReaction: DeliveryKind {
    switch self {
    case .ordinary, .replay: .ordinary
    case .journey, .echo: .echo
    }
  }
}

/// What the deliverer of a store delivers.
///
/// 1. The deliverer writes its thread last before the calls, and zero after them; there is one deliverer, as
///    the baton says.
/// 2. A thread that reads its own number has written it, and so the other fields: every ordering may be relaxed.
/// 3. Other threads read the kind alone, for `isReplaying`; a stale one is as good as one of a moment ago.
struct DeliveryMark: ~Copyable, Sendable {
  private let thread = Atomic<UInt>(0)
  private let revision = Atomic<UInt64>(0)
  private let kind = Atomic(DeliveryKind.ordinary)

  /// The commit in whose delivery the calling thread acts; nil where it does not.
  var own: DeliveredCommit? {
    guard thread.load(ordering: .relaxed) == ThreadIdentity.current else { return nil }
    return DeliveredCommit(
      revision: revision.load(ordering: .relaxed), kind: kind.load(ordering: .relaxed))
  }

  /// The kind of the commit that some thread delivers.
  var current: DeliveryKind {
    thread.load(ordering: .relaxed) == 0 ? .ordinary : kind.load(ordering: .relaxed)
  }

  /// Makes the calls of a commit; by the deliverer.
  @inline(__always)
  func delivering(_ revision: UInt64, _ kind: DeliveryKind, _ makeCalls: () -> Void) {
    self.revision.store(revision, ordering: .relaxed)
    self.kind.store(kind, ordering: .relaxed)
    thread.store(ThreadIdentity.current, ordering: .relaxed)
    makeCalls()
    thread.store(0, ordering: .relaxed)
  }
}

// MARK: What a commit leaves to do

/// Kept by the table, or by an audience.
typealias AfterCommitCell = UnsafeCell<AfterCommit>

/// Post-commit work, to be done once the lock is released.
struct AfterCommit: Sendable {
  /// Calls that this thread makes, where that is all; kept until there is no deliverer.
  var calls: Unretained<Audience>?
  var wake: ContiguousArray<Signal> = []
  /// Calls to make, where this thread is the deliverer.
  var delivery: Delivery?
  /// What may run a user's `deinit`, and so is not released under the lock.
  var trash: [any Sendable] = []
}

/// The audience of a route, with the post-commit work of a commit that only its observers are notified of.
struct CachedAudience: Sendable {
  let audience: Audience
  /// Allocated once, and used again and again.
  private let work: AfterCommitCell

  init(_ audience: Audience) {
    self.audience = audience
    work = AfterCommitCell(AfterCommit(calls: Unretained(audience)))
  }

  /// The same without a count; the table keeps it alive until there is no deliverer that may use it.
  var unretained: UnretainedAudience {
    UnretainedAudience(audience: Unretained(audience), work: Unretained(work))
  }

  struct UnretainedAudience: Sendable {
    let audience: Unretained<Audience>
    let work: Unretained<AfterCommitCell>
  }
}
