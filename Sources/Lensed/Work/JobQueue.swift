/// Where the jobs of one effect run, or wait for their turn: the machine, its lock, and the tasks.
final class JobQueue: WorkQueue {
  private let machine: Locked<JobQueueMachine<WorkNode>>
  /// Whether each job starts at once, or not at all.
  let isOpen: Bool

  let label: WorkNode.Label?

  init(_ policy: EffectPolicy, of label: WorkNode.Label? = nil) {
    self.label = label
    isOpen = policy.limit == nil
    machine = Locked(JobQueueMachine(policy))
  }

  /// Runs a job, lets it wait, or ignores it, as the policy says; the job is new, and has begun.
  func submit(_ job: WorkNode, under parent: WorkNode?) {
    if case .cancelled = job.join(under: parent) {
      job.end()
      return
    }
    admit(job, under: parent)
  }

  /// The same for a job that has joined its parent, or has none.
  func admit(_ job: WorkNode, under parent: WorkNode? = nil) {
    if enter(job, under: parent) { start(job) }
  }

  /// The same, where it is for the caller to start the job.
  ///
  /// - Returns: Whether it is to be started now.
  func enter(_ job: WorkNode, under parent: WorkNode? = nil) -> Bool {
    if let context = parent?.context { job.keep(context) }
    let admission = machine.withLock { machine in
      let admission = machine.admit(job)
      // As soon as it waits it may be started, by the thread that ends the job before it.
      if case .wait = admission { job.keepContext() }
      return admission
    }
    switch admission {
    case .ignore:
      job.end()
    case .start(let others):
      WorkNode.drop(others)
      return true
    case .wait:
      if job.isCancelled { withdraw(job) }
      WaitGraph.recheck(job)
    }
    return false
  }

  /// Cancels those who run and those who wait.
  func cancelAll() {
    WorkNode.drop(machine.withLock { $0.everybody })
  }

  /// Lets nobody in any more: what a commit has yet to tell is not begun.
  ///
  /// - Returns: Those who run and those who wait, to be stopped.
  func close() -> [WorkNode] {
    machine.withLock { machine in
      machine.close()
      return machine.everybody
    }
  }

  func blockers(of work: WorkNode) -> [WorkNode] {
    machine.withLock { $0.isWaiting(work) ? $0.occupants : [] }
  }

  func withdraw(_ job: WorkNode) {
    if machine.withLock({ $0.withdraw(job) }) { job.end() }
  }

  private func start(_ job: WorkNode) {
    guard let context = job.context else { return startHere(job) }
    context.run { self.startHere(job) }
  }

  private func startHere(_ job: WorkNode) {
    let errand = job.takeErrand()
    switch consume errand {
    case .order(let order)?:
      let taker = order.taker
      taker.begin(job, order)
    case .body(let body)?:
      job.setTask(
        WorkNode.Running {
          if !job.isStopped { await WorkNode.$current.withValue(job) { await body(job) } }
          end(job)
        })
    case nil:
      // Whoever takes a job out of the line does so under the line's lock, before its turn or not at all.
      fatalError("Lensed: the turn of a job came that had ended; this is a fault of Lensed.")
    }
  }

  /// A job has done what it had to: lets the next one begin.
  ///
  /// - Returns: Whether the job goes on, and neither a parent nor the store knows of it.
  @discardableResult
  func end(_ job: WorkNode) -> Bool {
    let next = machine.withLock { $0.end(job) }
    let isAlone = job.end()
    if let next { start(next) }
    return isAlone
  }
}
