/// Whether two values have the same bytes, and so refer to the same objects.
///
/// Equal values may differ in their padding: false says nothing. The bytes of a value may be looked at, whatever its
/// type; padding has some bytes too.
func haveSameBytes<Value>(_ left: Value, _ right: Value) -> Bool {
  unsafe withUnsafeBytes(of: left) { left in
    unsafe withUnsafeBytes(of: right) { right in
      unsafe left.elementsEqual(right)
    }
  }
}
