/// One part of one store's state, as one subscription or one reader captures it.
///
/// 1. The subscriber has the first value read (`readFirst`), under the lock, and registers. A part that is pulled knows
///    this step alone.
/// 2. Each commit of interest has the part read, under the lock: `capture` when the committing thread delivers at once,
///    else `queue`, and `promote` when the turn of that commit comes.
/// 3. The deliverer calls the observer, whose operators take the value. While the subscriber still makes the calls, the
///    value is set aside (`stage`). One that was not taken, as the subscription was cancelled, is released (`release`).
///
/// The state of a part lies in its slot, where the guards are named. Only `load` is a closure, because each dispatch
/// runs it: it is compiled where the type of the part is known. A method of a generic class would not be.
@usableFromInline
final class PartCapture: Sendable {
  @usableFromInline
  typealias Load = @Sendable (_ state: StateAddress, _ revision: UInt64) -> Void

  let slot: any PartSlot
  private let load: Load
  /// Its lock lies in this object; every caller holds that of the store.
  private let currentInterest = Locked(Interest.everything)

  @usableFromInline
  init(_ slot: any PartSlot, load: @escaping Load) {
    self.slot = slot
    self.load = load
  }

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
}

/// A `PartCapture`'s state, with the type of the part erased.
@usableFromInline
protocol PartSlot: AnyObject, Sendable {
  var footprint: Footprint { get }
  func willReadFirst(at revision: UInt64)
  /// Reads the part of a commit that has to wait for its delivery; under the lock.
  func queue(_ state: StateAddress, _ revision: UInt64)
  /// Makes the waiting part of the given commit the captured one; under the lock, by the deliverer.
  func promote(_ revision: UInt64)
  /// Releases the captured part, if it was not taken; by the deliverer.
  func release()
  /// Takes the captured part, for a call that is made later with revision zero; by the deliverer.
  ///
  /// - Returns: A function that puts the part where that call looks for it; nil when the commit did not
  ///   touch the part.
  func stage(_ revision: UInt64) -> (@Sendable () -> Void)?
}

extension PartSlot {
  /// Does nothing: most parts need not know which commit their first value is of.
  @usableFromInline
  func willReadFirst(at revision: UInt64) {}
}

// MARK: What is captured

/// The values of one part of the state that one subscription, or one reader, has been given.
///
/// 1. *The deliverer* owns `delivered`; a commit writes it under the lock of the store, once it is the deliverer.
/// 2. *A thread that commits* while another one delivers queues values in `aside`, under the lock of the store.
/// 3. *The caller of the operators with revision zero* has its values in `aside`: the subscriber until its calls are
///    handed to the deliverer, or the task that reads. So `aside` has a lock of its own.
@usableFromInline
final class CapturedPart<Value: Sendable>: Sendable {
  @usableFromInline
  struct Aside: Sendable {
    /// The part as it was read for a call, or a pull, that is numbered zero.
    @usableFromInline
    var staged: Value?
    /// The parts of commits that wait for their delivery; nil until one had to wait.
    var waiting: UnsafeCell<RingBuffer<(revision: UInt64, value: Value)>>?

    @inlinable
    init() {}
  }

  /// The part as the commit left it whose calls are being made.
  @usableFromInline
  struct Delivered {
    @usableFromInline
    var revision: UInt64 = 0
    @usableFromInline
    var current: Value?

    @inlinable
    init() {}
  }

  @usableFromInline
  let path: PartPath<Value>
  @usableFromInline
  let delivered: UnsafeCell<Delivered>
  @usableFromInline
  let aside: Locked<Aside>

  // All of it is made here, where the type of the part is known, and nothing as the first value of a property.
  @inlinable
  init(_ path: PartPath<Value>) {
    self.path = path
    delivered = UnsafeCell(Delivered())
    aside = Locked(Aside())
  }

  /// Reads the part for the deliverer, or with revision zero for the subscriber or reader; under the store's lock.
  @inlinable
  @inline(__always)
  func load(from state: StateAddress, at revision: UInt64) {
    if revision == 0 {
      setStaged(path.read(state))
    } else {
      delivered.value.current = path.read(state)
      delivered.value.revision = revision
    }
  }

  /// Hands out the part as the given commit left it, once; nil when that commit did not touch it.
  ///
  /// Revision zero stands for the first value, for one that was staged, and for one that was pulled.
  @inlinable
  @inline(__always)
  func takeValue(at revision: UInt64) -> Value? {
    if revision == 0 { return aside.withLock { $0.staged.take() } }
    return delivered.value.revision == revision ? delivered.value.current.take() : nil
  }

  /// Sets a value aside for the next call with revision zero.
  @inlinable
  func setStaged(_ value: Value) {
    // What it replaces is released without the lock.
    _ = aside.withLock { exchange(&$0.staged, with: value) }
  }
}

extension CapturedPart: PartSlot {
  @usableFromInline
  var footprint: Footprint { path.footprint }

  @usableFromInline
  func queue(_ state: StateAddress, _ revision: UInt64) {
    let value = path.read(state)
    aside.withLock { aside in
      if aside.waiting == nil { aside.waiting = UnsafeCell(RingBuffer()) }
      aside.waiting?.value.append((revision, value))
    }
  }

  @usableFromInline
  func promote(_ revision: UInt64) {
    let next = aside.withLock { aside in
      aside.waiting?.value.first?.revision == revision ? aside.waiting?.value.popFirst() : nil
    }
    guard let next else { return }
    delivered.value.current = next.value
    delivered.value.revision = revision
  }

  @usableFromInline
  func release() {
    delivered.value.current = nil
  }

  @usableFromInline
  func stage(_ revision: UInt64) -> (@Sendable () -> Void)? {
    guard delivered.value.revision == revision, let taken = delivered.value.current.take() else {
      return nil
    }
    return { self.setStaged(taken) }
  }
}
