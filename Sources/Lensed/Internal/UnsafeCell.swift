/// Mutable memory at a stable address, whose exclusion somebody else gives.
///
/// It is what stands between fields that only the store's lock guards and a dynamic exclusivity
/// check on each of their accesses. The type is the single place where such sharing is asserted
/// rather than checked; whoever holds one says beside it *who* excludes: the lock of the store, or
/// the one thread that is delivering.
@safe
@usableFromInline
final class UnsafeCell<Value>: @unchecked Sendable {
  @usableFromInline
  let memory: UnsafeMutablePointer<Value>

  @inlinable
  init(_ value: consuming Value) {
    unsafe memory = .allocate(capacity: 1)
    unsafe memory.initialize(to: value)
  }

  deinit {
    unsafe memory.deinitialize(count: 1)
    unsafe memory.deallocate()
  }

  /// The value; to be touched only by whoever is named as its excluder.
  @inlinable
  var value: Value {
    unsafeAddress { unsafe UnsafePointer(memory) }
    unsafeMutableAddress { unsafe memory }
  }

  /// The address of the value, valid while this object lives.
  @inlinable
  var place: StateAddress { unsafe StateAddress(address: UnsafeMutableRawPointer(memory)) }
}

/// Sixty-four values side by side at stable addresses, whose exclusion somebody else gives.
///
/// As with `UnsafeCell`, the compiler cannot see the exclusion, and whoever holds one says beside it who
/// gives it.
@safe
@usableFromInline
final class UnsafeCellRow<Value>: @unchecked Sendable {
  @inlinable
  @inline(__always)
  static var count: Int { 64 }

  @usableFromInline
  let memory: UnsafeMutablePointer<Value>

  init(repeating value: Value) {
    unsafe memory = .allocate(capacity: Self.count)
    unsafe memory.initialize(repeating: value, count: Self.count)
  }

  deinit {
    unsafe memory.deinitialize(count: Self.count)
    unsafe memory.deallocate()
  }

  /// The address of the value that `hash` falls on, valid while this object lives.
  @inlinable
  @inline(__always)
  func place(at hash: UInt) -> StateAddress {
    let index = Int(truncatingIfNeeded: hash) & (Self.count - 1)
    return unsafe StateAddress(address: UnsafeMutableRawPointer(memory + index))
  }
}

/// One value of a row, which it keeps.
@safe
struct UnsafeCellInRow<Value>: Sendable {
  let row: UnsafeCellRow<Value>
  let place: StateAddress

  /// The value that `hash` falls on.
  init(_ row: UnsafeCellRow<Value>, at hash: UInt) {
    self.row = row
    place = row.place(at: hash)
  }

  /// The value; to be touched only by whoever is named as its excluder.
  var value: Value {
    unsafeAddress { unsafe UnsafePointer(place.address.assumingMemoryBound(to: Value.self)) }
    nonmutating unsafeMutableAddress { unsafe place.address.assumingMemoryBound(to: Value.self) }
  }
}

/// A value that is not `Sendable`, handed from thread to thread but used by one at a time.
///
/// The compiler cannot see that one thread at a time uses it; whoever wraps it says beside it who
/// confines it.
@safe
@usableFromInline
struct UncheckedSendable<Value>: @unchecked Sendable {
  @usableFromInline
  let value: Value

  @inlinable
  init(_ value: Value) {
    self.value = value
  }
}

/// A reference that is not counted, for an object that something else keeps alive.
///
/// Counting a route up and down twice would cost as much as the reducers it runs. The object may be
/// used by any thread, being `Sendable`; what the compiler cannot see is that it is still there, and
/// whoever holds one says beside it what keeps it alive.
@safe
@usableFromInline
struct Unretained<Object: AnyObject & Sendable>: @unchecked Sendable {
  @usableFromInline
  let reference: Unmanaged<Object>

  @inlinable
  init(_ object: Object) {
    unsafe reference = Unmanaged.passUnretained(object)
  }

  /// The object that `bits` was asked of; nil for none.
  @inlinable
  init?(bits: UInt) {
    guard let pointer = unsafe UnsafeRawPointer(bitPattern: bits) else { return nil }
    unsafe reference = Unmanaged.fromOpaque(pointer)
  }

  /// The reference as a number.
  @inlinable
  var bits: UInt { unsafe UInt(bitPattern: reference.toOpaque()) }

  /// Lends the object, which the holder's owner keeps alive for the length of the call.
  @inlinable
  func lend<Result>(_ body: (Object) throws -> Result) rethrows -> Result {
    try unsafe reference._withUnsafeGuaranteedRef { object in try body(object) }
  }
}
