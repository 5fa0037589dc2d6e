/// The way of the actions of a scope, an effect or a presenter to their store, which it does not keep open.
struct ActionSender: Sendable {
  let core: StoreCore
  /// The work that the commits belong to.
  private let parent: Parent
  let transform: (any ActionTransform)?
  /// The child that the actions are for; nil where it is always there.
  private let child: ScopedChild?

  init(
    _ core: StoreCore, under parent: Parent = .root,
    through transform: (any ActionTransform)? = nil,
    to child: ScopedChild? = nil
  ) {
    (self.core, self.parent, self.transform, self.child) = (core, parent, transform, child)
  }

  func send(_ batch: ActionBatch, reading read: (StateAccess) -> Void) -> DispatchTask {
    if let child, !child.isThere(in: core) {
      child.warn(of: batch, in: core)
      return DispatchTask()
    }
    guard let transform else { return core.dispatch(batch, under: parent, reading: read) }
    return transform.send(batch) { core.dispatch($0, under: parent, reading: read) }
  }

  /// The same for one of several instances.
  func tagged<Tag>(_ tag: Tag.Type) -> ActionSender {
    through(Tagging<Tag>(next: transform))
  }

  /// The same for an app with one wide action enum.
  func embedding<Wide: Action, Narrow: Action>(_ prism: Prism<Wide, Narrow>) -> ActionSender {
    through(Embedding(next: transform, prism: prism))
  }

  /// The same for one element of a collection.
  func addressing<ID: Hashable & Sendable>(_ id: ID) -> ActionSender {
    through(Addressing(next: transform, id: id))
  }

  /// The same for a child, in a child that the actions are for already.
  func to(_ inner: ScopedChild) -> ActionSender {
    ActionSender(core, under: parent, through: transform, to: inner.inside(child))
  }

  private func through(_ transform: any ActionTransform) -> ActionSender {
    ActionSender(core, under: parent, through: transform, to: child)
  }
}
