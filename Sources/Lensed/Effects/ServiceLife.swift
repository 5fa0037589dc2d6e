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
    if let lens = path.lens { return SolePresence(of: self, through: lens, in: view) }
    return ChildrenPresence(of: self, in: view)
  }
}

/// The presence of a service in a feature that is always there.
private final class SolePresence<Root: Sendable, State: Sendable>: ServicePresence {
  /// It is `coming` while `onInstall` runs, and `leaving` once it has to leave after that.
  private enum Phase { case new, coming, here, leaving, gone }

  private let service: PlacedService<Root, State>
  private let store: ScopedStore<State>
  private let phase = Locked(Phase.new)

  init(
    of service: PlacedService<Root, State>, through lens: Lens<Root, State>,
    in view: StoreView<Root>
  ) {
    self.service = service
    store = ScopedStore(
      view: view.appending(PartPath(lens)),
      sender: ActionSender(view.core, through: service.path.transform([])))
  }

  var listeners: [CommitListener] { [] }

  func didInstall() {
    let comes = phase.withLock { phase in
      if phase != .new { return false }
      phase = .coming
      return true
    }
    if !comes { return }
    service.onInstall(store)
    let leaves = phase.withLock { phase in
      phase = phase == .leaving ? .gone : .here
      return phase == .gone
    }
    if leaves { service.onRemove() }
  }

  func retire() {}

  func leave() {
    let leaves = phase.withLock { phase in
      let isHere = phase == .here
      phase = phase == .coming || phase == .leaving ? .leaving : .gone
      return isHere
    }
    if leaves { service.onRemove() }
  }
}

/// The presence of a service in children.
///
/// Only a thread that has taken the children out calls for them. The one that delivers takes them for a commit, and
/// puts back those that it is in then; `leave()` takes them for good.
private final class ChildrenPresence<Root: Sendable, State: Sendable>: ServicePresence {
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
    var listener = CommitListener(
      selection: .part(path.container),
      notify: { [self] report, _, _ in
        if report.isElementwise && path.conditions == 1 && path.depth == 1 { return }
        update(by: report)
      })
    listener.startsAtOnce = true
    return [listener]
  }

  func didInstall() {}

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
    guard let known = guarded.withLock({ $0.hasLeft ? nil : $0.children.take() }) else { return }
    var (present, new) = (Children(), [(ids: [AnyID], identity: ChildIdentity, child: State)]())
    var gone = known
    report.read { root in
      _ = path.forEach(root, []) { ids, place in
        guard let identity = path.identity(root, ids) else { return true }
        if let former = gone[ids], former.identity == identity {
          present[ids] = gone.removeValue(forKey: ids)
        } else {
          new.append((ids, identity, place.read(State.self)))
        }
        return true
      }
    }
    for child in gone.values {
      child.end.set()
      service.onRemove()
    }
    for (ids, identity, child) in new where guarded.withLock({ !$0.isRetired && !$0.hasLeft }) {
      let end = SharedFlag()
      present[ids] = (identity, end)
      let home = EffectHome(path, ids, child, end, in: view)
      service.onInstall(
        ScopedStore(view: home.view, sender: ActionSender(view.core, through: home.transform)))
    }
    putBack(present)
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
