/// What a feature calls when it comes and goes, on any thread and never under a lock.
struct FeatureLife<State: Sendable>: PlacedContent {
  typealias ContentState = State

  let name: String
  let onInstall: (@Sendable (_ store: ScopedStore<State>) -> Void)?
  let onRemove: (@Sendable () -> Void)?

  var title: String { "the feature \(name)" }

  var actionTypes: [any Action.Type] { [] }

  var needs: [GivenNeed] { [] }

  /// `onInstall` has a scope, which might ask.
  var asksFreely: Bool { onInstall != nil }

  func faults(of types: [any Action.Type]) -> [FoundFault] { [] }

  func named(in feature: String) -> FeatureLife {
    FeatureLife(name: "\(feature)/\(name)", onInstall: onInstall, onRemove: onRemove)
  }

  func attachment<Root>(
    of placed: Placed<Root, FeatureLife>, in view: StoreView<Root>, epochs: [OwnershipEpoch]
  ) -> Attachment {
    let presence = FeaturePresence(of: placed, in: view)
    return Attachment(
      listeners: presence.listeners, epochs: epochs, didInstall: { presence.didInstall() },
      retire: { presence.retire() }, onRemove: { presence.leave() })
  }
}

/// Where an installed feature is: in what is always there, or in the children that there are.
///
/// What is always there counts as one child. Only a thread that has taken the children out calls for them. The one that
/// installs takes them to come to what is always there; the one that delivers takes them for a commit. Each puts back
/// those that it is in then, and `leave()` takes them for good.
private final class FeaturePresence<Root: Sendable, State: Sendable>: Sendable {
  private typealias Children = [[AnyID]: ChildIdentity]

  private let life: Placed<Root, FeatureLife<State>>
  private let view: StoreView<Root>
  /// The children that it is in; nil while a thread has them.
  private let guarded = Locked<(children: Children?, isRetired: Bool, hasLeft: Bool)>(
    ([:], false, false))

  init(of life: Placed<Root, FeatureLife<State>>, in view: StoreView<Root>) {
    (self.life, self.view) = (life, view)
  }

  private var path: Optic<Root, State> { life.path }

  /// Those that notify it of children that come and go; none where the feature is always there.
  var listeners: [CommitListener] {
    if path.lens != nil { return [] }
    var listener = CommitListener(
      selection: .part(path.container),
      notify: { [self] report, _, _ in
        update(by: report)
      })
    listener.startsAtOnce = true
    return [listener]
  }

  /// Called once all of the feature is attached.
  func didInstall() {
    guard let lens = path.lens, takeChildren() != nil else { return }
    install(at: EffectHome(path, lens, in: view, givenBy: life.givers))
    putBack([[]: ChildIdentity()])
  }

  /// Comes to no child from now on.
  func retire() -> [WorkNode] {
    guarded.withLock { $0.isRetired = true }
    return []
  }

  /// Leaves all that it has come to, and comes to nothing from now on; what another thread is coming to, that leaves.
  func leave() {
    let children = guarded.withLock { guarded -> Children? in
      guarded.hasLeft = true
      return guarded.children.take()
    }
    for _ in children ?? [:] { life.content.onRemove?() }
  }

  /// Leaves the children that a commit dismissed, and comes to those that it brought.
  private func update(by report: any CommitReport) {
    guard var children = takeChildren() else { return }
    var (gone, new) = (Children(), [(ids: [AnyID], child: State)]())
    func visit(_ root: StateAddress, _ ids: [AnyID]) {
      let identity = path.identity(root, ids)
      if let former = children[ids] {
        // Of two elements with one id it is in the first.
        if identity == former { return }
        gone[ids] = children.removeValue(forKey: ids)
      }
      guard let identity, let child = path.read(root, ids) else { return }
      children[ids] = identity
      new.append((ids, child))
    }
    let touched = path.touchedChildren(of: report)
    report.read { root in touched.ids.forEach { visit(root, $0) } }
    if let all = touched.all {
      for ids in children.keys where !all.contains(ids) {
        gone[ids] = children.removeValue(forKey: ids)
      }
    }
    for _ in gone { life.content.onRemove?() }
    for (ids, child) in new {
      let isWanted = guarded.withLock { !$0.isRetired && !$0.hasLeft }
      guard isWanted, let identity = children[ids] else {
        children[ids] = nil
        continue
      }
      install(at: EffectHome(Boxed(path), ids, identity, child, in: view, givenBy: life.givers))
    }
    putBack(children)
  }

  private func install(at home: EffectHome<State>) {
    life.content.onInstall?(home.scope)
  }

  /// Takes the children out; nil if another thread has them, or it has left.
  private func takeChildren() -> Children? {
    guarded.withLock { $0.hasLeft ? nil : $0.children.take() }
  }

  /// Puts the children back, or leaves them, where it had to leave meanwhile.
  private func putBack(_ children: Children) {
    let hasLeft = guarded.withLock { guarded in
      if !guarded.hasLeft { guarded.children = children }
      return guarded.hasLeft
    }
    if hasLeft { for _ in children { life.content.onRemove?() } }
  }
}
