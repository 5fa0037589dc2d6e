/// One run of a presentation: from a start or a resume to a pause or a stop.
final class PresentationRun<State: Sendable>: Sendable {
  private struct Resources: Sendable {
    /// Nil once the run was cancelled.
    var registration: ChangeRegistration<State>?
    var task: Task<Void, Never>?
  }

  private let resources: Locked<Resources>
  private let executor: (any TaskExecutor)?
  let feed: ChangeFeed<State>
  /// The number of the commit that left the first state of the run.
  let revision: UInt64
  /// The first state of the run, until it is presented.
  private let first: Locked<State?>

  /// Registers for commits, then reads the state; nil if the store was released.
  ///
  /// A commit in between is in both; its number tells that it is in the first state already.
  init?(_ view: StoreView<State>) {
    let feed = ChangeFeed(.unbounded, keepingPrevious: true, of: view.part, in: view.core)
    let registration = ChangeRegistration(view.core, feed)
    let part = view.part
    let first = view.core.withTable { table in
      table.memory.map { (state: part.read($0.place), revision: table.revision) }
    }
    guard let first else { return nil }
    revision = first.revision
    self.first = Locked(first.state)
    self.feed = feed
    executor = view.core.taskExecutor
    resources = Locked(Resources(registration: registration))
  }

  /// The first state; nil once it was taken to be presented.
  var firstState: State? { first.withLock { $0 } }

  /// Takes the first state, which is presented once.
  func takeFirstState() -> State? { first.withLock { $0.take() } }

  /// Starts the task that presents the commits, unless the run was cancelled already.
  func startTask(_ body: @escaping @concurrent @Sendable () async -> Void) {
    let task = Task.start(on: executor, body)
    let isWanted = resources.withLock { resources in
      if resources.registration == nil { return false }
      resources.task = task
      return true
    }
    if !isWanted { task.cancel() }
  }

  /// Unregisters from the store and cancels the task.
  func cancel() {
    let (registration, task) = resources.withLock { resources in
      (resources.registration.take(), resources.task.take())
    }
    task?.cancel()
    _ = registration
  }
}
