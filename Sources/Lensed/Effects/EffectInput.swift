/// The input of one job.
enum EffectInput<State: Sendable>: Sendable {
  /// The action of the whole commit.
  case commit(any CommitReport)
  case subject(EffectSubject<State>)

  var report: any CommitReport {
    switch self {
    case .commit(let report): report
    case .subject(let subject): subject.report
    }
  }

  var subject: EffectSubject<State>? {
    if case .subject(let subject) = self { subject } else { nil }
  }
}

/// The value that a job is about, where that is not the action of the whole commit, and the seat that it runs
/// in.
final class EffectSubject<State: Sendable>: Sendable {
  let value: any Sendable
  /// The action that led to it.
  let action: (any Action)?
  /// The commit that triggered the job.
  let report: any CommitReport
  let label: WorkLabel
  let seat: EffectSeat<State>
  /// The work, where that is not the effect's own.
  let run: EffectRun<State>?
  /// The commits since the trigger, where the effect keeps them.
  let backlog: ChangeBacklog?
  private let queue = Locked<JobQueue?>(nil)

  init(
    _ value: any Sendable, action: (any Action)?, report: any CommitReport, label: WorkLabel,
    seat: EffectSeat<State>, run: EffectRun<State>? = nil, backlog: ChangeBacklog? = nil
  ) {
    (self.value, self.action, self.report, self.label) = (value, action, report, label)
    (self.seat, self.run, self.backlog) = (seat, run, backlog)
  }

  /// The queue of the job; nil where the seat has one.
  var jobs: JobQueue? {
    get { queue.withLock { $0 } }
    set { queue.withLock { $0 = newValue } }
  }
}
