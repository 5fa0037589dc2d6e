internal import Synchronization

/// Where the runs of an effect are at home: the state of their feature, and the way of its actions.
///
/// Made once for an installed effect, or for a child while something of the effect is under way there.
final class EffectHome<State: Sendable>: Sendable {
  let view: StoreView<State>
  let transform: (any ActionTransform)?
  /// The steps of the actions of the feature, and the ids of the child in the collections on the way.
  let steps: [any ActionStep]
  let ids: [AnyID]
  /// Makes the change of a commit; nil where the feature is the whole state.
  private let makeChange: (@Sendable (any CommitReport, PartPath<State>) -> Change<State>)?

  init(
    _ view: StoreView<State>, transform: (any ActionTransform)? = nil,
    steps: [any ActionStep] = [], ids: [AnyID] = [],
    makeChange: (@Sendable (any CommitReport, PartPath<State>) -> Change<State>)? = nil
  ) {
    (self.view, self.transform, self.makeChange) = (view, transform, makeChange)
    (self.steps, self.ids) = (steps, ids)
  }

  /// A commit, as the feature sees it; made anew each time, because few effects read it.
  func change(of report: any CommitReport) -> Change<State> {
    var change = makeChange?(report, view.part) ?? report.change(of: view.part)
    change.translator = transform
    return change
  }
}

extension EffectHome {
  /// The home of a feature that is always there.
  convenience init<Root: Sendable>(
    _ path: ChildPath<Root, State>, _ lens: Lens<Root, State>, in view: StoreView<Root>
  ) {
    let part = PartPath(lens)
    var makeChange: (@Sendable (any CommitReport, PartPath<State>) -> Change<State>)?
    if !part.isWhole || Root.self != State.self {
      makeChange = { report, part in
        report.change(of: part) { root in lens.lendReadOnly(root) { $0.read(State.self) } }
      }
    }
    self.init(
      view.appending(part), transform: path.transform([]), steps: path.steps,
      makeChange: makeChange)
  }

  /// The home of a child, which was `initial` when it was found; `end` tells when it has gone.
  convenience init<Root: Sendable>(
    _ path: ChildPath<Root, State>, _ ids: [AnyID], _ initial: State, _ end: ChildEnd,
    in view: StoreView<Root>
  ) {
    // Not empty: its part must not be taken for what it lies in.
    let name = [LensLabel.elements(ids)]
    let part = PartPath<State>(
      .computed { root in end.hasCome ? initial : path.read(root, ids) ?? initial },
      labels: InlineList(path.container.labels + name))
    self.init(
      StoreView<State>(view.core, part, view.memory), transform: path.transform(ids),
      steps: path.steps, ids: ids
    ) { report, part in
      report.change(of: part) { path.read($0, ids) ?? initial }
    }
  }
}

/// Whether a child has gone; noted under the lock of the store.
final class ChildEnd: Sendable {
  private let isSet = Atomic(false)

  var hasCome: Bool { isSet.load(ordering: .acquiring) }

  func set() {
    isSet.store(true, ordering: .releasing)
  }
}

extension CommitReport {
  /// The commit for a reader of a part that `read` finds.
  func change<Seen: Sendable>(
    of part: PartPath<Seen>, _ read: (_ root: StateAddress) -> Seen
  ) -> Change<Seen> {
    var change: Change<Seen>?
    lendStates { state, previous in
      change = Change(
        record, state: Boxed(read(state)), previous: previous.map { Boxed(read($0)) },
        keepsPrevious: previous != nil, part: part)
    }
    return PartPath.lent(change)
  }
}
