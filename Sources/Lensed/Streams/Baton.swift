internal import Synchronization

/// Who is delivering, as one word.
///
/// `idle` becomes `busy` under the lock only. `busy` goes back to `idle` without it, in one exchange
/// that fails when another thread has queued a delivery meanwhile: so emptiness is checked and the
/// deliverer's claim given up in one step.
final class Baton: Sendable {
  enum Phase: UInt8, AtomicRepresentable {
    /// No thread delivers.
    case idle
    /// One thread delivers, and nothing waits.
    case busy
    /// What comes next is to be looked up under the lock.
    case contended
  }

  private let phase = Atomic(Phase.idle)

  /// Gives the baton up, if nothing waits.
  @inline(__always)
  func passOn() -> Bool {
    phase.compareExchange(
      expected: .busy, desired: .idle, successOrdering: .acquiringAndReleasing,
      failureOrdering: .acquiring
    ).exchanged
  }

  /// Takes the baton if it is free; otherwise leaves word that something waits.
  func claim(orElse claimed: Phase = .contended, free: Phase = .busy) -> Phase {
    while true {
      let seen = phase.load(ordering: .acquiring)
      let desired = seen == .idle ? free : claimed
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

  func look() -> Phase {
    phase.load(ordering: .acquiring)
  }

  func set(_ new: Phase) {
    phase.store(new, ordering: .releasing)
  }
}
