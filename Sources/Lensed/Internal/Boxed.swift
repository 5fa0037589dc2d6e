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

/// An object that holds a state.
@usableFromInline
protocol StateHolder<State>: AnyObject, Sendable {
  associatedtype State: Sendable
  var state: State { get }
}

extension Boxed: StateHolder {
  @usableFromInline
  var state: Value { value }
}
