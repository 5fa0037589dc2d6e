/// Where the runs of an effect are at home: the state of their feature, and the way of its actions.
///
/// Made once for an installed effect, or for a child while something of the effect is under way there.
final class EffectHome<State: Sendable>: Sendable {
  let view: StoreView<State>
  let transform: ActionTransform?
  /// The steps of the actions of the feature, and the ids of the child in the collections on the way.
  let steps: [any ActionStep]
  let ids: [AnyID]
  /// Reads the feature in the state that a commit left; nil where it is the whole state.
  private let read: (@Sendable (_ root: StateAddress) -> State)?
  /// Set when the child goes; nil where the feature is always there.
  private let end: SharedFlag?
  /// What the feature is given, in terms of the state of the store.
  private let givers: [Giver]

  private init(
    _ view: StoreView<State>, _ transform: ActionTransform?, _ steps: [any ActionStep],
    _ ids: [AnyID], _ end: SharedFlag?, givenBy givers: [Giver],
    _ read: (@Sendable (_ root: StateAddress) -> State)?
  ) {
    (self.view, self.transform, self.steps, self.ids) = (view, transform, steps, ids)
    (self.end, self.read, self.givers) = (end, read, givers)
  }

  /// What a run sees that a commit triggered: once the child has gone, the child as that commit left it.
  func view(after report: any CommitReport) -> StoreView<State> {
    guard let end, let read else { return view }
    var part = PartPath<State>(way: view.part.way) { [part = view.part] root in
      end.isSet ? report.read(read) : part.read(root)
    }
    if !givers.isEmpty {
      let givers = givers.map { giver in
        giver.moved(footprint: giver.footprint, offset: nil, depth: 0) { [ids] root, _, body in
          if !end.isSet, giver.lend(root, ids[...], body) { return true }
          return report.read { giver.lend($0, ids[...], body) }
        }
      }
      part.givers = PartGivers(givers, ids: [])
    }
    return StoreView<State>(view.core, part, view.memory)
  }

  /// The value of a type that the feature is given now; nil where nothing gives one.
  ///
  /// Once the child has gone, it is the value as the commit left it.
  func given(_ type: any Any.Type, after report: any CommitReport) -> ValueBox? {
    given(type) ?? values(in: report).value(of: type)
  }

  /// The value of a type that the feature is given now; nil where nothing gives one, or the child has gone.
  func given(_ type: any Any.Type) -> ValueBox? {
    guard let giver = givers.first(where: { $0.gives(type) }), end?.isSet != true else {
      return nil
    }
    return view.core.withState(of: view.memory) { giver.read($0, ids[...]) }
  }

  /// What the feature is given, as a commit left it; read when it is asked for.
  private func values(in report: any CommitReport) -> GivenValues {
    GivenValues { [givers, ids] type in
      givers.first { $0.gives(type) }.flatMap { giver in
        report.read { giver.read($0, ids[...]) }
      }
    }
  }

  /// A commit, as the feature sees it; made anew each time, because few effects read it.
  func change(of report: any CommitReport) -> Change<State> {
    let seen = ChangeView(view.part, in: transform)
    var change = read.map { report.change(in: seen, $0) } ?? report.change(in: seen)
    if !givers.isEmpty { change.given = values(in: report) }
    return change
  }
}

extension EffectHome {
  /// The home of a feature that is always there.
  convenience init<Root: Sendable>(
    _ path: Optic<Root, State>, _ lens: Lens<Root, State>, in view: StoreView<Root>,
    givenBy givers: [Giver] = []
  ) {
    let part = PartPath(lens)
    var own = view.part.appending(part)
    if !givers.isEmpty { own.givers = PartGivers(givers, ids: []) }
    let isRoot = part.isWhole && Root.self == State.self
    let read: (@Sendable (StateAddress) -> State)? = if isRoot { nil } else { { part.read($0) } }
    self.init(
      StoreView<State>(view.core, own, view.memory), path.transform([]), path.steps, [], nil,
      givenBy: givers, read)
  }

  /// The home of a child, which was `initial` when it was found; `end` is set when it goes.
  convenience init<Root: Sendable>(
    _ path: Optic<Root, State>, _ ids: [AnyID], _ initial: State, _ end: SharedFlag,
    in view: StoreView<Root>, givenBy givers: [Giver] = []
  ) {
    // Not empty: its part must not be taken for what it lies in.
    let way = path.container.way.appending(.elements(ids))
    let part = PartPath<State>(way: way) { root in
      end.isSet ? initial : path.read(root, ids) ?? initial
    }
    self.init(
      StoreView<State>(view.core, part, view.memory), path.transform(ids), path.steps, ids, end,
      givenBy: givers
    ) { path.read($0, ids) ?? initial }
  }
}

extension CommitReport {
  /// The commit for a reader of what `read` finds.
  func change<Seen: Sendable>(
    in view: ChangeView<Seen>, _ read: (_ root: StateAddress) -> Seen
  ) -> Change<Seen> {
    var change: Change<Seen>?
    lendStates { state, previous in
      change = Change(
        record, state: read(state), previous: previous.map { Boxed(read($0)) }, in: view)
    }
    return PartPath.lent(change)
  }
}
