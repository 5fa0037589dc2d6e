/// The values of one part of the state that one subscription, or one reader, has been given.
///
/// Three threads may work on one part at once:
/// 1. *The deliverer* owns `delivered`. A commit writes it under the lock of the store, after it has become the
///    deliverer.
/// 2. *A thread that commits*, under the lock of the store, queues values for the deliverer in `aside`.
/// 3. *The caller of the operators with revision zero* has its values in `aside`: the subscriber until its calls
///    are handed to the deliverer, or the task that reads.
///
/// What is aside has a lock of its own, which lies in this object: few commits come there.
@usableFromInline
final class CapturedPart<Value: Sendable>: Sendable {
  /// What is on its way to the operators.
  @usableFromInline
  struct Aside: Sendable {
    /// The part as it was read for a call, or a pull, that is numbered zero.
    @usableFromInline
    var staged: Value?
    /// The parts of commits that wait for their delivery; nil until one had to wait.
    var waiting: UnsafeCell<RingBuffer<(revision: UInt64, value: Value)>>?

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
  let delivered = UnsafeCell(Delivered())
  @usableFromInline
  let aside = Locked(Aside())

  @inlinable
  init(_ path: PartPath<Value>) {
    self.path = path
  }

  /// Reads the part for the deliverer; with revision zero, for the subscriber or the reader.
  ///
  /// Called under the lock of the store.
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
