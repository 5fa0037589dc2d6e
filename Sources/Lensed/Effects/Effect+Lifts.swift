extension Effect {
  /// A feature's effect inside an app: the same, for a state of which the feature's is one part.
  public func lifted<Root: Sendable>(_ lens: Lens<Root, State>) -> Effect<Root> {
    let trigger: Effect<Root>.Trigger =
      switch trigger {
      case .action(let type, let needsPrevious, let look):
        .action(
          type, needsPrevious: needsPrevious,
          look.map { look -> Effect<Root>.ActionFilter in
            { action, change in look(action) { change().focused(on: lens) } }
          })
      case .value(let sight, let needsPrevious, let makeWatch):
        .value(sight.lifted(lens), needsPrevious: needsPrevious) { initial in
          let watch = makeWatch(lens.get(initial))
          return { change, ignoresChange in watch({ change().focused(on: lens) }, ignoresChange) }
        }
      }
    var lifted = Effect<Root>(name: name, policy, trigger, catch: nil) { [run] subject, context in
      try await run(subject, context.focused(on: lens))
    }
    if let handler {
      lifted.handler = { error, context in await handler(error, context.focused(on: lens)) }
    }
    lifted.ties = ties.map { tie in
      Effect<Root>.Tie(sight: tie.sight.lifted(lens)) {
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
  /// It is triggered by the case that `prism` finds, and the `Narrow` actions that it dispatches are
  /// embedded. Other actions pass as they are.
  public func lifted<Wide: Action, Narrow: Action>(
    action prism: Prism<Wide, Narrow>
  ) -> Effect {
    var lifted = through { $0.embedding(prism) }
    lifted.cancellers = cancellers.map { $0 == Narrow.self ? Wide.self : $0 }
    guard case .action(let type, let needsPrevious, let look) = lifted.trigger,
      type == Narrow.self
    else { return lifted }
    lifted.trigger = .action(Wide.self, needsPrevious: needsPrevious) { action, change in
      guard let narrow = (action as? Wide).flatMap(prism.extract) else { return nil }
      return look == nil ? narrow : look?(narrow, change)
    }
    return lifted
  }

  /// This effect for one of several instances: triggered by `Tagged<Tag, A>` in place of `A`, and
  /// tagging what it dispatches.
  public func tagged<Tag>(_ tag: Tag.Type) -> Effect {
    var tagged = through { $0.tagged(tag) }
    tagged.cancellers = cancellers.map { $0.tagged(tag) }
    guard case .action(let type, let needsPrevious, let look) = tagged.trigger else {
      return tagged
    }
    tagged.trigger = .action(type.tagged(tag), needsPrevious: needsPrevious) { action, change in
      guard let untagged = (action as? any AnyTagged)?.untagged else { return nil }
      return look == nil ? untagged : look?(untagged, change)
    }
    return tagged
  }

  /// This effect, with what runs made anew.
  func wrapped(_ wrap: (@escaping Run) -> Run) -> Effect {
    var copy = self
    copy.run = wrap(run)
    return copy
  }

  /// This effect, given another context.
  private func through(
    _ adapt: @escaping @Sendable (EffectContext<State>) -> EffectContext<State>
  ) -> Effect {
    var copy = wrapped { run in
      { subject, context in try await run(subject, adapt(context)) }
    }
    if let handler {
      copy.handler = { error, context in await handler(error, adapt(context)) }
    }
    return copy
  }
}
