/// What is under way in one dispatch or one effect, as a pure machine.
///
/// Three things keep it from being finished: its own actions, while a sequence of them is being pulled;
/// claims, each something that was begun and has yet to end; and its children. `Child` is the work
/// that it started, `Waiter` whoever waits for its end. When only its children are left, and nobody
/// outside of the tree can ask for it, it hands them over to its parent and has ended.
struct WorkMachine<Child: AnyObject & Sendable, Waiter: Sendable>: Sendable {
  /// A child, and what cancels it along with this work.
  struct Link: Sendable {
    let child: Child
    let relation: WorkRelation
  }

  /// How far it was cancelled.
  enum Cancelled: Int, Comparable, Sendable {
    case nothing
    /// Its own run, and what that owns.
    case run
    /// All that it caused, too.
    case tree

    static func < (left: Cancelled, right: Cancelled) -> Bool { left.rawValue < right.rawValue }
  }

  /// What children share with their parent.
  struct Fate: Sendable {
    let cancelled: Cancelled
    let isAbandoned: Bool

    /// Whether the cancellation of the parent is one of such a child, too.
    func reaches(_ relation: WorkRelation) -> Bool {
      switch relation {
      case .owned: cancelled >= .run
      case .caused: cancelled == .tree
      case .independent: isAbandoned
      }
    }
  }

  /// How a child fared that wanted to join.
  enum Adoption: Sendable {
    case joined
    /// It joined what was cancelled, and is to be cancelled too.
    case cancelled
    /// It joined a run that was ended, and is to end with it.
    case ended
    /// There is nothing left to be part of.
    case refused
  }

  /// What is left to do once the lock is released.
  struct Ending: Sendable {
    /// Those whose wait is over.
    var woken = InlineList<Waiter>()
    /// Whether the whole has ended just now.
    var isFinished = false
  }

  private var isApplied: Bool
  /// Whether somebody outside of the tree can wait for it, or cancel it.
  private var isWatched: Bool
  private var hasEnded = false
  /// Whether it has ended by giving its children to its parent.
  private(set) var hasHandedOver = false
  private var claims = 0
  private var links = InlineTable<ObjectIdentifier, Link>()
  private var waiters = InlineTable<UInt64, (extent: WorkExtent, waiter: Waiter)>()
  private var error: (any Error)?
  /// Whether the error was thrown to somebody, or reported.
  private var isErrorSeen = false
  private var cancelled = Cancelled.nothing
  /// Whether whoever waits is told of a cancellation: not, where it gave way to something else.
  private(set) var isCalledOff = false
  /// Whether the store has gone.
  private(set) var isAbandoned = false

  /// Work whose own actions have been applied already, or come over time; `isBegun` says that
  /// something has begun, `isWatched` that an `unwatch` follows.
  init(isApplied: Bool, isBegun: Bool = false, isWatched: Bool = false) {
    self.isApplied = isApplied
    self.isWatched = isWatched
    claims = isBegun ? 1 : 0
  }

  var isFinished: Bool { isApplied && claims == 0 && links.isEmpty }

  /// Whether no more commits of its own are to begin.
  var isCancelled: Bool { cancelled > .nothing }
  /// Whether all that it caused was cancelled too.
  var isTreeCancelled: Bool { cancelled == .tree }
  var fate: Fate { Fate(cancelled: cancelled, isAbandoned: isAbandoned) }

  /// The work that it started and that has not ended.
  var children: [Child] { links.values.map(\.child) }

  /// What a wait that is over gives.
  var outcome: WorkOutcome {
    if isAbandoned { return .success }
    if isCalledOff { return .cancelled }
    return error.map(WorkOutcome.failure) ?? .success
  }

  /// Something has begun.
  mutating func begin() {
    claims += 1
  }

  /// Something that had begun has ended.
  mutating func end() -> Ending {
    claims -= 1
    return settle()
  }

  /// Its own actions have been applied, or will not be.
  mutating func apply(_ failure: (any Error)?) -> Ending {
    if isApplied { return Ending() }
    isApplied = true
    error = failure
    return settle()
  }

  /// Takes on a child.
  mutating func adopt(_ child: Child, as relation: WorkRelation) -> Adoption {
    if hasEnded { return .refused }
    links[ObjectIdentifier(child)] = Link(child: child, relation: relation)
    if !fate.reaches(relation) { return .joined }
    return cancelled == .tree ? .cancelled : .ended
  }

  /// Takes on what a child has handed over; none of it is closer than that child was.
  ///
  /// - Returns: Those of them that the cancellation of this work reaches, and those who have waited enough.
  mutating func adopt(
    _ heirs: [Link], of child: Child
  ) -> (reached: [Child], woken: InlineList<Waiter>) {
    let own = links[ObjectIdentifier(child)]?.relation ?? .caused
    links[ObjectIdentifier(child)] = nil
    var reached: [Child] = []
    for heir in heirs {
      let relation = min(heir.relation, own)
      links[ObjectIdentifier(heir.child)] = Link(child: heir.child, relation: relation)
      if fate.reaches(relation) { reached.append(heir.child) }
    }
    return (reached, waiters.isEmpty ? InlineList() : endWaits())
  }

