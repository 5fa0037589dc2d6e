/// The values of one part of the state that one subscription, or one reader, has been given.
///
/// Three threads may work on one part at once, each on a cell of its own:
/// 1. *The lock of the store* guards `queued`.
/// 2. *The deliverer* owns `delivered`. A commit writes it under the lock, after it has become the deliverer.
/// 3. *The caller of the operators with revision zero* owns `staged`: the subscriber until its calls are
///    handed to the deliverer, or the task that reads.
@usableFromInline
final class CapturedPart<Value: Sendable>: Sendable {
  /// What the lock of the store guards.
  @usableFromInline
  struct Queued {
    var interest = Interest.everything
    /// The parts of commits that wait for their delivery; nil until one had to wait.
    var waiting: RingBuffer<(revision: UInt64, value: Value)>?

    @usableFromInline
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
  let queued = UnsafeCell(Queued())
  @usableFromInline
  let delivered = UnsafeCell(Delivered())
  /// The part as it was read for a call, or a pull, that is numbered zero.
  @usableFromInline
  let staged = UnsafeCell<Value?>(nil)

  @usableFromInline
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
      staged.value = path.read(state)
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
  func take(at revision: UInt64) -> Value? {
    if revision == 0 { return staged.value.take() }
    return delivered.value.revision == revision ? delivered.value.current.take() : nil
  }
}

extension CapturedPart: PartSlot {
  @usableFromInline
  var footprint: Footprint { path.footprint }

  @usableFromInline
  var interest: Interest {
    get { queued.value.interest }
    set { queued.value.interest = newValue }
  }

  @usableFromInline
  func queue(_ state: StateAddress, _ revision: UInt64) {
    let value = path.read(state)
    if queued.value.waiting == nil { queued.value.waiting = RingBuffer() }
    queued.value.waiting?.append((revision, value))
  }

  @usableFromInline
  func promote(_ revision: UInt64) {
    guard queued.value.waiting?.first?.revision == revision,
      let next = queued.value.waiting?.popFirst()
    else { return }
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
    return { self.staged.value = taken }
  }
}
