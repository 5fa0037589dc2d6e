/// The address of a value whose type the holder of the address knows.
///
/// This is the one unsafe idea of the folder: a dispatch reaches a sub-state by adding a byte offset to the
/// address of the state, and an action by the address that it already has. Nothing is copied, boxed or
/// cast on the way.
///
/// The state lies at one address as long as the store lives, and a stored property a fixed number of bytes further on,
/// which `MemoryLayout.offset(of:)` returns. So a lens to stored properties is a number, nesting lenses is an addition,
/// and the cost grows neither with the state nor with the depth. What has no fixed offset is reached through a closure
/// that lends the part for the length of a call: computed and observed properties, subscripts, closure lenses, elements,
/// payloads. Generic closures for all of it would cost a call at each level, and a copy of every generic value that is
/// passed on. A `WritableKeyPath` that is applied at run time costs more than the reducer that it leads to.
///
/// Invariants that make it sound:
/// - *Type.* Each address is read as the type that it was made from. For actions, routes prove it: a route is
///   found by the exact type of the action. For parts, the byte offsets of stored key paths prove it. For the
///   actions that lie in a list of `any Action`, the type of the action and `InlineExistential` do.
/// - *Lifetime.* An address is used only inside the call that it was passed to, or while the object that
///   owns its memory is retained.
/// - *Exclusion.* The memory of a state is touched only under the lock of its store.
@safe
@usableFromInline
struct StateAddress: @unchecked Sendable {
  @usableFromInline
  let address: UnsafeMutableRawPointer

  @inlinable
  init(address: UnsafeMutableRawPointer) {
    unsafe self.address = unsafe address
  }

  /// The address of a part, `offset` bytes further on.
  @inlinable
  func advanced(by offset: Int) -> StateAddress {
    unsafe StateAddress(address: address + offset)
  }

  /// The address of one of the values side by side at an address whose `bits` were read before.
  @inlinable
  @inline(__always)
  init<Value>(at bits: UInt, index: UInt, of type: Value.Type) {
    let offset = index &* UInt(MemoryLayout<Value>.stride)
    // The caller has read the bits of an address, and those are not zero.
    unsafe self.init(
      address: UnsafeMutableRawPointer(bitPattern: bits &+ offset).unsafelyUnwrapped)
  }

  /// The address as a number.
  var bits: UInt { unsafe UInt(bitPattern: address) }

  /// A copy of the value.
  @inlinable
  func read<Value>(_ type: Value.Type) -> Value {
    unsafe address.assumingMemoryBound(to: type).pointee
  }

  /// A copy of a value that was written just now, where the type is known to the compiler.
  ///
  /// Where it knows the alignment, the compiler reads a byte, such as the tag of an enum, by a load of four. A
  /// processor waits for the write of one byte to reach its cache before it can serve that: 3 ns, which is
  /// half of a dispatch.
  @inlinable
  @inline(__always)
  func readFresh<Value>(_ type: Value.Type) -> Value {
    _isPOD(type) ? unsafe address.loadUnaligned(as: type) : read(type)
  }

  /// Replaces the value; the old one is released here.
  @inlinable
  func write<Value>(_ value: consuming Value) {
    unsafe address.assumingMemoryBound(to: Value.self).pointee = value
  }

  /// Lends the value, which is only read.
  @inlinable
  @inline(__always)
  func lend<Value, Result>(_ type: Value.Type, _ body: (borrowing Value) -> Result) -> Result {
    unsafe body(address.assumingMemoryBound(to: type).pointee)
  }

  /// Edits the value in place.
  @inlinable
  func edit<Value: ~Copyable, Result>(
    _ type: Value.Type, _ body: (inout Value) throws -> Result
  ) rethrows -> Result {
    try unsafe body(&address.assumingMemoryBound(to: type).pointee)
  }

  /// Lends the address of a variable.
  ///
  /// The type is spelled where an address is lent, as it is where the address is read. For an `any P`, the
  /// compiler would infer the type of its content, and a reader of `any P` would find garbage.
  @inlinable
  static func editing<Value, Result>(
    _ value: inout Value, as type: Value.Type, _ body: (StateAddress) throws -> Result
  ) rethrows -> Result {
    try unsafe withUnsafeMutablePointer(to: &value) { pointer in
      try unsafe body(StateAddress(address: UnsafeMutableRawPointer(pointer)))
    }
  }

  /// Lends the address of a value that is only read.
  @inlinable
  static func reading<Value, Result>(
    _ value: borrowing Value, as type: Value.Type, _ body: (StateAddress) throws -> Result
  ) rethrows -> Result {
    try unsafe withUnsafePointer(to: value) { pointer in
      try unsafe body(StateAddress(address: UnsafeMutableRawPointer(mutating: pointer)))
    }
  }

  /// Lends the address of the first element of an array that is only read.
  @inlinable
  static func reading<Element, Result>(
    elementsOf array: [Element], _ body: (StateAddress) throws -> Result
  ) rethrows -> Result {
    try unsafe array.withUnsafeBytes { bytes in
      // An empty array has no first element, and no caller reads from an empty array.
      let base = unsafe bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 16).unsafelyUnwrapped
      return try unsafe body(StateAddress(address: UnsafeMutableRawPointer(mutating: base)))
    }
  }
}
