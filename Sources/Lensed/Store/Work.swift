/// What a dispatch has under way: its own actions, and all that they started.
///
/// Works make a tree. An effect is a child of the dispatch that triggered it, and what the effect
/// dispatches is its child in turn; so waiting for a dispatch waits for all of it, and cancelling it
/// reaches all of it. A child that ends leaves its parent, so that an endless one costs the same for
/// ever.
@usableFromInline
final class Work: Sendable {
  typealias Machine = WorkMachine<Work, Waiter>

  /// How a wait came to its end.
  enum WaitVerdict: Sendable {
    case over
    case deadlocked
  }

  /// What it does when its turn comes.
  typealias Body = @Sendable (_ work: Work) async -> Void

  /// Whoever waits for it.
  ///
  /// An object, because what a continuation is made of is known at run time only.
  final class Waiter: Sendable {
    private let continuation: CheckedContinuation<WaitVerdict, Never>

    init(_ continuation: CheckedContinuation<WaitVerdict, Never>) {
      self.continuation = continuation
    }

    func resume(returning verdict: WaitVerdict) {
      continuation.resume(returning: verdict)
    }
  }

  /// The machine, and the task that runs.
  struct Desk: Sendable {
    var machine: Machine
    var task: Task<Void, Never>?
    /// Where it is noted until it has ended.
    var registry: (any WorkRegistry)?
  }

  let parent: Work?
  let label: Label
  /// Where it waits for its turn, if it is one of several that do.
  let line: (any WorkLine)?
  private let body: Body?
  let desk: Guarded<Desk>

  /// What is under way, for messages.
  enum Label: Sendable, CustomStringConvertible {
    case dispatch(any Action.Type, CallSite)
    case sequence(CallSite)
    case effect(String)
    case event(any Action.Type, of: String)

    var description: String {
      switch self {
      case .dispatch(let type, let site): "the dispatch of `\(type)` at \(site)"
      case .sequence(let site): "the sequence dispatched at \(site)"
      case .effect(let name): "the effect \(name)"
      case .event(let type, let property): "the event `\(type)` of `\(property)`"
      }
    }
  }

  /// The work whose code is running.
  @TaskLocal static var current: Work?

  /// Work that is started by `parent`, and is cancelled with it.
  ///
  /// `isApplied` says that it has no actions of its own that are yet to come, `isBegun` that an `end`
  /// follows.
  init(
    _ label: Label, under parent: Work? = nil, line: (any WorkLine)? = nil, isApplied: Bool = true,
    isBegun: Bool = false, body: Body? = nil
  ) {
    self.label = label
    self.parent = parent
    self.line = line
    self.body = body
    desk = Guarded(Desk(machine: Machine(isApplied: isApplied, isBegun: isBegun)))
  }

  /// Joins the parent, which then waits for its end; to be called before anything is under way.
  ///
  /// - Returns: Whether the parent was cancelled, and this with it.
  @discardableResult
  func join() -> Bool {
    guard let parent, parent.desk.withLock({ $0.machine.adopt(self) }) else { return false }
    cancel()
    return true
  }

  /// Does what it has to do, unless it was cancelled.
  nonisolated(nonsending) func run() async {
    if !isCancelled { await body?(self) }
  }

  var isCancelled: Bool { desk.withLock(\.machine.isCancelled) }
  var isFinished: Bool { desk.withLock(\.machine.isFinished) }
  var offspring: [Work] { desk.withLock(\.machine.offspring) }

  /// Has `registry` forget it when all of it has ended.
  func note(in registry: any WorkRegistry) {
    desk.withLock { $0.registry = registry }
  }

  /// Says which task runs; it is cancelled at once, if the work was cancelled already.
  func setTask(_ task: Task<Void, Never>) {
    let isLate = desk.withLock { desk in
      if !desk.machine.isFinished { desk.task = task }
      return desk.machine.isCancelled
    }
    if isLate { task.cancel() }
  }

  /// Something has begun; a matching `end` follows.
  func begin() {
    desk.withLock { $0.machine.begin() }
  }

  /// Something that had begun has ended.
  func end() {
    settle { $0.end() }
  }

  /// Its own actions have all been applied, or will not be.
  func apply(failure: (any Error)? = nil) {
    settle { $0.apply(failure) }
  }

  /// Stops it and all that it started, unless it has ended.
  @usableFromInline
  func cancel() {
    let (children, task) = desk.withLock { ($0.machine.cancel(), $0.task) }
    guard let children else { return }
    stop(task)
    for child in children { child.cancel() }
  }

  /// Stops it because the store has gone: those who wait need not any more.
  func abandon() {
    let (waiters, task, registry) = desk.withLock { desk in
      (desk.machine.abandon(), desk.task, desk.registry.take())
    }
    _ = registry
    stop(task)
    for waiter in waiters { waiter.resume(returning: .over) }
    for child in offspring { child.abandon() }
  }

  /// Stops what runs, or takes it out of the line that it waits in.
  private func stop(_ task: Task<Void, Never>?) {
    if let task { task.cancel() } else { line?.withdraw(self) }
  }

  private func settle(_ step: (inout Machine) -> Machine.Ending) {
    let (ending, registry) = desk.withLock { desk -> (Machine.Ending, (any WorkRegistry)?) in
      let ending = step(&desk.machine)
      guard ending.isFinished else { return (ending, nil) }
      desk.task = nil
      return (ending, desk.registry.take())
    }
    for waiter in ending.woken { waiter.resume(returning: .over) }
    guard ending.isFinished else { return }
    registry?.forget(self)
    parent?.settle { $0.release(self) }
  }
}

/// Where work waits for its turn.
protocol WorkLine: AnyObject, Sendable {
  /// Those that have to end before `work` can begin; any one of them will do. Empty when it has begun.
  func blockers(of work: Work) -> [Work]

  /// Takes work out of the line; does nothing when it is not waiting.
  func withdraw(_ work: Work)
}

/// Where work is noted that is nobody's child.
protocol WorkRegistry: AnyObject, Sendable {
  /// All of the work has ended.
  func forget(_ work: Work)
}
