extension ObservedStore {
  /// Sends the action that announces a new value for a property.
  ///
  /// ```swift
  /// observed.set(\.title, to: text, as: DocumentAction.rename)
  /// ```
  ///
  /// What the property is afterwards is for its reducer to say; it is shown when this returns.
  @inlinable
  @discardableResult
  public func set<Value, A: Action>(
    _ keyPath: any KeyPath<State, Value> & Sendable, to value: Value, as action: (Value) -> A,
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> DispatchTask {
    dispatch(action(value), fileID: fileID, function: function, line: line)
  }

  /// A property that is read from the state and written by sending an action.
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

  /// A property that is read from the state and written by sending an action, as a key path can hold
  /// it: the form for SwiftUI's `$`.
  ///
  /// ```swift
  /// @Bindable var store: ObservedStore<AppState>
  /// TextField("Search", text: $store[\.query, send: .action(SearchAction.edited)])
  /// ```
  ///
  /// A binding is a key path, and what is in a key path has to be hashable, which a bare function is
  /// not; hence `.action`.
  public subscript<Value: Sendable & Equatable>(
    _ keyPath: any KeyPath<State, Value> & Sendable, send sending: Sending<Value>
  ) -> Value {
    get { self[keyPath] }
    set { dispatch(sending.action(for: newValue)) }
  }
}

/// How a new value is announced: the action that is made of it.
///
/// Two of them are equal when their ids are, as with `Command`.
public struct Sending<Value>: Sendable, Hashable {
  private let id: CommandID
  private let make: @Sendable (Value) -> any Action

  /// Announces values by the action that `make` makes of them; equals its own copies alone.
  public static func action<A: Action>(
    _ make: @escaping @Sendable (_ value: Value) -> A
  ) -> Sending {
    Sending(id: .own(), make: make)
  }

  /// Announces values by the action that `make` makes of them; equals every other with the same id.
  ///
  /// - Parameters:
  ///   - id: What it is compared by: names everything that `make` depends on.
  ///   - make: Makes the action.
  /// - Returns: What a binding writes by.
  public static func action<ID: Hashable & Sendable, A: Action>(
    _ id: ID, _ make: @escaping @Sendable (_ value: Value) -> A
  ) -> Sending {
    Sending(id: CommandID(id), make: make)
  }

  func action(for value: Value) -> any Action { make(value) }

  /// Whether the ids are equal.
  public static func == (left: Sending, right: Sending) -> Bool { left.id == right.id }

  /// Feeds the id.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
