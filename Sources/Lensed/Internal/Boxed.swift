/// A value on the heap: passed on as one word, whatever its size.
@usableFromInline
final class Boxed<Value: Sendable>: Sendable {
  @usableFromInline
  let value: Value

  @inlinable
  init(_ value: consuming Value) { self.value = value }

  /// The box that an object is known to be.
  ///
  /// Invariant: code that passes boxes on without their type keeps beside them what knows it: the formula of a derived
  /// value, the witness of a state. Their functions were made where the types of all their boxes were known.
  @inlinable
  static func known(_ object: ValueBox) -> Boxed { unsafe unsafeDowncast(object, to: Boxed.self) }
}

/// An object as one of the class that it is known to be, without the look-up of a cast.
///
/// Invariant: the caller has found the class by other means, and says by which. It is always compiled into its caller:
/// a call would have the type looked up at run time.
@inline(__always)
func known<Object: AnyObject>(_ object: AnyObject, as type: Object.Type) -> Object {
  unsafe unsafeDowncast(object, to: type)
}

/// A value on the heap, of a type that its holder knows.
@usableFromInline
typealias ValueBox = any AnyObject & Sendable
