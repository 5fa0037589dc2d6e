/// One stretch of a presentation between a start, or a resume, and what ends it.
final class PresentationRun<State: Sendable>: Sendable {
  private struct Resources: Sendable {
    var registration: ChangeRegistration<State>?
    var task: Task<Void, Never>?
    var isCancelled = false
  }

  private let means: Locked<Resources>
  let feed: ChangeFeed<State>
  /// The state that the run begins with, and the number of the commit that left it.
  let first: (state: State, revision: UInt64)

  /// Registers for commits, then reads the state; nil when the store has gone.
  ///
  /// What was committed in between is in both, and told apart by its number.
  init?(_ view: StoreView<State>) {
    let changes = StateChanges(
      core: view.core, part: view.part, buffering: .unbounded, keepsPrevious: true)
    let registration = changes.makeAsyncIterator().registration
    let part = view.part
    let first = view.core.withTable { table in
      table.memory.map { (part.read($0.place), table.revision) }
    }
    guard let first else { return nil }
    self.first = first
    feed = registration.feed
    means = Locked(Resources(registration: registration))
  }

  /// Starts the task that makes something of the commits, unless the run was cancelled already.
  func begin(_ body: @escaping @concurrent @Sendable () async -> Void) {
    let task = Task(operation: body)
    let isWanted = means.withLock { means in
      if means.isCancelled { return false }
      means.task = task
      return true
    }
    if !isWanted { task.cancel() }
  }

  /// Has the store tell nothing more, and ends the task.
  func cancel() {
    let (registration, task) = means.withLock { means in
      means.isCancelled = true
      return (means.registration.take(), means.task.take())
    }
    task?.cancel()
    _ = registration
  }
}
