/// A value on the heap: passed on as one word, whatever its size.
@usableFromInline
final class Boxed<Value: Sendable>: Sendable {
  @usableFromInline
  let value: Value

  @inlinable
  init(_ value: consuming Value) {
    self.value = value
  }
}
