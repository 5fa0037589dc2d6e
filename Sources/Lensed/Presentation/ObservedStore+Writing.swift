extension ObservedStore {
  /// Dispatches the action that requests a new value for a property.
  ///
  /// ```swift
  /// observed.set(\.title, to: text, as: DocumentAction.rename)
  /// ```
  ///
  /// The property's reducer decides the new value. It is shown before this returns.
  @discardableResult
  public func set<Value, A: Action>(
    _ keyPath: any KeyPath<State, Value> & Sendable, to value: Value, as action: (Value) -> A,
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> DispatchTask {
    dispatch(action(value), fileID: fileID, function: function, line: line)
  }

  /// Reads a property from the state, and writes it by dispatching an action.
  ///
  /// ```swift
  /// observed[\.query, send: SearchAction.edited] = "alien"   // dispatches .edited("alien")
  /// ```
  public subscript<Value: Sendable & Equatable, A: Action>(
    _ keyPath: any KeyPath<State, Value> & Sendable, send action: (Value) -> A
  ) -> Value {
    get { self[keyPath] }
    set { dispatch(action(newValue)) }
  }

  /// Reads a property from the state, and writes it by dispatching an action: the form for
  /// SwiftUI's `$`.
  ///
  /// ```swift
  /// @Bindable var store: ObservedStore<AppState>
  /// TextField("Search", text: $store[\.query, send: .action(SearchAction.edited)])
  /// ```
  ///
  /// A binding is a key path, so its arguments must be hashable. A bare function is not; `.action`
  /// is.
  public subscript<Value: Sendable & Equatable>(
    _ keyPath: any KeyPath<State, Value> & Sendable, send sending: Sending<Value>
  ) -> Value {
    get { self[keyPath] }
    set { dispatch(sending.make(newValue)) }
  }
}

/// A conversion from a new value to the action that requests it, compared by id.
public struct Sending<Value>: Sendable, Hashable {
  private let id: AnyID
  fileprivate let make: @Sendable (Value) -> any Action

  /// Converts values with `make`; equals only its own copies.
  public static func action<A: Action>(
    _ make: @escaping @Sendable (_ value: Value) -> A
  ) -> Sending {
    Sending(id: AnyID(Own()), make: make)
  }

  /// Converts values with `make`; equals every other conversion with the same id.
  ///
  /// - Parameters:
  ///   - id: Identifies the conversion; it must name everything that `make` depends on.
  ///   - make: Returns the action for a value.
  /// - Returns: The argument for a binding.
  public static func action<ID: Hashable & Sendable, A: Action>(
    _ id: ID, _ make: @escaping @Sendable (_ value: Value) -> A
  ) -> Sending {
    Sending(id: AnyID(id), make: make)
  }

  /// An id that nothing else has.
  private struct Own: Hashable, Sendable {
    private let number = makeUniqueNumber()
  }

  /// Whether the ids are equal.
  public static func == (left: Sending, right: Sending) -> Bool { left.id == right.id }

  /// Feeds the id.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
