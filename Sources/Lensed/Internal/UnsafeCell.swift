/// Mutable memory at a stable address, which another object guards.
///
/// It spares fields that the lock of the store guards a dynamic exclusivity check on each access. The
/// compiler cannot see the guard: each owner of a cell names it beside the cell, as the lock of the
/// store, or the one thread that is delivering.
///
/// The value lies in the object itself, so a cell is one allocation. Invariant: it is the only stored property, so it
/// comes first; and nothing names it but `init`, so each access goes through its address, which is the same as long
/// as the object lives. (`&stored` would be an access, which the thread sanitizer takes for a write.)
@safe
@usableFromInline
final class UnsafeCell<Value: ~Copyable>: @unchecked Sendable {
  @usableFromInline
  var stored: Value

  @inlinable
  init(_ value: consuming Value) {
    stored = value
  }

  @inlinable
  @inline(__always)
  var pointer: UnsafeMutablePointer<Value> {
    let first = unsafe _getUnsafePointerToStoredProperties(self)
    // Objects are aligned to two words, and to more where a property needs it.
    let isAligned = MemoryLayout<Value>.alignment <= 2 * MemoryLayout<Int>.alignment
    return unsafe (isAligned ? first : first.alignedUp(for: Value.self))
      .assumingMemoryBound(to: Value.self)
  }

  /// The value; only the holder of its guard may touch it.
  @inlinable
  @inline(__always)
  var value: Value {
    unsafeAddress { unsafe UnsafePointer(pointer) }
    unsafeMutableAddress { unsafe pointer }
  }

  /// The address of the value, valid while this object lives.
  @inlinable
  @inline(__always)
  var place: StateAddress { unsafe StateAddress(address: UnsafeMutableRawPointer(pointer)) }
}

/// Values side by side at stable addresses, which another object guards; their number is a power of two.
///
/// As with `UnsafeCell`, the compiler cannot see the guard: each owner of a row names it beside the row.
@safe
final class UnsafeCellRow<Value>: @unchecked Sendable {
  let memory: UnsafeMutablePointer<Value>
  /// The number of values, less one.
  let mask: Int

  /// A row of at least so many values.
  init(repeating value: Value, count least: Int) {
    let count = least <= 1 ? 1 : 1 << (Int.bitWidth - (least - 1).leadingZeroBitCount)
    mask = count - 1
    unsafe memory = .allocate(capacity: count)
    unsafe memory.initialize(repeating: value, count: count)
  }

  deinit {
    unsafe memory.deinitialize(count: count)
    unsafe memory.deallocate()
  }

  var count: Int { mask + 1 }

  /// The address of the value that `hash` falls on, valid while this object lives.
  @inline(__always)
  func place(at hash: UInt) -> StateAddress {
    let index = Int(truncatingIfNeeded: hash) & mask
    return unsafe StateAddress(address: UnsafeMutableRawPointer(memory + index))
  }
}

/// One value of a row; it keeps the row alive.
@safe
struct UnsafeCellInRow<Value>: Sendable {
  let row: UnsafeCellRow<Value>
  let place: StateAddress

  /// The value that `hash` falls on.
  init(_ row: UnsafeCellRow<Value>, at hash: UInt) {
    self.row = row
    place = row.place(at: hash)
  }

  /// The value; only the holder of its guard may touch it.
  var value: Value {
    unsafeAddress { unsafe UnsafePointer(place.address.assumingMemoryBound(to: Value.self)) }
    nonmutating unsafeMutableAddress { unsafe place.address.assumingMemoryBound(to: Value.self) }
  }
}

/// A value that is not `Sendable`, passed from thread to thread and used by one at a time.
///
/// The compiler cannot see that; the code that wraps a value says beside it what confines it.
@safe
struct UncheckedSendable<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) {
    self.value = value
  }
}

extension UncheckedSendable {
  /// A key path whose type has lost that it is `Sendable`.
  ///
  /// The protocol has no witness, so both types have the same layout. Each caller says what makes it so.
  static func keyPath<Root, Part>(
    _ keyPath: KeyPath<Root, Part>
  ) -> any KeyPath<Root, Part> & Sendable where Value == Void {
    unsafe unsafeBitCast(keyPath, to: (any KeyPath<Root, Part> & Sendable).self)
  }
}

/// A reference that is not counted, to an object that something else keeps alive.
///
/// Retaining and releasing a route twice would cost as much as the reducers that it runs. The compiler cannot see
/// that the object is still alive: each owner of such a reference says beside it what keeps it alive.
@safe
@usableFromInline
struct Unretained<Object: AnyObject> {
  @usableFromInline
  let reference: Unmanaged<Object>

  @inlinable
  init(_ object: Object) {
    unsafe reference = Unmanaged.passUnretained(object)
  }

  /// The object whose `bits` were read before; nil for zero.
  @inlinable
  init?(bits: UInt) {
    guard let pointer = unsafe UnsafeRawPointer(bitPattern: bits) else { return nil }
    unsafe reference = Unmanaged.fromOpaque(pointer)
  }

  /// The reference as a number.
  var bits: UInt { unsafe UInt(bitPattern: reference.toOpaque()) }

  /// Lends the object, which has to stay alive for the length of the call.
  @inlinable
  func lend<Result>(_ body: (Object) throws -> Result) rethrows -> Result {
    try unsafe reference._withUnsafeGuaranteedRef { object in try body(object) }
  }
}

// An object that is `Sendable` can be used by every thread.
extension Unretained: @unchecked Sendable where Object: Sendable {}

extension Unretained {
  /// The same reference, to an object that is known to be of another class.
  @inlinable
  func known<Other: AnyObject>(as type: Other.Type) -> Unretained<Other> {
    unsafe Unretained<Other>(unmanaged: Unmanaged.fromOpaque(reference.toOpaque()))
  }

  @inlinable
  init(unmanaged: Unmanaged<Object>) {
    unsafe reference = unmanaged
  }
}

// MARK: Nodes of persistent collections

/// Whether a reference is the only one, so that its object may be written.
///
/// The other threads that had one have released it, which the thread sanitizer does not see: the runtime counts
/// references where it does not look. So under `-D TSAN` each object counts as shared.
func isOnlyReference<Object: AnyObject>(_ reference: inout Object) -> Bool {
  #if TSAN
    false
  #else
    isKnownUniquelyReferenced(&reference)
  #endif
}

/// The same of a reference that may be nil.
func isOnlyReference<Object: AnyObject>(_ reference: inout Object?) -> Bool {
  #if TSAN
    false
  #else
    isKnownUniquelyReferenced(&reference)
  #endif
}

extension ManagedBuffer {
  /// The header, which is the first stored property.
  ///
  /// Accesses of nodes never overlap: the writer of one has it exclusively.
  @inlinable
  @inline(__always)
  final var uncheckedHeader: Header {
    unsafeAddress { unsafe UnsafePointer(headerPlace) }
    unsafeMutableAddress { unsafe headerPlace }
  }

  @inlinable
  @inline(__always)
  final var headerPlace: UnsafeMutablePointer<Header> {
    unsafe _getUnsafePointerToStoredProperties(self).assumingMemoryBound(to: Header.self)
  }

  /// The memory behind the header.
  @inlinable
  @inline(__always)
  final var memory: UnsafeMutableRawPointer {
    unsafe withUnsafeMutablePointerToElements { UnsafeMutableRawPointer($0) }
  }
}
