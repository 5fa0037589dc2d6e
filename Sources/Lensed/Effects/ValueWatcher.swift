/// The watches of an effect of a changed value: one in what is always there, or one for each child, with the value that
/// it had last.
///
/// It is called for one commit at a time, in commit order. Where the actions of a commit name the elements that
/// were touched, and these are there, it looks at those; otherwise at all children.
///
/// What is always there is compared with the state at the time of attaching. That state is stored under the lock of the
/// store, so that no commit lies between it and the first one that is compared. The value is read from it without the
/// lock, because a property can be the user's own code.
final class ValueWatcher<Root: Sendable, State: Sendable>: Sendable {
  private typealias Watches = [[AnyID]: Watched]

  private struct Watched: Sendable {
    let identity: ChildIdentity
    let watch: ValueTrigger<State>.Watch
  }

  private struct Start: Sendable {
    var initial: Boxed<State>?
    var given: GivenValues?
    var watch: ValueTrigger<State>.Watch?
  }

  private let path: Optic<Root, State>
  private let trigger: ValueTrigger<State>
  /// What gives the values that the trigger is computed of; most often none.
  private let givers: [Giver]
  /// What is always there; nil in children.
  private let home: EffectHome<State>?
  private let start = Locked(Start())
  /// The watches in children, but while they are being used; nil before the first commit.
  private let watches = Locked<Watches?>(nil)

  init(
    _ path: Optic<Root, State>, _ trigger: ValueTrigger<State>, _ givers: [Giver],
    home: EffectHome<State>?
  ) {
    (self.path, self.trigger, self.givers, self.home) = (path, trigger, givers, home)
  }

  /// Whether it visits the state in which it is attached: the children that are there, or what is always there if the
  /// trigger includes the installation.
  var startsAtOnce: Bool { home == nil || trigger.including.contains(.installation) }

  /// Stores the state of what is always there at the time of attaching; called under the lock of the store.
  func setInitial(_ state: State, in root: StateAddress) {
    let initial = Boxed(state)
    let given = givers.isEmpty ? nil : GivenValues(of: givers, in: root, [])
    start.withLock { ($0.initial, $0.given) = (initial, given) }
  }

  /// The watch of what is always there; the first call makes it of the stored state.
  @discardableResult
  func makeWatch() -> ValueTrigger<State>.Watch? {
    let (initial, given, known) = start.withLock { ($0.initial, $0.given, $0.watch) }
    if let known { return known }
    guard let initial else { return nil }
    let made = trigger.makeWatch(initial.value, given)
    return start.withLock { start in
      (start.initial, start.given) = (nil, nil)
      start.watch = start.watch ?? made
      return start.watch
    }
  }

  /// Visits what a commit may have touched; `start` is given the values that have changed, and the ids of their child.
  ///
  /// Where what the effect is tied to is not there, says `exists`, no condition is asked.
  func visit(
    _ report: any CommitReport, isIgnored: Bool, _ exists: (_ ids: [AnyID]) -> Bool,
    start: ([AnyID], any Sendable) -> Void
  ) {
    if let home {
      let change = { home.change(of: report) }
      // The watch is called for each commit: it compares with the one before.
      let (watch, isThere) = (makeWatch(), exists([]))
      let value: (any Sendable)? =
        if report.isInstallation {
          isThere ? trigger.first(change) : nil
        } else {
          watch?(change, isIgnored || !isThere)
        }
      return value.map { start([], $0) } ?? ()
    }
    // No `==` and no `hash` of an id runs under the lock.
    var watches = self.watches.withLock { exchange(&$0, with: nil) } ?? [:]
    // A value that is given to all changes for all.
    let isGivenAnew = givers.contains { report.record.touches($0.footprint) }
    let touched = path.touchedChildren(of: report, orAll: isGivenAnew)
    if let all = touched.all {
      for ids in watches.keys where !all.contains(ids) { watches[ids] = nil }
    }
    for ids in touched.ids { visit(ids, report, isIgnored, exists, &watches, start) }
    self.watches.withLock { $0 = watches }
  }

  private func visit(
    _ ids: [AnyID], _ report: any CommitReport, _ isIgnored: Bool,
    _ exists: (_ ids: [AnyID]) -> Bool, _ watches: inout Watches,
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
      if trigger.including.contains(.installation), !report.record.isReplayed, exists(ids),
        let value = trigger.first(change)
      {
        start(ids, value)
      }
      return
    }
    if let value = known.watch(change, isIgnored || !exists(ids)) { start(ids, value) }
  }
}
