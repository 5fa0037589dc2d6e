/// The way of the actions of a scope, an effect or a presenter to their store, which it does not keep open.
@usableFromInline
struct ActionSender: Sendable {
  let core: StoreCore
  /// The work that the commits belong to.
  private let parent: Parent
  private let transform: (any ActionTransform)?

  init(
    _ core: StoreCore, under parent: Parent = .root, through transform: (any ActionTransform)? = nil
  ) {
    (self.core, self.parent, self.transform) = (core, parent, transform)
  }

  @usableFromInline
  func send(_ batch: ActionBatch, reading read: (StateAccess) -> Void) -> DispatchTask {
    guard let transform else { return core.dispatch(batch, under: parent, reading: read) }
    return transform.send(batch) { core.dispatch($0, under: parent, reading: read) }
  }

  /// A dispatched action as the feature knows it.
  func untagged(_ action: any Action) -> any Action {
    transform?.untagged(action) ?? action
  }

  /// The same for one of several instances.
  func tagged<Tag>(_ tag: Tag.Type) -> ActionSender {
    ActionSender(core, under: parent, through: Tagging<Tag>(next: transform))
  }

  /// The same for an app with one wide action enum.
  func embedding<Wide: Action, Narrow: Action>(_ prism: Prism<Wide, Narrow>) -> ActionSender {
    ActionSender(core, under: parent, through: Embedding(next: transform, prism: prism))
  }
}
