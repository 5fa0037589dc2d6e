extension StateObserving {
  /// Dispatches an action and returns the resulting value of one property, read in the same critical section.
  ///
  /// ```swift
  /// let counter = store.dispatch(CounterAction.increase(10), focusingOn: \.counter)
  /// ```
  ///
  /// It can never be the outcome of a later action of another thread. It takes only what is applied
  /// synchronously, and traps when the action holds an asynchronous sequence.
  @inlinable
  @discardableResult
  public func dispatch<A: Action, Value>(
    _ action: A, focusingOn keyPath: any KeyPath<State, Value> & Sendable,
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> Value {
    let site = CallSite(fileID: fileID, function: function, line: line)
    return focus(action, site) { [view] in view.readPart($0, keyPath) }
  }

  /// Dispatches an action and returns the resulting part that a lens focuses on.
  @inlinable
  @discardableResult
  public func dispatch<A: Action, Value>(
    _ action: A, focusingOn lens: Lens<State, Value>,
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> Value {
    let site = CallSite(fileID: fileID, function: function, line: line)
    return focus(action, site) { [view] in view.readPart($0, lens) }
  }

  /// Dispatches actions of different types as one commit, and returns the resulting value of one property.
  @inlinable
  @discardableResult
  public func dispatch<Value>(
    _ actions: [any Action], focusingOn keyPath: any KeyPath<State, Value> & Sendable,
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> Value {
    let site = CallSite(fileID: fileID, function: function, line: line)
    return focus(ActionList(actions), site) { [view] in view.readPart($0, keyPath) }
  }

  /// Dispatches actions of different types as one commit, and returns the resulting part that
  /// a lens focuses on.
  @inlinable
  @discardableResult
  public func dispatch<Value>(
    _ actions: [any Action], focusingOn lens: Lens<State, Value>,
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> Value {
    let site = CallSite(fileID: fileID, function: function, line: line)
    return focus(ActionList(actions), site) { [view] in view.readPart($0, lens) }
  }

  @inlinable
  func focus<A: Action, Value>(
    _ action: A, _ site: CallSite, _ read: (StateAddress) -> Value
  ) -> Value {
    var value: Value?
    _ = ActionBatch.lending(action) { batch in
      asScope.sender.send(batch, from: site) { value = read($0) }
    }
    // After the store has gone nothing is applied, and a scope returns the last state.
    return value ?? view.lend(read)
  }
}
