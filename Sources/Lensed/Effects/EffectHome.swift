internal import Synchronization

/// Where the runs of an effect are at home: the state of their feature, and the way of its actions.
///
/// Made once for an installed effect, or for a child while something of the effect is under way there. That of a child
/// knows which one it is: it shows no other, and sends to no other, that takes the place of the child.
final class EffectHome<State: Sendable>: Sendable {
  let core: StoreCore
  /// The ids of the child in the collections on the way.
  let ids: [AnyID]
  private let place: any EffectPlace<State>
  /// What the feature is given, in terms of the state of the store.
  private let givers: [Giver]

  private init(
    _ place: any EffectPlace<State>, in core: StoreCore, _ ids: [AnyID] = [],
    givenBy givers: [Giver]
  ) {
    (self.place, self.core, self.ids, self.givers) = (place, core, ids, givers)
  }

  var view: StoreView<State> { place.view }
  private var transform: ActionTransform? { place.transform }
  /// The steps of the actions of the feature.
  var steps: [any ActionStep] { place.steps }

  /// What sends the actions of the feature.
  ///
  /// Those of a child reach that child alone: where it is not there, nothing is committed. With `outlivingChild`, what
  /// holds the child handles them once it has gone.
  func sender(under parent: Parent = .root, outlivingChild: Bool = false) -> ActionSender {
    let transform = transform
    return ActionSender(
      core, under: parent, through: transform,
      to: place.finder.map {
        ScopedChild(.one($0), translator: transform, outlivesChild: outlivingChild)
      })
  }

  /// The same for a run whose own code runs: the child is not looked for, because its end stops the work.
  func sender(ofRun work: WorkNode) -> ActionSender {
    ActionSender(core, under: .child(of: work), through: transform)
  }

  /// A scope of the feature; in a child its streams emit nothing while that child is not there.
  var scope: ScopedStore<State> {
    var view = view
    if isInChild {
      let presence = PartPresence(
        lend: { [place] root, body in
          guard let child = place.present(root) else { return false }
          StateAddress.reading(child, as: State.self, body)
          return true
        }, isHere: { [place] in place.isThere($0) })
      let part = PartPath<State>(way: view.part.way, in: presence) { [part = view.part] in
        part.read($0)
      }
      view = StoreView(core, part, view.memory)
    }
    return ScopedStore(view: view, sender: sender())
  }

  /// Whether the child, and no other in its place, was there after a commit.
  func wasThere(after report: any CommitReport) -> Bool {
    guard let finder = place.finder else { return true }
    return report.read { finder.absence(in: $0) } == nil
  }

  /// Whether it is the home of a child.
  var isInChild: Bool { place.finder != nil }

