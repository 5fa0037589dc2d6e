internal import Synchronization

/// What a service calls when it comes and goes, with the way to the feature that it was written for.
protocol ServiceLife<Root>: Sendable {
  associatedtype Root: Sendable

  func lifted<Outer: Sendable>(by path: ChildPath<Outer, Root>) -> any ServiceLife<Outer>

  /// The listeners that call it for children that come and go; none where the feature is always there.
  ///
  /// After the retirement it is no longer called for children that come.
  func listeners(in view: StoreView<Root>, until retirement: Retirement) -> [CommitListener]
  /// Called once the effects are installed.
  func didInstall(in view: StoreView<Root>)
  /// Called once the effects are removed.
  func didRemove()
}

/// Whether an installed service begins nothing more.
final class Retirement: Sendable {
  private let isNoted = Atomic(false)

  var hasCome: Bool { isNoted.load(ordering: .acquiring) }

  func note() {
    isNoted.store(true, ordering: .releasing)
  }
}

/// The calls of a service of a feature of type `State`, in a state of type `Root`.
final class PlacedService<Root: Sendable, State: Sendable>: ServiceLife {
  private let path: ChildPath<Root, State>
  private let onInstall: @Sendable (_ store: ScopedStore<State>) -> Void
  private let onRemove: @Sendable () -> Void

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

  func didInstall(in view: StoreView<Root>) {
    guard let lens = path.lens else { return }
    onInstall(
      ScopedStore(
        view: view.appending(PartPath(lens)),
        sender: ActionSender(view.core, through: path.transform([]))))
  }

  func didRemove() {
    if !path.isConditional { onRemove() }
  }

  func listeners(in view: StoreView<Root>, until retirement: Retirement) -> [CommitListener] {
    if !path.isConditional { return [] }
    // The children that are there; used by the delivering thread, one commit at a time.
    let present = Locked<[[AnyID]: (identity: ChildIdentity, end: ChildEnd)]>([:])
    var listener = CommitListener(
      interest: .part(path.container.footprint),
      phase: .afterObservers { [self] report, _, _ in
        if report.isElementwise && path.conditions == 1 && path.depth == 1 { return }
        let known = present.withLock { exchange(&$0, with: [:]) }
        present.withLock {
          [
            next = update(known, by: report, in: view, isRetired: retirement.hasCome)
          ] in $0 = next
        }
      })
    listener.startsAtOnce = true
    return [listener]
  }

  private typealias Present = [[AnyID]: (identity: ChildIdentity, end: ChildEnd)]

  private func update(
    _ known: Present, by report: any CommitReport, in view: StoreView<Root>, isRetired: Bool
  ) -> Present {
    var (rest, next, new): (Present, Present, [(ids: [AnyID], child: State, end: ChildEnd)]) =
      (known, [:], [])
    report.read { root in
      _ = path.forEach(root, []) { ids, place in
        guard let identity = path.identity(root, ids) else { return true }
        if let former = rest[ids], former.identity == identity {
          next[ids] = rest.removeValue(forKey: ids)
        } else if !isRetired {
          let end = ChildEnd()
          next[ids] = (identity, end)
          new.append((ids, place.read(State.self), end))
        }
        return true
      }
    }
    for gone in rest.values {
      gone.end.note()
      onRemove()
    }
    for (ids, child, end) in new {
      let home = EffectHome(path, ids, child, end, in: view)
      onInstall(
        ScopedStore(
          view: home.view, sender: ActionSender(view.core, through: home.transform)))
    }
    return next
  }
}
