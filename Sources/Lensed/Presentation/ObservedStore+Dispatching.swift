extension ObservedStore {
  /// Dispatches an action; what it changed is shown when this returns.
  ///
  /// - Returns: What the action has under way. What that dispatches arrives later, like the commits
  ///   of others.
  @inlinable
  @discardableResult
  public func dispatch<A: Action>(
    _ action: A,
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> DispatchTask {
    let site = CallSite(fileID: fileID, function: function, line: line)
    let isOutermost = parts.bell.attend()
    let task = scope?.send(action, from: site) ?? parts.core.dispatch(action, from: site)
    parts.settle(isOutermost)
    return task
  }

  /// Dispatches an action whose type is known at run time only.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func dispatch(
    _ action: any Action,
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> DispatchTask {
    reflecting { $0.dispatch(action, fileID: fileID, function: function, line: line) }
  }

  /// Dispatches an array of actions of one type, in order, as one commit.
  @inlinable
  @discardableResult
  public func dispatch<A: Action>(
    _ actions: [A],
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> DispatchTask {
    reflecting { $0.dispatch(actions, fileID: fileID, function: function, line: line) }
  }

  /// Dispatches an array of actions of different types, in order, as one commit up to its first
  /// asynchronous member.
  @inlinable
  @discardableResult
  public func dispatch(
    _ actions: [any Action],
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> DispatchTask {
    reflecting { $0.dispatch(actions, fileID: fileID, function: function, line: line) }
  }

  /// Dispatches each element of an asynchronous sequence as it comes.
  ///
  /// The elements arrive like the commits of others.
  @inlinable
  @discardableResult
  public func dispatch<S: AsyncSequence & Sendable>(
    _ actions: S,
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> DispatchTask where S.Element: Action {
    reflecting { $0.dispatch(actions, fileID: fileID, function: function, line: line) }
  }

  /// Dispatches each element of an asynchronous sequence of actions of different types as it comes.
  @inlinable
  @discardableResult
  public func dispatch<S: AsyncSequence & Sendable>(
    _ actions: S,
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> DispatchTask where S.Element == any Action {
    reflecting { $0.dispatch(actions, fileID: fileID, function: function, line: line) }
  }

  /// Dispatches actions of one type, each as a commit of its own, shown together at the end.
  @inlinable
  public func dispatchEach<A: Action>(
    _ actions: some Sequence<A>,
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) {
    reflecting { $0.dispatchEach(actions, fileID: fileID, function: function, line: line) }
  }

  /// Dispatches actions of different types, each as a commit of its own, shown together at the end.
  @inlinable
  public func dispatchEach(
    _ actions: [any Action],
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) {
    reflecting { $0.dispatchEach(actions, fileID: fileID, function: function, line: line) }
  }

  /// Does something with the store, and shows what came of it before this returns.
  ///
  /// ```swift
  /// observed.reflecting { store in store.dispatch(draft, focusingOn: \.id) }
  /// ```
  @inlinable
  public func reflecting<Result>(_ body: (any StateObserving<State>) -> Result) -> Result {
    let isOutermost = parts.bell.attend()
    let result = body(way)
    parts.settle(isOutermost)
    return result
  }
}
