extension ObservedStore {
  /// Dispatches an action and shows its changes before returning.
  ///
  /// ```swift
  /// observed.dispatch(CounterAction.increase(1))
  /// observed.counter   // already increased
  /// ```
  ///
  /// - Returns: The work that the action started. Actions dispatched by that work arrive later,
  ///   like those of other dispatchers.
  @inlinable
  @discardableResult
  public func dispatch<A: Action>(
    _ action: A,
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> DispatchTask {
    let site = CallSite(fileID: fileID, function: function, line: line)
    let isOutermost = tracker.dirtyFlag.beginDispatch()
    let task = ActionBatch.lending(action) { scope.send($0, from: site) }
    tracker.flush(isOutermost)
    return task
  }

  /// Dispatches an action whose type is known at run time only.
  @_disfavoredOverload
  @discardableResult
  public func dispatch(
    _ action: any Action,
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> DispatchTask {
    reflecting { $0.dispatch(action, fileID: fileID, function: function, line: line) }
  }

  /// Dispatches an array of actions of one type, in order, as one commit.
  @discardableResult
  public func dispatch<A: Action>(
    _ actions: [A],
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> DispatchTask {
    reflecting { $0.dispatch(actions, fileID: fileID, function: function, line: line) }
  }

  /// Dispatches an array of actions of different types, in order, as one commit up to its first
  /// asynchronous member.
  @_disfavoredOverload
  @discardableResult
  public func dispatch(
    _ actions: [any Action]?,
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> DispatchTask {
    reflecting { $0.dispatch(actions, fileID: fileID, function: function, line: line) }
  }

  /// Dispatches each element of an asynchronous sequence as it arrives.
  ///
  /// Their changes are shown soon after each commit, like those of other dispatchers.
  @_disfavoredOverload
  @discardableResult
  public func dispatch<S: AsyncSequence & Sendable>(
    _ actions: S,
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> DispatchTask where S.Element: Action {
    reflecting { $0.dispatch(actions, fileID: fileID, function: function, line: line) }
  }

  /// Dispatches each element of an asynchronous sequence of different action types as it arrives.
  @_disfavoredOverload
  @discardableResult
  public func dispatch<S: AsyncSequence & Sendable>(
    _ actions: S,
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> DispatchTask where S.Element == any Action {
    reflecting { $0.dispatch(actions, fileID: fileID, function: function, line: line) }
  }

  /// Not available: the array has elements that are no actions.
  @available(*, unavailable, message: "the array has elements that do not conform to 'Action'")
  @discardableResult
  public func dispatch<Element>(
    _ actions: [Element],
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> DispatchTask {
    fatalError("Lensed: an array of \(Element.self) was dispatched; this is a fault of Lensed.")
  }

  /// Dispatches actions of one type, each as its own commit, and shows all changes at the end.
  public func dispatchEach<A: Action>(
    _ actions: some Sequence<A>,
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) {
    reflecting { $0.dispatchEach(actions, fileID: fileID, function: function, line: line) }
  }

  /// Dispatches actions of different types, each as its own commit, and shows all changes at the
  /// end.
  public func dispatchEach(
    _ actions: [any Action],
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) {
    reflecting { $0.dispatchEach(actions, fileID: fileID, function: function, line: line) }
  }

  /// Runs a closure with the store, and shows all resulting changes before returning.
  ///
  /// ```swift
  /// observed.reflecting { store in store.dispatch(draft, focusingOn: \.id) }
  /// ```
  public func reflecting<Result>(_ body: (any StateObserving<State>) -> Result) -> Result {
    let isOutermost = tracker.dirtyFlag.beginDispatch()
    let result = body(owner ?? scope)
    tracker.flush(isOutermost)
    return result
  }
}
