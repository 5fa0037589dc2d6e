extension Effect {
  /// A feature's effect inside an app: the same, for a state of which the feature's is one part.
  public func lifted<Root: Sendable>(_ lens: Lens<Root, State>) -> Effect<Root> {
    let lift: @Sendable (@escaping Run) -> Effect<Root>.Run = { run in
      { context in try await run(context.focused(on: lens)) }
    }
    let trigger: Effect<Root>.Trigger =
      switch trigger {
      case .action(let type, let needsPrevious, let begin):
        .action(type, needsPrevious: needsPrevious) { action, change in
          begin(action, Boxed(change.value.focused(on: lens))).map(lift)
        }
      case .value(let sight, let makeWatch):
        .value(sight.lifted(lens)) { initial in
          let watch = makeWatch(lens.get(initial))
          return { change, isMuted in
            watch(Boxed(change.value.focused(on: lens)), isMuted).map(lift)
          }
        }
      }
    var lifted = Effect<Root>(name: name, policy, trigger, catch: nil)
    if let handler {
      lifted.handler = { error, context in await handler(error, context.focused(on: lens)) }
    }
    lifted.ties = ties.map { tie in
      Effect<Root>.Tie(sight: tie.sight.lifted(lens)) { tie.isAlive(lens.get($0)) }
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
    guard case .action(let type, let needsPrevious, let begin) = lifted.trigger,
      type == Narrow.self
    else { return lifted }
    return lifted.triggered(
      by: .action(Wide.self, needsPrevious: needsPrevious) { action, change in
        (action as? Wide).flatMap(prism.extract).flatMap { begin($0, change) }
      })
  }

  /// This effect for one of several instances: triggered by `Tagged<Tag, A>` in place of `A`, and
  /// tagging what it dispatches.
  public func tagged<Tag>(_ tag: Tag.Type) -> Effect {
    var tagged = through { $0.tagged(tag) }
    tagged.cancellers = cancellers.map { $0.tagged(tag) }
    guard case .action(let type, let needsPrevious, let begin) = tagged.trigger else {
      return tagged
    }
    return tagged.triggered(
      by: .action(type.tagged(tag), needsPrevious: needsPrevious) { action, change in
        (action as? any AnyTagged).flatMap { begin($0.untagged, change) }
      })
  }

  /// This effect, with what runs made anew.
  func wrapped(_ wrap: @escaping @Sendable (@escaping Run) -> Run) -> Effect {
    switch trigger {
    case .action(let type, let needsPrevious, let begin):
      triggered(
        by: .action(type, needsPrevious: needsPrevious) { begin($0, $1).map(wrap) })
    case .value(let sight, let makeWatch):
      triggered(
        by: .value(sight) { initial in
          let watch = makeWatch(initial)
          return { watch($0, $1).map(wrap) }
        })
    }
  }

  /// This effect, given another context.
  private func through(
    _ adapt: @escaping @Sendable (EffectContext<State>) -> EffectContext<State>
  ) -> Effect {
    var copy = wrapped { run in { context in try await run(adapt(context)) } }
    if let handler {
      copy.handler = { error, context in await handler(error, adapt(context)) }
    }
    return copy
  }

  private func triggered(by trigger: Trigger) -> Effect {
    var copy = self
    copy.trigger = trigger
    return copy
  }
}
