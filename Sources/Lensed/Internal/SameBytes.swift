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
