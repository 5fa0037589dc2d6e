extension Effect {
  /// This effect for a larger state, of which the feature's state is one part.
  public func lifted<Root: Sendable>(_ lens: Lens<Root, State>) -> Effect<Root> {
    let trigger: Effect<Root>.Trigger =
      switch trigger {
      case .action(let type, let needsPrevious, let filter):
        .action(
          type, needsPrevious: needsPrevious,
          filter.map { filter -> Effect<Root>.ActionFilter in
            { action, change in filter(action) { change().focused(on: lens) } }
          })
      case .value(let path, let needsPrevious, let makeWatch):
        .value(path.lifted(lens), needsPrevious: needsPrevious) { initial in
          let watch = makeWatch(lens.get(initial))
          return { change, ignoresChange in watch({ change().focused(on: lens) }, ignoresChange) }
        }
      }
    var lifted = Effect<Root>(name: name, policy, trigger, catch: nil) { [run] input, context in
      try await run(input, context.focused(on: lens))
    }
    if let handler {
      lifted.handler = { error, context in await handler(error, context.focused(on: lens)) }
    }
    lifted.ties = ties.map { tie in
      Effect<Root>.Tie(path: tie.path.lifted(lens)) {
        let watch = tie.makeWatch()
        return { watch(lens.get($0)) }
      }
    }
    lifted.cancellers = cancellers
    lifted.pause = pause
    lifted.throttle = throttle
    return lifted
  }

  /// This effect for an app with one wide action enum.
  ///
  /// It is triggered by the actions that `prism` matches, and the `Narrow` actions that it dispatches are
  /// embedded. Other actions pass unchanged.
  public func lifted<Wide: Action, Narrow: Action>(
    action prism: Prism<Wide, Narrow>
  ) -> Effect {
    var lifted = through { $0.embedding(prism) }
    lifted.cancellers = cancellers.map { $0 == Narrow.self ? Wide.self : $0 }
    guard case .action(let type, let needsPrevious, let filter) = lifted.trigger,
      type == Narrow.self
    else { return lifted }
    lifted.trigger = .action(Wide.self, needsPrevious: needsPrevious) { action, change in
      guard let narrow = (action as? Wide).flatMap(prism.extract) else { return nil }
      return filter == nil ? narrow : filter?(narrow, change)
    }
    return lifted
  }

  /// This effect for one of several instances: `Tagged<Tag, A>` triggers it in place of `A`, and the
  /// actions that it dispatches are tagged.
  public func tagged<Tag>(_ tag: Tag.Type) -> Effect {
    var tagged = through { $0.tagged(tag) }
    tagged.cancellers = cancellers.map { $0.tagged(tag) }
    guard case .action(let type, let needsPrevious, let filter) = tagged.trigger else {
      return tagged
    }
    tagged.trigger = .action(type.tagged(tag), needsPrevious: needsPrevious) { action, change in
      guard let untagged = (action as? any AnyTagged)?.untagged else { return nil }
      return filter == nil ? untagged : filter?(untagged, change)
    }
    return tagged
  }

  /// This effect with its work wrapped.
  func wrapped(_ wrap: (@escaping Run) -> Run) -> Effect {
    var copy = self
    copy.run = wrap(run)
    return copy
  }

  /// This effect with its context adapted.
  private func through(
    _ adapt: @escaping @Sendable (EffectContext<State>) -> EffectContext<State>
  ) -> Effect {
    var copy = wrapped { run in
      { input, context in try await run(input, adapt(context)) }
    }
    if let handler {
      copy.handler = { error, context in await handler(error, adapt(context)) }
    }
    return copy
  }
}
