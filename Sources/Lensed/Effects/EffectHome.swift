/// Where the runs of an effect are at home: the state of their feature, and the way of its actions.
///
/// Made once for an installed effect, or for a child while something of the effect is under way there.
final class EffectHome<State: Sendable>: Sendable {
  let core: StoreCore
  /// The ids of the child in the collections on the way.
  let ids: [AnyID]
  private let place: any EffectPlace<State>
  /// Set when the child goes; nil where the feature is always there.
  private let end: SharedFlag?
  /// What the feature is given, in terms of the state of the store.
  private let givers: [Giver]

  private init(
    _ place: any EffectPlace<State>, in core: StoreCore, _ ids: [AnyID] = [],
    _ end: SharedFlag? = nil, givenBy givers: [Giver]
  ) {
    (self.place, self.core, self.ids, self.end) = (place, core, ids, end)
    self.givers = givers
  }

  var view: StoreView<State> { place.view }
  var transform: ActionTransform? { place.transform }
  /// The steps of the actions of the feature.
  var steps: [any ActionStep] { place.steps }

  /// What a run sees that a commit triggered: once the child has gone, the child as that commit left it.
  func view(after report: any CommitReport) -> StoreView<State> {
    let view = view
    guard let end else { return view }
    var part = PartPath<State>(way: view.part.way) { [part = view.part, place] root in
      end.isSet ? report.read(place.read) : part.read(root)
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
    return core.withState(of: place.memory) { giver.read($0, ids[...]) }
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
    var change =
      place.isWhole ? report.change(in: seen) : report.change(in: seen, place.read)
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
    let place = FixedEffectPlace(
      view: StoreView<State>(view.core, own, view.memory), transform: path.transform([]),
      steps: path.steps, isWhole: part.isWhole && Root.self == State.self, part: part)
    self.init(place, in: view.core, givenBy: givers)
  }

  /// The home of a child, which was `initial` when it was found; `end` is set when it goes.
  convenience init<Root: Sendable>(
    _ path: Boxed<Optic<Root, State>>, _ ids: [AnyID], _ initial: State, _ end: SharedFlag,
    in view: StoreView<Root>, givenBy givers: [Giver] = []
  ) {
    self.init(
      ChildEffectPlace(path, ids, initial, end, view.core, view.memory), in: view.core, ids, end,
      givenBy: givers)
  }
}

// MARK: In which place

/// The part of the state that a feature stands for, and the way of its actions.
private protocol EffectPlace<State>: AnyObject, Sendable {
  associatedtype State: Sendable

  var view: StoreView<State> { get }
  var memory: StateStorage { get }
  var transform: ActionTransform? { get }
  var steps: [any ActionStep] { get }
  /// Whether it is the whole state of the store.
  var isWhole: Bool { get }

  /// The feature in the state that a commit left.
  func read(_ root: StateAddress) -> State
}

/// The place of a feature that is always there.
private final class FixedEffectPlace<State: Sendable>: EffectPlace {
  let view: StoreView<State>
  let transform: ActionTransform?
  let steps: [any ActionStep]
  let isWhole: Bool
  /// The feature in the state of what installed it.
  private let part: PartPath<State>

  init(
    view: StoreView<State>, transform: ActionTransform?, steps: [any ActionStep], isWhole: Bool,
    part: PartPath<State>
  ) {
    (self.view, self.transform, self.steps) = (view, transform, steps)
    (self.isWhole, self.part) = (isWhole, part)
  }

  var memory: StateStorage { view.memory }

  func read(_ root: StateAddress) -> State { part.read(root) }
}

/// The place of a child.
///
/// It is made for each run in a row, and few ask it anything, so what they ask for is made anew each time.
private final class ChildEffectPlace<Root: Sendable, State: Sendable>: EffectPlace {
  let memory: StateStorage
  private let path: Boxed<Optic<Root, State>>
  private let ids: [AnyID]
  private let core: StoreCore
  /// The child when it was found, and what says that it has gone.
  private let initial: State
  private let end: SharedFlag

  init(
    _ path: Boxed<Optic<Root, State>>, _ ids: [AnyID], _ initial: State, _ end: SharedFlag,
    _ core: StoreCore, _ memory: StateStorage
  ) {
    (self.path, self.ids, self.core, self.memory) = (path, ids, core, memory)
    (self.initial, self.end) = (initial, end)
  }

  var view: StoreView<State> {
    // Not empty: its part must not be taken for what it lies in.
    let way = path.value.container.way.appending(.elements(ids))
    let part = PartPath<State>(way: way) { [self] root in end.isSet ? initial : read(root) }
    return StoreView<State>(core, part, memory)
  }

  var transform: ActionTransform? { path.value.transform(ids) }
  var steps: [any ActionStep] { path.value.steps }
  var isWhole: Bool { false }

  func read(_ root: StateAddress) -> State { path.value.read(root, ids) ?? initial }
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
