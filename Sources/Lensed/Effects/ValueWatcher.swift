/// The watch of an effect of a changed value, which compares with the state at the time it was attached.
///
/// That state is stored under the lock of the store, so that no commit lies between it and the first one that is
/// compared. The value is read from it without the lock, because a property can be the user's own code.
final class ValueWatcher<State: Sendable>: Sendable {
  private struct Start: Sendable {
    var initial: Boxed<State>?
    var given: GivenValues?
    var watch: ValueTrigger<State>.Watch?
  }

  private let start = Locked(Start())
  private let makeWatch:
    @Sendable (_ initial: State, _ given: GivenValues?) -> ValueTrigger<State>.Watch

  init(
    _ makeWatch:
      @escaping @Sendable (_ initial: State, _ given: GivenValues?) -> ValueTrigger<State>.Watch
  ) {
    self.makeWatch = makeWatch
  }

  /// Stores the state at the time of attaching; called under the lock of the store.
  func setInitial(_ state: State, _ given: GivenValues?) {
    let initial = Boxed(state)
    start.withLock { ($0.initial, $0.given) = (initial, given) }
  }

  /// The watch; the first call makes it of the stored state.
  @discardableResult
  func watch() -> ValueTrigger<State>.Watch? {
    let (initial, given, known) = start.withLock { ($0.initial, $0.given, $0.watch) }
    if let known { return known }
    guard let initial else { return nil }
    let made = makeWatch(initial.value, given)
    return start.withLock { start in
      (start.initial, start.given) = (nil, nil)
      start.watch = start.watch ?? made
      return start.watch
    }
  }
}

// MARK: In children

/// The watches of an effect of a changed value in children: one for each child, with the value it had last.
///
/// It is called for one commit at a time, in commit order. Where the actions of a commit name the elements that
/// were touched, and these are there, it looks at those; otherwise at all children.
final class ChildrenWatcher<Root: Sendable, State: Sendable>: Sendable {
  private typealias Watches = [[AnyID]: Watched]

  private struct Watched: Sendable {
    let identity: ChildIdentity
    let watch: ValueTrigger<State>.Watch
  }

  private let path: Optic<Root, State>
  private let trigger: ValueTrigger<State>
  /// What gives the values that the trigger is computed of; most often none.
  private let givers: [Giver]
  /// The watches, but while they are being used; nil before the first commit.
  private let watches = Locked<Watches?>(nil)

  init(_ path: Optic<Root, State>, _ trigger: ValueTrigger<State>, _ givers: [Giver]) {
    (self.path, self.trigger, self.givers) = (path, trigger, givers)
  }

  /// Visits the children that a commit may have touched; `start` is given the values that have changed.
  func visit(
    _ report: any CommitReport, isIgnored: Bool, _ start: ([AnyID], any Sendable) -> Void
  ) {
    // No `==` and no `hash` of an id runs under the lock.
    var watches = self.watches.withLock { exchange(&$0, with: nil) } ?? [:]
    // A value that is given to all changes for all.
    let isGivenAnew = givers.contains { report.record.touches($0.footprint) }
    let touched = path.touchedChildren(of: report, orAll: isGivenAnew)
    if let all = touched.all {
      for ids in watches.keys where !all.contains(ids) { watches[ids] = nil }
    }
    for ids in touched.ids { visit(ids, report, isIgnored, &watches, start) }
    self.watches.withLock { $0 = watches }
  }

  private func visit(
    _ ids: [AnyID], _ report: any CommitReport, _ isIgnored: Bool, _ watches: inout Watches,
    _ start: ([AnyID], any Sendable) -> Void
  ) {
    var found: ChildIdentity? = ChildIdentity()
    guard let child = report.read({ path.read($0, ids, &found) }), let identity = found else {
      return watches[ids] = nil
    }
    let read: @Sendable (StateAddress) -> State = { [path] in path.read($0, ids) ?? child }
    let given =
      givers.isEmpty ? nil : report.read { GivenValues(of: givers, in: $0, ids) }
    let change = { [path, trigger] in
      let view = ChangeView(
        PartPath<State>(way: .unnamed, computing: read),
        in: trigger.hasCondition ? path.transform(ids) : nil)
      var change = report.change(in: view, read)
      change.given = given
      return change
    }
    guard let known = watches[ids], known.identity == identity else {
      watches[ids] = Watched(identity: identity, watch: trigger.makeWatch(child, given))
      if trigger.including.contains(.installation), !report.record.isReplayed,
        let value = trigger.first(change)
      {
        start(ids, value)
      }
      return
    }
    if let value = known.watch(change, isIgnored) { start(ids, value) }
  }
}
