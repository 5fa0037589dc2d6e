/// Mutable fields inside one object, without the exclusivity checks of a class.
///
/// It takes one allocation where `UnsafeCell` takes two, and it has no address to lend. As with `UnsafeCell`,
/// the compiler cannot see which thread may touch the value: each owner of a cell names the guard beside it. A
/// value whose fields have different guards is accessed field by field, never as a whole.
@safe
@usableFromInline
final class UnsafeInlineCell<Value>: @unchecked Sendable {
  @exclusivity(unchecked)
  @usableFromInline
  var content: Value

  @inlinable
  init(_ value: consuming Value) {
    unsafe content = value
  }

  /// The value; only the holder of its guard may touch it.
  @inlinable
  var value: Value {
    _read { yield unsafe content }
    _modify { yield unsafe &content }
  }
}
