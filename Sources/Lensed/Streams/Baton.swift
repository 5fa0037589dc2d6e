internal import Synchronization

/// The claim to deliver, as one word.
///
/// 1. *Idle to busy*, under the lock of the store, by the thread that becomes the deliverer. Its load acquires: what the
///    last deliverer did with captures and observers comes before what this one does. No exchange is needed, since no
///    other thread writes: those that would need the lock, and without the lock a deliverer alone writes.
///    The store instruction may be relaxed: `busy` tells a reader only that another thread delivers.
/// 2. *Busy to idle*, without the lock, by the deliverer, in one exchange that releases what it did. It fails if
///    another thread has queued a delivery meanwhile: so that nothing waits is checked, and the claim given up, in
///    one step.
/// 3. *Busy to contended*, under the lock, by a thread that queues a delivery, or keeps what the deliverer might use.
///    An exchange, because of step 2: if the deliverer was faster, this thread finds it idle.
/// 4. *Contended to idle*, under the lock, by the deliverer that finds nothing waiting. The lock orders it with those
///    that queue, and the store releases what the deliverer did, for step 1.
final class Baton: Sendable {
  enum Phase: UInt8, AtomicRepresentable {
    /// No thread delivers.
    case idle
    /// One thread delivers, and nothing waits.
    case busy
    /// What comes next is to be looked up under the lock.
    case contended
  }

  /// How many commits of other threads a thread delivers beside its own.
  ///
  /// A subscriber makes as many queued calls of its own subscription. The rest is left to the next commit, or
  /// to a task.
  static let share = 16

  private let phase = Atomic(Phase.idle)
  /// What the thread that has the baton delivers.
  let mark = DeliveryMark()

  /// Gives the baton up, if nothing waits.
  @inline(__always)
  func passOn() -> Bool {
    phase.compareExchange(
      expected: .busy, desired: .idle, successOrdering: .acquiringAndReleasing,
      failureOrdering: .acquiring
    ).exchanged
  }

  /// Takes the baton if it is free; otherwise leaves word that something waits.
  func claim(free: Phase = .busy) -> Phase {
    while true {
      let seen = phase.load(ordering: .acquiring)
      let desired = seen == .idle ? free : .contended
      let (exchanged, _) = phase.compareExchange(
        expected: seen, desired: desired, ordering: .acquiringAndReleasing)
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

  func loadPhase() -> Phase {
    phase.load(ordering: .acquiring)
  }

  func set(_ new: Phase) {
    phase.store(new, ordering: .releasing)
  }
}
