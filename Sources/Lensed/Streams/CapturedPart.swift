/// The values of one part of the state that one subscription, or one reader, has been given.
///
/// Three threads may work on one part at once, each on fields of its own:
/// 1. *The lock of the store* guards `interest` and `waiting`.
/// 2. *The deliverer* owns `current` and `revision`. A commit writes them under the lock, after it has
///    become the deliverer.
/// 3. *The caller of the operators with revision zero* owns `staged`: the subscriber until its calls are
///    handed to the deliverer, or the task that reads.
@usableFromInline
struct CapturedPart<Value: Sendable>: CapturedFields {
  @usableFromInline
  let path: PartPath<Value>
  @usableFromInline
  var interest = Interest.everything
  /// The commit that `current` is of.
  @usableFromInline
  var revision: UInt64 = 0
  /// The part as the commit left it whose calls are being made.
  @usableFromInline
  var current: Value?
  /// The part as it was read for a call, or a pull, that is numbered zero.
  @usableFromInline
  var staged: Value?
  /// The parts of commits that wait for their delivery; nil until one had to wait.
  @usableFromInline
  var waiting: UnsafeCell<RingBuffer<(revision: UInt64, value: Value)>>?

  @inlinable
  init(_ path: PartPath<Value>) {
    self.path = path
  }
}

/// The fields of a captured part, for code that does not know its type.
@usableFromInline
protocol CapturedFields: Sendable {
  associatedtype Value: Sendable
  var path: PartPath<Value> { get }
  var interest: Interest { get set }
  var revision: UInt64 { get set }
  var current: Value? { get set }
  var staged: Value? { get set }
  var waiting: UnsafeCell<RingBuffer<(revision: UInt64, value: Value)>>? { get set }
}

extension UnsafeCell {
  /// Reads the part for the deliverer; with revision zero, for the subscriber or the reader.
  ///
  /// Called under the lock of the store.
  @inlinable
  @inline(__always)
  func load<Part>(
    from state: StateAddress, at revision: UInt64
  ) where Value == CapturedPart<Part> {
    if revision == 0 {
      value.staged = value.path.read(state)
    } else {
      value.current = value.path.read(state)
      value.revision = revision
    }
  }

  /// Hands out the part as the given commit left it, once; nil when that commit did not touch it.
  ///
  /// Revision zero stands for the first value, for one that was staged, and for one that was pulled.
  @inlinable
  @inline(__always)
  func take<Part>(at revision: UInt64) -> Part? where Value == CapturedPart<Part> {
    if revision == 0 { return value.staged.take() }
    return value.revision == revision ? value.current.take() : nil
  }
}

extension UnsafeCell: PartSlot where Value: CapturedFields {
  @usableFromInline
  var footprint: Footprint { value.path.footprint }

  @usableFromInline
  var interest: Interest {
    get { value.interest }
    set { value.interest = newValue }
  }

  @usableFromInline
  func queue(_ state: StateAddress, _ revision: UInt64) {
    let waiting =
      value.waiting
      ?? UnsafeCell<RingBuffer<(revision: UInt64, value: Value.Value)>>(RingBuffer())
    waiting.value.append((revision, value.path.read(state)))
    value.waiting = waiting
  }

  @usableFromInline
  func promote(_ revision: UInt64) {
    guard let waiting = value.waiting, waiting.value.first?.revision == revision,
      let next = waiting.value.popFirst()
    else { return }
    value.current = next.value
    value.revision = revision
  }

  @usableFromInline
  func release() {
    value.current = nil
  }

  @usableFromInline
  func stage(_ revision: UInt64) -> (@Sendable () -> Void)? {
    guard value.revision == revision, let taken = value.current.take() else { return nil }
    return { self.value.staged = taken }
  }
}
