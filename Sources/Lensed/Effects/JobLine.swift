/// Where the jobs of one effect run, or wait for their turn: the machine, its lock, and the tasks.
final class JobLine: WorkLine {
  private let machine: Guarded<LineMachine<Work>>

  let label: Work.Label?

  init(_ policy: EffectPolicy, of label: Work.Label? = nil) {
    self.label = label
    machine = Guarded(LineMachine(policy))
  }

  /// Runs a job, lets it wait, or ignores it, as the policy says; the job is new, and has begun.
  func submit(_ job: Work, under parent: Work?) {
    if case .cancelled = job.join(under: parent) { return job.end() }
    admit(job)
  }

  /// The same for the work of a dispatch which starts nothing but one job, and so is that job.
  ///
  /// - Returns: Whether the claim on the work was taken over; not, when it was cancelled before.
  func submit(_ work: Work, for order: consuming WorkOrder) -> Bool {
    guard work.takeOn(order) else { return false }
    admit(work)
    return true
  }

  private func admit(_ job: Work) {
    switch machine.withLock({ $0.admit(job) }) {
    case .ignore:
      job.end()
    case .start(let others):
      for other in others { other.drop() }
      start(job)
    case .wait:
      if job.isCancelled { withdraw(job) }
      WaitGraph.recheck(job)
    }
  }

  /// Cancels those who run and those who wait.
  func cancelAll() {
    for job in machine.withLock({ $0.everybody }) { job.drop() }
  }

  /// Cancels everybody, and lets nobody in any more: what a commit has yet to tell is not begun.
  func close() {
    machine.withLock { $0.close() }
    cancelAll()
  }

  func blockers(of work: Work) -> [Work] {
    machine.withLock { $0.isWaiting(work) ? $0.occupants : [] }
  }

  func withdraw(_ job: Work) {
    if machine.withLock({ $0.withdraw(job) }) { job.end() }
  }

  private func start(_ job: Work) {
    job.setTask(
      Task {
        await Work.$current.withValue(job) { await job.run() }
        job.line?.end(job)
      })
  }

  func end(_ job: Work) {
    let next = machine.withLock { $0.end(job) }
    job.end()
    if let next { start(next) }
  }
}
