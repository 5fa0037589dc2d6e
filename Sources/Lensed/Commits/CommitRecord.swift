/// The facts of one commit, as every listener is given them.
struct CommitRecord: Sendable {
  /// The state after the commit; to be read under the lock of the store.
  let state: StateAddress
  let actions: CommittedActions
  let site: CallSite?
  /// What the store did: a commit that replays a state is a replacement here, whatever its record says.
  let cause: CommitCause
  let revision: UInt64
  let isHandled: Bool
  let touched: TouchedParts
  /// How many collections deep the commit touched nothing but the elements that its actions name, or its result is in.
  var elementDepth = ElementDepth.none
  /// Whether they touched other rows alone than the one that the reader is given.
  var isOfOtherRows = false
  /// Whether there was no commit, and a listener is notified of the state in which it was attached.
  var isInstallation = false
  /// The values for the time being that the state shows.
  var placeholders = Placeholders()
  /// The work that made it; nil where it was dispatched from outside.
  var source: WorkLabel?
  /// The number of the commit that set off what made it.
  var parent: UInt64?
  /// The time since the store was made, for recorders and middleware.
  var time: Duration?
  /// Whether it was made before, and is made again.
  var isReplayed = false
  /// What its record says, where it is replayed and that is known.
  var recorded: Boxed<CommitCauses>?
  /// The commit in whose delivery an observer has dispatched it, or what has ended the run whose end it tells; nil for
  /// any other.
  var reaction: DeliveredCommit?
  /// Whether it only shows, or puts back, what an asynchronous reducer has for the time being: the settled state is
  /// the same as before it.
  var leavesSettled = false
  /// The way back to the store, once a listener needs it.
  var home: StoreHome?
}

extension CommitRecord {
  /// Whether a reducer ran that owns a part of what the footprint covers, or some of that was replaced.
  func touches(_ footprint: Footprint) -> Bool {
    footprint.containsPart { part in
      // Of the whole, or of a part that no reducer owns.
      if cause == .replacement && touched.slots.isEmpty { return true }
      return part.isUndecided || part.isWhole
        ? isHandled || cause == .replacement : touched.touches(part)
    }
  }
}

// MARK: Its actions

/// The actions of one commit.
enum CommittedActions: Sendable {
  /// None: the commit is a replacement.
  case none
  /// None: the commit is the result of an asynchronous reducer, in the child with these ids.
  case result(in: [AnyID])
  case single(any Action)
  /// Several, in order, and the action that was dispatched, which stands for them.
  case several([any Action], as: any Action)

  var whole: (any Action)? {
    switch self {
    case .none, .result: nil
    case .single(let action), .several(_, as: let action): action
    }
  }

  /// The single actions, in order; without an array where there is one.
  var list: InlineList<any Action> {
    switch self {
    case .none, .result: .none
    case .single(let action): .one(action)
    case .several(let actions, as: _): InlineList(actions)
    }
  }

  var members: [any Action] {
    switch self {
    case .none, .result: []
    case .single(let action): [action]
    case .several(let actions, as: _): actions
    }
  }
}

// MARK: The rows that its actions name

// An action may give its row another id. Then no row has the id that the action names, or another one has it by now, and
// another row may have been replaced: all rows count as touched. The run says so (`RunOutcome.changedID`).

extension TouchedParts {
  /// Hands out the identity of an element with each action that named one; returns whether these are all.
  ///
  /// They are, if the commit touched nothing of a part but elements of one collection, at an offset in the state, that
  /// the actions name, no element got another id, and `body` was true for each.
  func allNamedElements(
    of part: Footprint, in collection: ObjectIdentifier, at offset: Int,
    by actions: [any Action], _ body: (_ element: ElementIdentity, _ action: any Action) -> Bool
  ) -> Bool {
    if changesID { return false }
    for cases in cases(of: part) {
      var isMet = false
      for action in actions {
        for answer in cases where answer.handles(type(of: action)) {
          guard let element = answer.element, element.collection == collection,
            answer.offset == offset, body(element, action)
          else { return false }
          isMet = true
        }
      }
      // Its reducer ran, so it handles an action that is not seen here as it was dispatched.
      if !isMet { return false }
    }
    return true
  }

  /// Whether it is proved that the commit touched other rows alone than the one that a part is, or lies in.
  ///
  /// Called under the lock, or with a copy of the state. It is not proved, where the part has no row, or its collection
  /// no fixed place. `actions` are as the store knows them; `locate` finds an offset of its state after the commit.
  func areOfOtherRows(
    than part: Footprint, by actions: [any Action], _ locate: (_ offset: Int) -> StateAddress
  ) -> Bool {
    guard let label = part.row, let offset = part.bytes?.lowerBound else { return false }
    let collection = locate(offset)
    return allNamedElements(of: part, in: label.collection, at: offset, by: actions) {
      element, action in
      func isOther<A: Action>(_ action: A) -> Bool {
        StateAddress.reading(action, as: A.self) { action in
          let row = element.row(in: collection, of: action)
          return row.hash != label.hash || !label.isOf(row.id)
        }
      }
      return isOther(action)
    }
  }
}

extension CommitRecord {
  /// The same commit for a reader of a part of the state; under the lock of the store.
  func forReader(of part: Footprint) -> CommitRecord {
    if cause != .action || part.row == nil { return self }
    var copy = self
    copy.isOfOtherRows = touched.areOfOtherRows(than: part, by: actions.members) { offset in
      state.advanced(by: offset)
    }
    return copy
  }
}

// MARK: Its report

/// One commit, as its listeners are notified of it, whatever the type of the state.
protocol CommitReport: CommitNotification {
  var record: CommitRecord { get }
  var cause: CommitCause { get }
  var revision: UInt64 { get }
  var actions: CommittedActions { get }

  func setListeners(_ pending: consuming PendingListeners)

  /// Lends the state after the commit, and the one before it where that was kept.
  func lendStates(_ body: (_ state: StateAddress, _ previous: StateAddress?) -> Void)

  /// The commit for a reader; made anew each time, because few listeners ask for it.
  func change<Seen: Sendable>(in view: ChangeView<Seen>) -> Change<Seen>
}

extension CommitReport {
  var action: (any Action)? { actions.whole }

  var members: [any Action] { actions.members }

  func read<Result>(_ body: (_ state: StateAddress) -> Result) -> Result {
    var result: Result?
    lendStates { state, _ in result = body(state) }
    return PartPath.lent(result)
  }

  var elementDepth: ElementDepth { record.elementDepth }

  var isInstallation: Bool { record.isInstallation }
}

/// The way back from a commit to its store; it does not keep the store alive.
final class StoreHome: Sendable {
  /// The core of the store, while it is there.
  weak let host: (any StateHost)?

  init(_ host: any StateHost) {
    self.host = host
  }
}
