/// One part of one store's state, as one subscription or one reader captures it.
///
/// The cycle of a part that is pushed:
/// 1. The subscriber has the first value read (`readFirst`), under the lock, and registers.
/// 2. Each commit of interest has the part read, under the lock: `capture` when the committing thread
///    delivers at once, else `queue`, and `promote` when the turn of that commit comes.
/// 3. The deliverer calls the observer, whose operators take the value. While the subscriber still makes the
///    calls itself, the observer has the value set aside (`stage`). A value that was not taken, because the
///    subscription was cancelled, is released (`release`).
///
/// A part that is pulled knows `readFirst` alone.
///
/// The state of a part lies in its slot, where the guards are named. Only `load` is a closure, because each
/// dispatch runs it: it is compiled where the type of the part is known. A method of a generic class would not be.
@usableFromInline
final class PartCapture: Sendable {
  @usableFromInline
  typealias Load = @Sendable (_ state: StateAddress, _ revision: UInt64) -> Void

  private let slot: any PartSlot
  private let load: Load
  /// Its lock lies in this object; every caller holds that of the store.
  private let currentInterest = Locked(Interest.everything)

  @usableFromInline
  init(_ slot: any PartSlot, load: @escaping Load) {
    self.slot = slot
    self.load = load
  }

  /// Which bytes, or properties, of the state are read.
  var footprint: Footprint { slot.footprint }

  /// Which commits touch the footprint; guarded by the lock of the store.
  var interest: Interest {
    get { currentInterest.withLock { $0 } }
    set { currentInterest.withLock { $0 = newValue } }
  }

  /// Reads the first value, or the next one that is pulled, as the commit `revision` left it; under the lock.
  func readFirst(_ state: StateAddress, at revision: UInt64 = 0) {
    slot.willReadFirst(at: revision)
    load(state, 0)
  }

  /// Reads the part as the given commit left it; under the lock, for the deliverer.
  @inline(__always)
  func capture(_ state: StateAddress, _ revision: UInt64) {
    load(state, revision)
  }

  /// Reads the part of a commit that has to wait for its delivery; under the lock.
  func queue(_ state: StateAddress, _ revision: UInt64) {
    slot.queue(state, revision)
  }

  /// Makes the waiting part of the given commit the captured one; under the lock, by the deliverer.
  func promote(_ revision: UInt64) {
    slot.promote(revision)
  }

  /// Releases the captured part, if it was not taken; by the deliverer.
  func release() {
    slot.release()
  }

  /// Takes the captured part, for a call that is made later with revision zero; by the deliverer.
  ///
  /// - Returns: A function that puts the part where that call looks for it; nil when the commit did not
  ///   touch the part.
  func stage(_ revision: UInt64) -> (@Sendable () -> Void)? {
    slot.stage(revision)
  }
}

/// The state of a `PartCapture`, with the type of the part erased.
@usableFromInline
protocol PartSlot: AnyObject, Sendable {
  var footprint: Footprint { get }
  func willReadFirst(at revision: UInt64)
  func queue(_ state: StateAddress, _ revision: UInt64)
  func promote(_ revision: UInt64)
  func release()
  func stage(_ revision: UInt64) -> (@Sendable () -> Void)?
}

extension PartSlot {
  /// Does nothing: most parts need not know which commit their first value is of.
  @usableFromInline
  func willReadFirst(at revision: UInt64) {}
}
