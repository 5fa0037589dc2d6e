/// What a store installs: an effect, or a service.
///
/// `install(_:)` takes both by this one protocol, so that a misspelled key path in them is reported by its name.
///
/// Not for you to conform to.
public protocol Installable<InstalledState>: Sendable {
  /// The state that it is for.
  associatedtype InstalledState: Sendable

  /// The service that it is, of one effect or of several.
  var asService: Service<InstalledState> { get }
}

extension Effect: Installable {
  /// A service of this effect, under its name.
  public var asService: Service<State> { Service(name: name, effects: [self], life: nil) }
}

extension Service: Installable {
  /// The service itself.
  public var asService: Service { self }
}

extension Store {
  /// Installs an effect, or a service: all its effects in one step.
  ///
  /// It traps for an effect of a list of actions, or of a class, which no action ever reaches. Between the
  /// braces of a store such an effect is a `RegistrationError`.
  ///
  /// - Returns: The subscription that keeps it installed. Releasing or cancelling it removes the effects and
  ///   cancels their runs and queues; `retire()` lets them begin nothing more.
  public func install(_ installable: some Installable<State>) -> StoreSubscription {
    let service = installable.asService
    service.requireFaultless()
    let presence = service.life?.makePresence(in: view)
    let subscription = view.install(view.attachment(of: service, presence))
    presence?.didInstall()
    return subscription
  }
}

extension Effect {
  /// The faults that keep the effect out of every store: action types by which nothing is routed.
  var faults: [FoundFault] {
    plan.actionTypes.compactMap { type in
      switch Routability(of: type) {
      case .routed: nil
      case .list: FoundFault(.listEffect(effect: name, action: "\(type)"))
      case .object: FoundFault(.classEffect(effect: name, action: "\(type)"))
      }
    }
  }
}

extension StoreView {
  func install(_ attachment: Attachment) -> StoreSubscription {
    guard let id = core.attach(attachment) else { return StoreSubscription {} }
    return StoreSubscription(
      end: { [core] in core.detach(id) }, retire: { [core] in core.retire(id) })
  }

  func attachment(of service: Service<State>, _ presence: (any ServicePresence)?) -> Attachment {
    let runners = service.effects.map {
      $0.plan.makeRunner($0.name, $0.policy, $0.options, in: self)
    }
    return Attachment(
      listeners: runners.flatMap { $0.listeners } + (presence?.listeners ?? []),
      works: { runners.flatMap { $0.works } },
      effects: { runners.map { $0.wiring } },
      flush: { for runner in runners { runner.flush() } },
      retire: {
        presence?.retire()
        for runner in runners { WorkNode.drop(runner.close(retiring: true)) }
      },
      close: { runners.flatMap { $0.close(retiring: false) } }, onRemove: { presence?.leave() })
  }
}

extension Effect: InstalledPart {
  var title: String { "the effect \(name)" }

  var actionTypes: [any Action.Type] { plan.actionTypes }

  var needs: [GivenNeed] {
    plan.needs.filter { need in !plan.givers.contains { $0.gives(need.type) } }.map { need in
      var need = need
      need.asker = .named("the effect \(name)")
      return need
    }
  }

  func mayAsk(for type: any Any.Type) -> Bool { !plan.givers.contains { $0.gives(type) } }

  /// The nearest giver of a type is the first that comes.
  func given(by giver: Giver) -> Effect {
    mayAsk(for: giver.type) ? with { $0.plan.givers.append(giver) } : self
  }

  func given(by giver: Giver) -> any InstalledPart<State> {
    let given: Effect = given(by: giver)
    return given
  }

  func install(in view: StoreView<State>, of identities: [UInt64]) -> Installed? {
    asService.install(in: view, of: identities)
  }

  func lifted<Root: Sendable>(by optic: Optic<Root, State>) -> any InstalledPart<Root> {
    let lifted: Effect<Root> = lifted(by: optic)
    return lifted
  }
}

extension Service: InstalledPart {
  var title: String { "the service \(name)" }

  var faults: [FoundFault] { effects.flatMap { $0.faults } }

  /// Traps when one of its effects could never run, or asks for a value that nothing gives.
  func requireFaultless() {
    let faults = faults + needs.map { FoundFault(RegistrationError.Fault($0)) }
    if faults.isEmpty { return }
    fatalError("Lensed: \(faults.map { $0.description }.joined(separator: " "))")
  }

  var actionTypes: [any Action.Type] { effects.flatMap { $0.actionTypes } }

  var needs: [GivenNeed] { effects.flatMap { $0.needs } }

  // What is called when it comes has a scope, which might ask.
  func mayAsk(for type: any Any.Type) -> Bool {
    life != nil || effects.contains { $0.mayAsk(for: type) }
  }

  func given(by giver: Giver) -> any InstalledPart<State> {
    Service(name: name, effects: effects.map { $0.given(by: giver) }, life: life)
  }

  // The store removes it with the last of these owners, or when it is released.
  func install(in view: StoreView<State>, of identities: [UInt64]) -> Installed? {
    guard let epochs = view.core.epochs(of: identities) else { return nil }
    let presence = life?.makePresence(in: view)
    var attachment = view.attachment(of: self, presence)
    attachment.epochs = epochs
    guard view.core.attach(attachment) != nil, let presence else { return nil }
    return { presence.didInstall() }
  }

  func lifted<Root: Sendable>(by optic: Optic<Root, State>) -> any InstalledPart<Root> {
    let lifted: Service<Root> = lifted(by: optic)
    return lifted
  }
}

extension StorePart {
  /// An effect that stays installed as long as its store lives, or in a feature as long as the feature does.
  public init(_ effect: Effect<State>) {
    self.init(installed: effect)
  }

  /// A service that stays installed as long as its store lives, or in a feature as long as the feature does.
  public init(_ service: Service<State>) {
    self.init(installed: service)
  }
}

extension Effect: StorePartConvertible {
  /// The part that installs the effect; not for you to call.
  public var storeParts: StoreParts<State> { StoreParts([StorePart(self)]) }
}

extension Service: StorePartConvertible {
  /// The part that installs the service; not for you to call.
  public var storeParts: StoreParts<State> { StoreParts([StorePart(self)]) }
}
