/// Anything that actions can be dispatched to: a store, a scope of one, the context of an effect.
///
/// ```swift
/// store.dispatch(CounterAction.increase(10))
/// store.dispatch([CounterAction.increase(10), .decrease(5)])        // one commit
/// store.dispatch([CounterAction.increase(10), UserAction.logOut])   // mixed types
/// store.dispatch(ticks.map { _ in CounterAction.increase(1) })      // over time
/// ```
///
/// A synchronous action is applied when `dispatch` returns. An array is one commit: nothing
/// interleaves with it, and observers are notified once. An asynchronous sequence has a task when
/// `dispatch` returns, and is pulled one element at a time.
public protocol ActionDispatching: Sendable {
  /// Applies actions of one type. Call `dispatch`.
  func send(_ batch: ActionBatch, from site: CallSite) -> DispatchTask
}

extension ActionDispatching {
  @inlinable
  @inline(__always)
  func send<A: Action>(_ action: A, from site: CallSite) -> DispatchTask {
    var task = DispatchTask()
    action._lend { task = send($0, from: site) }
    return task
  }
}

// Which of these forms the compiler names when none fits is part of their design: for a value that is no
// action it is the first, or the second for a literal, because the others are disfavoured or promote an
// optional. `NoActionTests` holds the messages.
extension ActionDispatching {
  /// Dispatches an action: all its reducers run, as one commit, before this returns.
  ///
  /// An `any Action` is opened once, and routed by the type of what is in it.
  ///
  /// - Returns: What the action has under way, which for a synchronous one is nothing.
  /// - Complexity: That of the reducers of its type. Mutators of other actions, observers of other
  ///   sub-states and the size of the state cost nothing.
  @inlinable
  @inline(__always)
  @discardableResult
  public func dispatch<A: Action>(
    _ action: A,
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> DispatchTask {
    send(action, from: CallSite(fileID: fileID, function: function, line: line))
  }

  /// Dispatches an action whose type is known at run time only.
  @_disfavoredOverload
  @inlinable
  @inline(__always)
  @discardableResult
  public func dispatch(
    _ action: any Action,
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> DispatchTask {
    send(action, from: CallSite(fileID: fileID, function: function, line: line))
  }

  /// Dispatches an array of actions of one type, in order, as one commit.
  ///
  /// Nothing interleaves with it, and observers are notified once. An empty array is none.
  @inlinable
  @inline(__always)
  @discardableResult
  public func dispatch<A: Action>(
    _ actions: [A],
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> DispatchTask {
    let site = CallSite(fileID: fileID, function: function, line: line)
    return ActionBatch.lending(array: actions) { send($0, from: site) } ?? DispatchTask()
  }

  /// Dispatches an array of actions of different types, in order.
  ///
  /// It is one commit up to its first asynchronous member; that one and those after it follow one
  /// by one, in a task. An empty list, or nil, is none.
  @_disfavoredOverload
  @discardableResult
  public func dispatch(
    _ actions: [any Action]?,
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> DispatchTask {
    send(ActionList(actions ?? []), from: CallSite(fileID: fileID, function: function, line: line))
  }

  /// Dispatches each element of an asynchronous sequence as it comes.
  ///
  /// The task exists when this returns. It ends with its sequence, its first error, its
  /// cancellation, or the store; what it had applied stays.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func dispatch<S: AsyncSequence & Sendable>(
    _ actions: S,
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> DispatchTask where S.Element: Action {
    send(
      AsyncActions(dispatched: actions),
      from: CallSite(fileID: fileID, function: function, line: line))
  }

  /// Dispatches each element of an asynchronous sequence of actions of different types as it comes.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func dispatch<S: AsyncSequence & Sendable>(
    _ actions: S,
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> DispatchTask where S.Element == any Action {
    send(
      AsyncActions(dispatched: actions),
      from: CallSite(fileID: fileID, function: function, line: line))
  }

  /// Not available: actions are dispatched.
  @available(*, unavailable, renamed: "dispatch(_:)")
  @discardableResult
  public func send(_ action: any Action) -> DispatchTask {
    fatalError("Lensed: `send` was called; this is a fault of Lensed.")
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

  /// Dispatches actions of one type, each as a commit of its own.
  @inlinable
  public func dispatchEach<A: Action>(
    _ actions: some Sequence<A>,
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) {
    let site = CallSite(fileID: fileID, function: function, line: line)
    for action in actions { _ = send(action, from: site) }
  }

  /// Dispatches actions of different types, each as a commit of its own.
  @inlinable
  public func dispatchEach(
    _ actions: [any Action],
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) {
    let site = CallSite(fileID: fileID, function: function, line: line)
    for action in actions { _ = send(action, from: site) }
  }
}