  /// Nobody outside of the tree can ask for it any more.
  mutating func unwatch() {
    isWatched = false
  }

  /// Whether only its children keep it in the tree.
  var isSpent: Bool {
    isApplied && claims == 0 && !isWatched && !hasEnded && waiters.isEmpty && !links.isEmpty
  }

  /// Ends it, and gives its children, which its parent takes on in the same step.
  mutating func handOver() -> [Link] {
    hasHandedOver = true
    hasEnded = true
    defer { links = InlineTable() }
    return links.values
  }

  /// A child has ended.
  mutating func release(_ child: Child) -> Ending {
    links[ObjectIdentifier(child)] = nil
    return settle()
  }

  /// Cancels its own run, or all that it caused too, unless that was done or it has ended.
  ///
  /// `isSilent` says that it gives way to something else, which whoever waits is not told.
  ///
  /// - Returns: The children, some of which are to be cancelled too; nil when there is nothing to do.
  mutating func cancel(_ extent: Cancelled, isSilent: Bool = false) -> [Link]? {
    if isFinished || cancelled >= extent { return nil }
    cancelled = extent
    if !isSilent { isCalledOff = true }
    return links.values
  }

  /// The error of its own actions, once, if nobody was told of it and nobody can be told any more.
  mutating func takeUnseenFailure() -> (any Error)? {
    guard let error, !isErrorSeen, !isWatched, !isCalledOff, !isAbandoned, waiters.isEmpty else {
      return nil
    }
    isErrorSeen = true
    return error
  }

  /// Notes that the store has gone: whoever waits has waited enough.
  mutating func abandon() -> [Waiter] {
    isAbandoned = true
    cancelled = .tree
    isCalledOff = true
    return waiters.removeAll { _ in true }.map(\.waiter).all
  }

  /// Waits.
  ///
  /// - Returns: How it came out, if there is nothing to wait for.
  mutating func wait(_ waiter: Waiter, _ id: UInt64, for extent: WorkExtent) -> WorkOutcome? {
    if isAbandoned || isOver(extent) {
      isErrorSeen = true
      return outcome
    }
    waiters[id] = (extent, waiter)
    return nil
  }

  /// Ends one wait.
  mutating func leave(_ id: UInt64) -> Waiter? {
    defer { waiters[id] = nil }
    return waiters[id]?.waiter
  }

  private func isOver(_ extent: WorkExtent) -> Bool {
    switch extent {
    case .applied: isApplied
    case .everything: isFinished
    case .cancelled: isApplied && claims == 0 && !hasDependents
    }
  }

  /// Whether a child is left that a cancellation reaches.
  private var hasDependents: Bool {
    links.values.contains { $0.relation != .independent }
  }

  /// Takes out those who have waited enough.
  private mutating func endWaits() -> InlineList<Waiter> {
    let isOver = (isOver(.applied), isOver(.everything), isOver(.cancelled))
    let woken = waiters.removeAll { waiter in
      switch waiter.extent {
      case .applied: isOver.0
      case .everything: isOver.1
      case .cancelled: isOver.2
      }
    }
    if !woken.isEmpty { isErrorSeen = true }
    return woken.map(\.waiter)
  }

  /// Has a wait last until what a cancellation reaches has ended, and no longer.
  ///
  /// - Returns: The waiter, if that is so already.
  mutating func narrow(_ id: UInt64) -> Waiter? {
    guard let wait = waiters[id], wait.extent == .everything else { return nil }
    if isOver(.cancelled) { return leave(id) }
    waiters[id] = (.cancelled, wait.waiter)
    return nil
  }

  private mutating func settle() -> Ending {
    var ending = Ending()
    if !waiters.isEmpty {
      ending.woken = endWaits()
    }
    if isFinished && !hasEnded {
      hasEnded = true
      ending.isFinished = true
    }
    return ending
  }
}

/// What cancels a work along with its parent; the closer, the greater.
enum WorkRelation: Int, Comparable, CaseIterable, Sendable {
  /// Set off by a changed value: it belongs to the state, and no cancellation of a cause reaches it.
  case independent
  /// Set off by a commit of the parent, which is a fact: only an explicit cancel reaches it.
  case caused
  /// A part of what the parent itself does: whatever ends the parent's run ends it.
  case owned

  static func < (left: WorkRelation, right: WorkRelation) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// How a wait came out.
enum WorkOutcome: Sendable {
  case success
  case failure(any Error)
  case cancelled
}

/// How much of what a dispatch started is waited for.
@usableFromInline
enum WorkExtent: Sendable {
  /// What a cancellation reaches; what belongs to the state goes on.
  case cancelled
  /// The actions themselves.
  case applied
  /// All that they started, too.
  case everything
}
