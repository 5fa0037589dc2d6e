extension Store {
  /// Installs an effect.
  ///
  /// It traps for an effect of a list of actions, or of a class, which no action ever reaches. Between the
  /// braces of a store such an effect is a `RegistrationError`.
  ///
  /// - Returns: The subscription that keeps it installed. Releasing or cancelling it removes the effect and
  ///   cancels its runs and its queue.
  public func install(_ effect: Effect<State>) -> StoreSubscription {
    Effect.requireFaultless([effect])
    return view.install([effect])
  }

  /// Installs a service: all its effects in one step.
  ///
  /// - Returns: The subscription that keeps it installed. Releasing or cancelling it removes the service
  ///   and cancels the runs and the queues of its effects.
  public func install(_ service: Service<State>) -> StoreSubscription {
    Effect.requireFaultless(service.effects)
    return view.install(service)
  }
}

extension StoreView {
  func install(_ service: Service<State>) -> StoreSubscription {
    let subscription = install(service.effects, onRemove: service.onRemove)
    service.onInstall(ScopedStore(view: self, sender: ActionSender(core)))
    return subscription
  }

  func install(
    _ effects: [Effect<State>], onRemove: @escaping @Sendable () -> Void = {}
  ) -> StoreSubscription {
    guard let id = core.attach(attachment(of: effects, onRemove: onRemove)) else {
      return StoreSubscription {}
    }
    return StoreSubscription { [core] in core.detach(id) }
  }

  func attachment(
    of effects: [Effect<State>], onRemove: @escaping @Sendable () -> Void = {}
  ) -> Attachment {
    let runners = effects.map { EffectRunner($0, in: self) }
    return Attachment(
      listeners: runners.flatMap(\.listeners), works: { runners.flatMap(\.works) },
      flush: { for runner in runners { runner.flush() } },
      stop: { for runner in runners { runner.close() } },
      onRemove: onRemove)
  }
}

extension StorePart {
  /// An effect that stays installed as long as its store lives.
  public init(_ effect: Effect<State>) {
    self.init(faults: effect.faults) { view in
      // The store removes it when it is released.
      _ = view.core.attach(view.attachment(of: [effect]))
    }
  }

  /// A service that stays installed as long as its store lives.
  public init(_ service: Service<State>) {
    self.init(
      faults: service.effects.flatMap(\.faults),
      install: { view in
        _ = view.core.attach(view.attachment(of: service.effects, onRemove: service.onRemove))
      },
      onInstall: { view in
        service.onInstall(ScopedStore(view: view, sender: ActionSender(view.core)))
      })
  }
}

extension StoreBuilder {
  /// An effect is a part.
  public static func buildExpression(_ effect: Effect<State>) -> [StorePart<State>] {
    [StorePart(effect)]
  }

  /// A service is a part.
  public static func buildExpression(_ service: Service<State>) -> [StorePart<State>] {
    [StorePart(service)]
  }
}
