/// One run of an effect or of an asynchronous reducer.
final class Job: Sendable {
  let work: Work
  private let body: @Sendable (_ work: Work) async -> Void

  init(_ work: Work, _ body: @escaping @Sendable (_ work: Work) async -> Void) {
    self.work = work
    self.body = body
  }

  func run() async {
    if !work.isCancelled { await body(work) }
  }
}

/// Where the jobs of one effect run, or wait for their turn: the machine, its lock, and the tasks.
final class JobLine: WorkLine {
  private let machine: Guarded<LineMachine<Job>>

  init(_ policy: EffectPolicy) {
    machine = Guarded(LineMachine(policy))
  }

  /// Runs a job, lets it wait, or ignores it, as the policy says.
  func submit(_ job: Job) {
    let work = job.work
    work.begin()
    work.join()
    if work.isCancelled { return work.end() }
    switch machine.withLock({ $0.admit(job) }) {
    case .ignore:
      work.end()
    case .start(let others):
      for other in others { other.work.cancel() }
      start(job)
    case .wait:
      work.setStop { self.withdraw(job) }
      WaitGraph.recheck()
    }
  }

  /// Cancels those who run and those who wait.
  func cancelAll() {
    for job in machine.withLock({ $0.everybody }) { job.work.cancel() }
  }

  func blockers(of work: Work) -> [Work] {
    let jobs = machine.withLock { machine in
      machine.line.contains { $0.work === work } ? machine.occupants : []
    }
    return jobs.map(\.work)
  }

  private func start(_ job: Job) {
    let task = Task {
      await Work.$current.withValue(job.work) { await job.run() }
      self.end(job)
    }
    job.work.setStop { task.cancel() }
  }

  private func end(_ job: Job) {
    let next = machine.withLock { $0.end(job) }
    job.work.end()
    if let next { start(next) }
  }

  private func withdraw(_ job: Job) {
    if machine.withLock({ $0.withdraw(job) }) { job.work.end() }
  }
}
