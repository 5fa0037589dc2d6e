/// A value on the heap, which is handed on as one word however big it is.
final class Boxed<Value: Sendable>: Sendable {
  let value: Value

  init(_ value: consuming Value) {
    self.value = value
  }
}
