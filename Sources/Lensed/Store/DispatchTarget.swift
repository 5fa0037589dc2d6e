/// Where the actions of a store, or of a scope, go.
///
/// ```swift
/// store.scope(\.left).dispatchTarget == store.dispatchTarget   // the actions of both go the same way
/// ```
///
/// Two are equal if they are of one store, the actions take the same steps on their way, and they are for the same
/// child; a prism on the way is compared by identity. It dispatches, and does not keep the store alive.
public struct DispatchTarget: ActionDispatching, Equatable {
  private let sender: ActionSender

  init(_ sender: ActionSender) {
    self.sender = sender
  }

  /// Whether the store is there; once it has gone, nothing that is dispatched is applied.
  public var isOpen: Bool { !sender.core.isClosed }

  /// Applies actions of one type.
  public func send(_ batch: ActionBatch, from site: CallSite) -> DispatchTask {
    sender.send(batch, from: site)
  }

  /// Whether actions go the same way from both.
  public static func == (left: DispatchTarget, right: DispatchTarget) -> Bool {
    left.sender.isSame(as: right.sender)
  }
}

extension StateObserving {
  /// Where its actions go; to be compared with that of another scope.
  public var dispatchTarget: DispatchTarget { DispatchTarget(asScope.sender) }
}
