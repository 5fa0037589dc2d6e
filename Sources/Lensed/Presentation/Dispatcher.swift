/// A weak reference to a store, for dispatching from props and commands.
///
/// ```swift
/// func props(for state: Shop, dispatch: Dispatcher) -> ShopProps {
///   ShopProps(
///     products: state.products,
///     reload: dispatch.command(ShopAction.reload),
///     search: dispatch.command("search") { (text: String) in ShopAction.search(text) })
/// }
/// ```
///
/// It is called like a function, `dispatch(ShopAction.reload)`, and accepts everything that a
/// store's `dispatch` accepts. It does not keep the store alive. After the store has been released,
/// a dispatch does nothing. In a scope, it transforms actions as the scope does.
public struct Dispatcher: ActionDispatching {
  private let tag: any ActionTransform

  /// Creates a dispatcher for a store, without keeping the store alive.
  public init<State>(_ store: Store<State>) {
    tag = Untagged(core: store.view.core)
  }

  /// Creates a dispatcher for a scope.
  public init<State>(_ scope: ScopedStore<State>) {
    tag = scope.tag
  }

  /// Dispatches one action of any kind.
  public func send<A: Action>(_ action: A, from site: CallSite) -> DispatchTask {
    tag.send(action, from: site)
  }

  /// Dispatches an array of actions of one type as one commit.
  public func send<A: Action>(array actions: [A], from site: CallSite) -> DispatchTask {
    tag.send(array: actions, from: site)
  }

  /// Starts pulling a sequence of actions.
  public func send<S: AsyncSequence & Sendable>(
    sequence: S, from site: CallSite
  ) -> DispatchTask where S.Element: Action {
    tag.send(AsyncActions(sequence), from: site)
  }

  /// Starts pulling a sequence of actions of different types.
  public func send<S: AsyncSequence & Sendable>(
    mixedSequence: S, from site: CallSite
  ) -> DispatchTask where S.Element == any Action {
    tag.send(AsyncActions(mixedSequence), from: site)
  }
}

extension Dispatcher {
  /// Dispatches one action.
  @discardableResult
  public func callAsFunction<A: Action>(
    _ action: A,
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> DispatchTask {
    dispatch(action, fileID: fileID, function: function, line: line)
  }

  /// Dispatches an action whose type is known at run time only.
  @_disfavoredOverload
  @discardableResult
  public func callAsFunction(
    _ action: any Action,
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> DispatchTask {
    dispatch(action, fileID: fileID, function: function, line: line)
  }

  /// Dispatches an array of actions of one type, in order, as one commit.
  @discardableResult
  public func callAsFunction<A: Action>(
    _ actions: [A],
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> DispatchTask {
    dispatch(actions, fileID: fileID, function: function, line: line)
  }

  /// Dispatches an array of actions of different types, in order, as one commit up to its first
  /// asynchronous member.
  @discardableResult
  public func callAsFunction(
    _ actions: [any Action],
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> DispatchTask {
    dispatch(actions, fileID: fileID, function: function, line: line)
  }

  /// Dispatches each element of an asynchronous sequence as it arrives.
  @discardableResult
  public func callAsFunction<S: AsyncSequence & Sendable>(
    _ actions: S,
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> DispatchTask where S.Element: Action {
    dispatch(actions, fileID: fileID, function: function, line: line)
  }

  /// Dispatches each element of an asynchronous sequence of different action types as it arrives.
  @discardableResult
  public func callAsFunction<S: AsyncSequence & Sendable>(
    _ actions: S,
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> DispatchTask where S.Element == any Action {
    dispatch(actions, fileID: fileID, function: function, line: line)
  }
}

extension Dispatcher {
  /// Returns the command that dispatches an action; commands of equal actions are equal.
  public func command<A: Action & Hashable>(
    _ action: A,
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> Command {
    Command(action) {
      dispatch(action, fileID: fileID, function: function, line: line)
    }
  }

  /// Returns a command that dispatches the action made from its input.
  ///
  /// Use it for a field, a slider or a picker. The command is compared by `id`.
  public func command<ID: Hashable & Sendable, Input, A: Action>(
    _ id: ID, _ make: @escaping @Sendable (Input) -> A,
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> CommandWith<Input> {
    CommandWith(id) { input in
      dispatch(make(input), fileID: fileID, function: function, line: line)
    }
  }
}
