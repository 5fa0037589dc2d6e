/// The way of the actions of a scope or an effect to their store, which it does not keep open.
@usableFromInline
struct ActionSender: Sendable {
  let core: StoreCore
  /// The work that the commits belong to.
  private let parent: Parent
  let transform: ActionTransform?
  /// The child that the actions are for; nil where it is always there.
  private let child: ScopedChild?

  init(
    _ core: StoreCore, under parent: Parent = .root,
    through transform: ActionTransform? = nil,
    to child: ScopedChild? = nil
  ) {
    (self.core, self.parent, self.transform) = (core, parent, transform)
    self.child = child?.seen(through: transform)
  }

  /// Whether both send to the same feature of one store, as a part of the same work.
  func isSame(as other: ActionSender) -> Bool {
    core === other.core && parent.node === other.parent.node
      && child?.places == other.child?.places && transform?.steps == other.transform?.steps
  }

  func send(_ batch: ActionBatch, from site: CallSite) -> DispatchTask {
    send(batch, from: site) { core.dispatch($0, from: site, under: parent, to: child) }
  }

  /// The same, and lends the state in the same critical section.
  @usableFromInline
  func send(
    _ batch: ActionBatch, from site: CallSite, reading read: (_ state: StateAddress) -> Void
  ) -> DispatchTask {
    send(batch, from: site) {
      core.commit($0, from: site, under: parent, to: child, isFocused: true, reading: read)
    }
  }

  private func send(
    _ batch: ActionBatch, from site: CallSite, to store: (ActionBatch) -> DispatchTask
  ) -> DispatchTask {
    if child == nil { warnIfEnded(batch, from: site) }
    let task = transform?.send(batch, to: store) ?? store(batch)
    // Another warning says that nothing was applied, because the child is not there.
    if child != nil, task.revision != nil || task.work != nil { warnIfEnded(batch, from: site) }
    return task
  }

  private func warnIfEnded(_ batch: ActionBatch, from site: CallSite) {
    guard let warnings = core.warnings, let work = parent.node, !work.hasOwnCode, !work.isStopped
    else { return }
    var warning = StoreWarning(.endedEffect, action: batch.boxed(), at: site)
    if let name = work.waitLabel.effect { warning.effect = name }
    warnings.report(warning.about(work))
  }

  /// The same, whose actions take the step of a scope on their way, too, if it has one.
  @usableFromInline
  func taking(_ actions: ScopeActions) -> ActionSender {
    actions.step.map { taking($0) } ?? self
  }

  /// The same for a row: its actions have its id before they take the step of the scope.
  @usableFromInline
  func taking<ID: Hashable & Sendable>(_ actions: ScopeActions, for id: ID) -> ActionSender {
    taking(actions).taking(ElementStep(id: id))
  }

  private func taking(_ step: any ActionStep) -> ActionSender {
    let transform = ActionTransform(step, next: transform)
    return ActionSender(core, under: parent, through: transform, to: child)
  }

  /// The same for a child, in a child that the actions are for already.
  @usableFromInline
  func to(_ inner: ScopedChild) -> ActionSender {
    ActionSender(core, under: parent, through: transform, to: inner.inside(child))
  }
}

// MARK: As a target

/// Where the actions of a store, or of a scope, go.
///
/// ```swift
/// // The actions of both go the same way:
/// store.scope(\.left).dispatchTarget == store.dispatchTarget
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
