extension Service {
  /// A feature's service inside an app: the same, for a state of which the feature's is one part.
  public func lifted<Root: Sendable>(_ lens: Lens<Root, State>) -> Service<Root> {
    Service<Root>(
      name: name, effects: effects.map { $0.lifted(lens) },
      onInstall: { [onInstall] store in
        onInstall(
          ScopedStore<State>(view: store.view.appending(PartPath(lens)), sender: store.sender))
      },
      onRemove: onRemove)
  }

  /// This service for an app with one wide action enum: each of its effects, and what it dispatches
  /// when it is installed.
  public func lifted<Wide: Action, Narrow: Action>(action prism: Prism<Wide, Narrow>) -> Service {
    Service(
      name: name, effects: effects.map { $0.lifted(action: prism) },
      onInstall: { [onInstall] store in
        onInstall(
          ScopedStore(view: store.view, sender: store.sender.embedding(prism)))
      },
      onRemove: onRemove)
  }

  /// This service for one of several instances: it hears `Tagged<Tag, A>` in place of each `A`, and
  /// tags what it dispatches.
  public func tagged<Tag>(_ tag: Tag.Type) -> Service {
    Service(
      name: name, effects: effects.map { $0.tagged(tag) },
      onInstall: { [onInstall] store in
        onInstall(ScopedStore(view: store.view, sender: store.sender.tagged(Tag.self)))
      },
      onRemove: onRemove)
  }
}
