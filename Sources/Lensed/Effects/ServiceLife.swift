/// What a service calls when it comes and goes, with the way to the feature that it was written for.
protocol ServiceLife<Root>: Sendable {
  associatedtype Root: Sendable

  func lifted<Outer: Sendable>(by path: ChildPath<Outer, Root>) -> any ServiceLife<Outer>

  /// Makes the presence of one installation.
  func makePresence(in view: StoreView<Root>) -> any ServicePresence
}

/// Where an installed service is: in the feature that is always there, or in the children that there are.
///
/// It calls `onInstall` and `onRemove` of the service, on any thread, and never under a lock.
protocol ServicePresence: AnyObject, Sendable {
  /// The listeners that notify it of children that come and go; none where the feature is always there.
  var listeners: [CommitListener] { get }
  /// Called once the effects are installed.
  func didInstall()
  /// Comes to no child from now on.
  func retire()
  /// Leaves all that it has come to, and comes to nothing from now on.
  ///
  /// What another thread is coming to meanwhile, that thread leaves.
  func leave()
}

/// The calls of a service of a feature of type `State`, in a state of type `Root`.
final class PlacedService<Root: Sendable, State: Sendable>: ServiceLife {
  let path: ChildPath<Root, State>
  let onInstall: @Sendable (_ store: ScopedStore<State>) -> Void
  let onRemove: @Sendable () -> Void

  init(
    path: ChildPath<Root, State>,
    onInstall: @escaping @Sendable (_ store: ScopedStore<State>) -> Void,
    onRemove: @escaping @Sendable () -> Void
  ) {
    (self.path, self.onInstall, self.onRemove) = (path, onInstall, onRemove)
  }

  func lifted<Outer: Sendable>(by outer: ChildPath<Outer, Root>) -> any ServiceLife<Outer> {
    PlacedService<Outer, State>(
      path: outer.appending(path), onInstall: onInstall, onRemove: onRemove)
  }

  func makePresence(in view: StoreView<Root>) -> any ServicePresence {
    PlacedPresence(of: self, in: view)
  }
}

/// The presence of a service in the children that there are; what is always there counts as one child.
///
/// Only a thread that has taken the children out calls for them. The one that installs takes them to come to what is
/// always there; the one that delivers takes them for a commit. Each puts back those that it is in then, and
/// `leave()` takes them for good.
private final class PlacedPresence<Root: Sendable, State: Sendable>: ServicePresence {
  private typealias Children = [[AnyID]: (identity: ChildIdentity, end: SharedFlag)]

  private struct Guarded: Sendable {
    /// The children that it is in; nil while a thread has them.
    var children: Children? = [:]
    var isRetired = false
    var hasLeft = false
  }

  private let service: PlacedService<Root, State>
  private let view: StoreView<Root>
  private let guarded = Locked(Guarded())

  init(of service: PlacedService<Root, State>, in view: StoreView<Root>) {
    (self.service, self.view) = (service, view)
  }

  private var path: ChildPath<Root, State> { service.path }

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

  func didInstall() {
    guard let lens = path.lens, takeChildren() != nil else { return }
    install(at: EffectHome(path, lens, in: view))
    putBack([[]: (ChildIdentity(), SharedFlag())])
  }

  func retire() {
    guarded.withLock { $0.isRetired = true }
  }

  func leave() {
    let children = guarded.withLock { guarded -> Children? in
      guarded.hasLeft = true
      return guarded.children.take()
    }
    for _ in children ?? [:] { service.onRemove() }
  }

  /// Leaves the children that a commit dismissed, and comes to those that it brought.
  private func update(by report: any CommitReport) {
    guard var children = takeChildren() else { return }
    var (gone, new) = (Children(), [(ids: [AnyID], child: State)]())
    func visit(_ root: StateAddress, _ ids: [AnyID]) {
      let identity = path.identity(root, ids)
      if let former = children[ids] {
        // Of two elements with one id it is in the first.
        if identity == former.identity { return }
        gone[ids] = children.removeValue(forKey: ids)
      }
      guard let identity, let child = path.read(root, ids) else { return }
      children[ids] = (identity, SharedFlag())
      new.append((ids, child))
    }
    let named = path.namedChildren(of: report)
    report.read { root in
      if let named, named.allSatisfy({ path.hasElements(root, $0) }) {
        for ids in named { visit(root, ids) }
        return
      }
      var seen: Set<[AnyID]> = []
      _ = path.forEach(root, []) { ids, _ in
        if seen.insert(ids).inserted { visit(root, ids) }
        return true
      }
      for ids in children.keys where !seen.contains(ids) {
        gone[ids] = children.removeValue(forKey: ids)
      }
    }
    for child in gone.values {
      child.end.set()
      service.onRemove()
    }
    for (ids, child) in new {
      let isWanted = guarded.withLock { !$0.isRetired && !$0.hasLeft }
      guard isWanted, let end = children[ids]?.end else {
        children[ids] = nil
        continue
      }
      install(at: EffectHome(path, ids, child, end, in: view))
    }
    putBack(children)
  }

  private func install(at home: EffectHome<State>) {
    service.onInstall(
      ScopedStore(view: home.view, sender: ActionSender(view.core, through: home.transform)))
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
    if hasLeft { for _ in children { service.onRemove() } }
  }
}