  /// What a run sees that a commit triggered: once the child has gone, the child as that commit left it.
  func view(after report: any CommitReport) -> StoreView<State> {
    let view = view
    if !isInChild { return view }
    var part = PartPath<State>(way: view.part.way) { [place] root in
      place.present(root) ?? report.read(place.read)
    }
    if !givers.isEmpty {
      let givers = givers.map { giver in
        giver.moved(footprint: giver.footprint, offset: nil, depth: 0) {
          [ids, place] root, _, body in
          if place.isThere(root), giver.lend(root, ids[...], body) { return true }
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
    guard let giver = givers.first(where: { $0.gives(type) }) else { return nil }
    return core.withState(of: place.memory) { root in
      place.isThere(root) ? giver.read(root, ids[...]) : nil
    }
  }

  /// What the feature is given, as a commit left it; read when it is asked for.
  private func values(in report: any CommitReport) -> GivenValues {
    GivenValues(of: givers) { [givers, ids] type in
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

  /// The home of a child, which was `initial` when it was found.
  convenience init<Root: Sendable>(
    _ path: Boxed<Optic<Root, State>>, _ ids: [AnyID], _ identity: ChildIdentity,
    _ initial: State, _ presence: ChildPresence = ChildPresence(isWatched: false),
    in view: StoreView<Root>, givenBy givers: [Giver] = []
  ) {
    self.init(
      ChildEffectPlace(path, ids, identity, initial, presence, view.core, view.memory),
      in: view.core, ids, givenBy: givers)
  }
}

/// What the home of a child is told of it.
///
/// While the child is watched, the commit that dismisses it says so here: nobody has to compare its identity. It is
/// written under the lock of the store, under which the child is read.
final class ChildPresence: Sendable {
  private let gone = Atomic(false)
  private let watched: Atomic<Bool>
  /// How many decisions are yet to be taken that the seat of the child was found for.
  private let holds = Atomic(0)

  init(isWatched: Bool = true) { watched = Atomic(isWatched) }

  var hasGone: Bool { gone.load(ordering: .acquiring) }

  var isWatched: Bool { watched.load(ordering: .acquiring) }

  func noteGone() { gone.store(true, ordering: .releasing) }

  func endWatch() { watched.store(false, ordering: .releasing) }

  var isHeld: Bool { holds.load(ordering: .relaxed) > 0 }

  /// Adds to the holds, under the lock of the store.
  func hold(_ change: Int) { holds.wrappingAdd(change, ordering: .relaxed) }
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

  /// Looks for the child; nil where the feature is always there.
  var finder: (any ChildFinder)? { get }

  /// The feature in the state that a commit left.
  func read(_ root: StateAddress) -> State

  /// The feature in the present state; nil if another child is in its place, or none.
  func present(_ root: StateAddress) -> State?

  func isThere(_ root: StateAddress) -> Bool
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
  var finder: (any ChildFinder)? { nil }

  func read(_ root: StateAddress) -> State { part.read(root) }

  func present(_ root: StateAddress) -> State? { read(root) }

  func isThere(_ root: StateAddress) -> Bool { true }
}

/// The place of a child.
///
/// It is made for each run in a row, and few ask it anything, so what they ask for is made anew each time.
private final class ChildEffectPlace<Root: Sendable, State: Sendable>: EffectPlace {
  let memory: StateStorage
  private let path: Boxed<Optic<Root, State>>
  private let ids: [AnyID]
  private let core: StoreCore
  private let identity: ChildIdentity
  /// The child when it was found.
  private let initial: State
  private let presence: ChildPresence

  init(
    _ path: Boxed<Optic<Root, State>>, _ ids: [AnyID], _ identity: ChildIdentity,
    _ initial: State, _ presence: ChildPresence, _ core: StoreCore, _ memory: StateStorage
  ) {
    (self.path, self.ids, self.core, self.memory) = (path, ids, core, memory)
    (self.identity, self.initial, self.presence) = (identity, initial, presence)
  }

  var view: StoreView<State> {
    // Not empty: its part must not be taken for what it lies in.
    let way = path.value.container.way.appending(.elements(ids))
    let part = PartPath<State>(way: way) { [self] root in present(root) ?? initial }
    return StoreView<State>(core, part, memory)
  }

  var transform: ActionTransform? { path.value.transform(ids) }
  var steps: [any ActionStep] { path.value.steps }
  var isWhole: Bool { false }

  var finder: (any ChildFinder)? { self }

  func read(_ root: StateAddress) -> State { path.value.read(root, ids) ?? initial }

  func present(_ root: StateAddress) -> State? {
    if presence.hasGone { return nil }
    if presence.isWatched { return path.value.read(root, ids) }
    let found = find(root)
    return found.isSame ? found.child : nil
  }

  func isThere(_ root: StateAddress) -> Bool {
    !presence.hasGone && (presence.isWatched || find(root).isSame)
  }

  /// What is in the place of the child, and whether it is the child.
  private func find(_ root: StateAddress) -> (child: State?, isSame: Bool) {
    var found: ChildIdentity? = ChildIdentity()
    let child = path.value.read(root, ids, &found)
    return (child, child != nil && found == identity)
  }
}

extension ChildEffectPlace: ChildFinder {
  func absence(in state: StateAddress) -> ScopedChild.Absence? {
    let found = find(state)
    if found.isSame { return nil }
    guard let other = found.child else { return .gone }
    return .replaced { [initial] in
      areOneChild(initial, other) ? nil : (childName(initial), childName(other))
    }
  }

  var places: [ScopedChild.Place] {
    let container = path.value.container
    let part =
      ids.isEmpty
      ? container
      : Footprint(way: container.way.appending(.elements(ids)), bytes: nil, of: State.self)
    return [ScopedChild.Place(part.name, path.value.way.prism, initial)]
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
