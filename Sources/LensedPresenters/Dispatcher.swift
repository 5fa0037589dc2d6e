public import Lensed

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
  private let target: DispatchTarget

  /// Dispatches to a store, or to a scope, and does not keep the store alive.
  public init(_ store: some StateObserving) {
    target = store.dispatchTarget
  }

  /// Applies actions of one type.
  public func send(_ batch: ActionBatch, from site: CallSite) -> DispatchTask {
    target.send(batch, from: site)
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
  @_disfavoredOverload
  @discardableResult
  public func callAsFunction(
    _ actions: [any Action]?,
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> DispatchTask {
    dispatch(actions, fileID: fileID, function: function, line: line)
  }

  /// Dispatches each element of an asynchronous sequence as it arrives.
  @_disfavoredOverload
  @discardableResult
  public func callAsFunction<S: AsyncSequence & Sendable>(
    _ actions: S,
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> DispatchTask where S.Element: Action {
    dispatch(actions, fileID: fileID, function: function, line: line)
  }

  /// Dispatches each element of an asynchronous sequence of different action types as it arrives.
  @_disfavoredOverload
  @discardableResult
  public func callAsFunction<S: AsyncSequence & Sendable>(
    _ actions: S,
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> DispatchTask where S.Element == any Action {
    dispatch(actions, fileID: fileID, function: function, line: line)
  }

  /// Not available: the array has elements that are no actions.
  @available(*, unavailable, message: "the array has elements that do not conform to 'Action'")
  @discardableResult
  public func callAsFunction<Element>(
    _ actions: [Element],
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> DispatchTask {
    fatalError(
      "LensedPresenters: an array of \(Element.self) was dispatched; this is a fault of LensedPresenters."
    )
  }
}

extension Dispatcher {
  /// Returns the command that dispatches an action; commands of equal actions to the same store or scope are equal.
  ///
  /// So one view can show the props of several stores, scopes or rows by turns. Scopes are the same if they are of
  /// one store, and their actions take the same way; a prism on it is compared by identity.
  public func command<A: Action & Hashable>(
    _ action: A,
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> Command {
    Command(SentID(id: CommandID(action), target: target)) {
      dispatch(action, fileID: fileID, function: function, line: line)
    }
  }

  /// Returns a command that dispatches the action made from its input.
  ///
  /// Use it for a field, a slider or a picker. The command is compared by `id`, and by where it dispatches to.
  public func command<ID: Hashable & Sendable, Input, A: Action>(
    _ id: ID, _ make: @escaping @Sendable (Input) -> A,
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> CommandWith<Input> {
    CommandWith(SentID(id: CommandID(id), target: target)) { input in
      dispatch(make(input), fileID: fileID, function: function, line: line)
    }
  }
}

/// The id of a command, and where it dispatches to.
private struct SentID: Hashable, Sendable, CustomStringConvertible {
  let id: CommandID
  let target: DispatchTarget

  var description: String { id.description }

  static func == (left: SentID, right: SentID) -> Bool {
    left.id == right.id && left.target == right.target
  }

  func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
