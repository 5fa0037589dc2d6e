/// What is under way in one dispatch or one effect, as a pure machine.
///
/// Three things keep it from being finished: its own actions, while a sequence of them is being pulled;
/// claims, each something that was begun and has yet to end; and its children. `Child` is the work
/// that it started, `Waiter` whoever waits for its end. When only its children are left, and nobody
/// outside of the tree can ask for it, it hands them over to its parent and has ended.
struct WorkMachine<Child: AnyObject & Sendable, Waiter: Sendable>: Sendable {
  /// How a child fared that wanted to join.
  enum Adoption: Sendable {
    case joined
    /// It joined what was cancelled, and is to be cancelled too.
    case cancelled
    /// There is nothing left to be part of.
    case refused
  }

  /// What is left to do once the lock is released.
  struct Ending: Sendable {
    /// Those whose wait is over.
    var woken = SmallList<Waiter>()
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
  private var children = SmallTable<ObjectIdentifier, Child>()
  private var waiters = SmallTable<UInt64, (extent: WorkExtent, waiter: Waiter)>()
  private var error: (any Error)?
  /// Whether nothing more of it is to happen.
  private(set) var isCancelled = false
  /// Whether somebody wanted all of it cancelled, rather than its job dropped.
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

  var isFinished: Bool { isApplied && claims == 0 && children.isEmpty }

  /// The work that it started and that has not ended.
  var offspring: [Child] { children.values }

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
  mutating func adopt(_ child: Child) -> Adoption {
    if hasEnded { return .refused }
    children[ObjectIdentifier(child)] = child
    return isCancelled ? .cancelled : .joined
  }

  /// Takes on what a child has handed over.
  mutating func adopt(_ heirs: [Child], of child: Child) {
    children[ObjectIdentifier(child)] = nil
    for heir in heirs { children[ObjectIdentifier(heir)] = heir }
  }

  /// Nobody outside of the tree can ask for it any more.
  mutating func unwatch() {
    isWatched = false
  }

  /// Whether only its children keep it in the tree.
  var isSpent: Bool {
    isApplied && claims == 0 && !isWatched && !hasEnded && waiters.isEmpty && !children.isEmpty
  }

  /// Ends it, and gives its children, which its parent takes on in the same step.
  mutating func handOver() -> [Child] {
    hasHandedOver = true
    hasEnded = true
    defer { children = SmallTable() }
    return offspring
  }

  /// A child has ended.
  mutating func release(_ child: Child) -> Ending {
    children[ObjectIdentifier(child)] = nil
    return settle()
  }

  /// Cancels it, unless it has ended or was cancelled already.
  ///
  /// - Returns: The children, to be cancelled too; nil when there is nothing to do.
  mutating func cancel() -> [Child]? {
    if isFinished { return nil }
    isCalledOff = true
    return drop()
  }

  /// Cancels what it does, for the sake of others; that is nothing that whoever waits is to be told.
  ///
  /// - Returns: The children, to be cancelled too; nil when there is nothing to do.
  mutating func drop() -> [Child]? {
    if isCancelled || isFinished { return nil }
    isCancelled = true
    return offspring
  }

  /// Notes that the store has gone: whoever waits has waited enough.
  mutating func abandon() -> [Waiter] {
    isAbandoned = true
    isCancelled = true
    isCalledOff = true
    return waiters.removeAll { _ in true }.map(\.waiter).all
  }

  /// Waits.
  ///
  /// - Returns: How it came out, if there is nothing to wait for.
  mutating func wait(_ waiter: Waiter, _ id: UInt64, for extent: WorkExtent) -> WorkOutcome? {
    if isAbandoned || isOver(extent) { return outcome }
    waiters[id] = (extent, waiter)
    return nil
  }

  /// Ends one wait.
  mutating func leave(_ id: UInt64) -> Waiter? {
    defer { waiters[id] = nil }
    return waiters[id]?.waiter
  }

  private func isOver(_ extent: WorkExtent) -> Bool {
    extent == .applied ? isApplied : isFinished
  }

  private mutating func settle() -> Ending {
    var ending = Ending()
    if !waiters.isEmpty {
      let (isApplied, isFinished) = (isApplied, isFinished)
      ending.woken = waiters.removeAll { $0.extent == .applied ? isApplied : isFinished }
        .map(\.waiter)
    }
    if isFinished && !hasEnded {
      hasEnded = true
      ending.isFinished = true
    }
    return ending
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
  /// The actions themselves.
  case applied
  /// All that they started, too.
  case everything
}
