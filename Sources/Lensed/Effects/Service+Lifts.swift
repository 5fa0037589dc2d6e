extension Service {
  /// This service for a larger state, of which the feature's state is one part.
  public func lifted<Root: Sendable>(_ lens: Lens<Root, State>) -> Service<Root> {
    Service<Root>(
      name: name, effects: effects.map { $0.lifted(lens) },
      onInstall: { [onInstall] store in
        onInstall(
          ScopedStore<State>(view: store.view.appending(PartPath(lens)), sender: store.sender))
      },
      onRemove: onRemove)
  }

  /// This service for an app with one wide action enum: its effects are lifted, and the actions that it
  /// dispatches when it is installed are embedded.
  public func lifted<Wide: Action, Narrow: Action>(action prism: Prism<Wide, Narrow>) -> Service {
    Service(
      name: name, effects: effects.map { $0.lifted(action: prism) },
      onInstall: { [onInstall] store in
        onInstall(
          ScopedStore(view: store.view, sender: store.sender.embedding(prism)))
      },
      onRemove: onRemove)
  }

  /// This service for one of several instances: `Tagged<Tag, A>` triggers its effects in place of `A`, and
  /// the actions that it dispatches are tagged.
  public func tagged<Tag>(_ tag: Tag.Type) -> Service {
    Service(
      name: name, effects: effects.map { $0.tagged(tag) },
      onInstall: { [onInstall] store in
        onInstall(ScopedStore(view: store.view, sender: store.sender.tagged(Tag.self)))
      },
      onRemove: onRemove)
  }
}
