/// What a dispatch has under way: its own actions, and all that they started.
///
/// Works make a tree. An effect is a child of the dispatch that triggered it, and what the effect
/// dispatches is its child in turn; so waiting for a dispatch waits for all of it, and cancelling it
/// reaches all of it. A child that ends leaves its parent, so that an endless one costs the same for
/// ever.
@usableFromInline
final class Work: Sendable {
  typealias Machine = WorkMachine<Work, CheckedContinuation<WaitVerdict, Never>>

  /// How a wait came to its end.
  enum WaitVerdict: Sendable {
    case over
    case deadlocked
  }

  /// The machine, and the way to stop what runs.
  struct Desk: Sendable {
    var machine: Machine
    var stop: (@Sendable () -> Void)?
    var onFinish: (@Sendable () -> Void)?
  }

  let parent: Work?
  let label: Label
  /// Where it waits for its turn, if it is one of several that do.
  let line: (any WorkLine)?
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
  /// `isApplied` says that it has no actions of its own that are yet to come.
  init(
    _ label: Label, under parent: Work? = nil, line: (any WorkLine)? = nil, isApplied: Bool = true
  ) {
    self.label = label
    self.parent = parent
    self.line = line
    desk = Guarded(Desk(machine: Machine(isApplied: isApplied)))
  }

  /// Joins the parent, which then waits for its end; to be called before anything is under way.
  func join() {
    if let parent, parent.desk.withLock({ $0.machine.adopt(self) }) { cancel() }
  }

  var isCancelled: Bool { desk.withLock(\.machine.isCancelled) }
  var isFinished: Bool { desk.withLock(\.machine.isFinished) }
  var offspring: [Work] { desk.withLock(\.machine.offspring) }

  /// Has `notify` called when all of it has ended.
  func whenFinished(_ notify: @escaping @Sendable () -> Void) {
    desk.withLock { $0.onFinish = notify }
  }

  /// Says how to stop what runs; at once, if it was cancelled already.
  func setStop(_ stop: @escaping @Sendable () -> Void) {
    let isLate = desk.withLock { desk in
      desk.stop = stop
      return desk.machine.isCancelled
    }
    if isLate { stop() }
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
    let (children, stop) = desk.withLock { desk -> ([Work]?, (@Sendable () -> Void)?) in
      let children = desk.machine.cancel()
      return (children, children == nil ? nil : desk.stop)
    }
    stop?()
    for child in children ?? [] { child.cancel() }
  }

  /// Stops it because the store has gone: those who wait need not any more.
  func abandon() {
    let (waiters, stop) = desk.withLock { desk in
      let isRunning = !desk.machine.isFinished
      return (desk.machine.abandon(), isRunning ? desk.stop : nil)
    }
    stop?()
    for waiter in waiters { waiter.resume(returning: .over) }
    for child in offspring { child.abandon() }
  }

  private func settle(_ step: (inout Machine) -> Machine.Ending) {
    let (ending, onFinish) = desk.withLock { desk -> (Machine.Ending, (@Sendable () -> Void)?) in
      let ending = step(&desk.machine)
      guard ending.isFinished else { return (ending, nil) }
      // What stops it holds what ran; nobody needs it any more.
      desk.stop = nil
      return (ending, desk.onFinish.take())
    }
    for waiter in ending.woken { waiter.resume(returning: .over) }
    guard ending.isFinished else { return }
    onFinish?()
    parent?.settle { $0.release(self) }
  }
}

/// Where work waits for its turn.
protocol WorkLine: AnyObject, Sendable {
  /// Those that have to end before `work` can begin; any one of them will do. Empty when it has begun.
  func blockers(of work: Work) -> [Work]
}
