/// A value on the heap, which is handed on as one word however big it is.
@usableFromInline
final class Boxed<Value: Sendable>: Sendable {
  @usableFromInline
  let value: Value

  @inlinable
  init(_ value: consuming Value) {
    self.value = value
  }
}
