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

// MARK: The same value

/// Whether two values have the same bytes, and so refer to the same objects.
///
/// False says nothing: equal values may differ in their padding, which has some bytes too. The bytes of a value may be
/// looked at, whatever its type.
@inlinable
func haveSameBytes<Value>(_ left: Value, _ right: Value) -> Bool {
  unsafe withUnsafeBytes(of: left) { left in
    unsafe withUnsafeBytes(of: right) { right in
      unsafe left.elementsEqual(right)
    }
  }
}

/// Whether a value is the same as the one that was held before: every comparison with an older value asks this.
///
/// A value that was written back has the same bytes, and so is the same even if it does not equal itself, as NaN. Else
/// `==` decides. The caller has to hold the older value, as another copy: then a write in place has given the newer one
/// a buffer of its own, and equal bytes prove that nothing was written.
@inlinable
func isSameValue<Value: Equatable>(_ former: Value, _ next: Value) -> Bool {
  haveSameBytes(former, next) || former == next
}

/// `isSameValue` for one of many values: most of them are equal, and `==` often takes less time than their bytes.
@inlinable
func isSameRow<Row: Equatable>(_ former: Row, _ next: Row) -> Bool {
  former == next || haveSameBytes(former, next)
}

/// Whether two values of unknown types are of one that is `Equatable`, and equal.
func areEqual(_ left: Any, _ right: Any) -> Bool {
  func isEqual<Value: Equatable>(_ left: Value) -> Bool { left == right as? Value }
  return (left as? any Equatable).map { isEqual($0) } ?? false
}

// MARK: Changed copies

/// A copy of a value, with some change.
func changed<Value>(_ value: Value, _ change: (inout Value) -> Void) -> Value {
  var copy = value
  change(&copy)
  return copy
}

extension Dictionary {
  /// Removes some entries, and returns them: what is removed and not returned would be released here.
  ///
  /// Each is asked about once.
  mutating func removeAll(where isMeant: (Element) -> Bool) -> Self {
    let removed = filter(isMeant)
    for key in removed.keys { self[key] = nil }
    return removed
  }
}
