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
  let seat: EffectSeat<State>
  let jobs: JobQueue
  /// The work, where it is not the effect's own: to choose here would wrap the function anew.
  let run: EffectRun<State>?
  /// The commits since the trigger, where the effect keeps them.
  let backlog: ChangeBacklog?

  init(
    _ value: any Sendable, action: (any Action)?, report: any CommitReport,
    seat: EffectSeat<State>, jobs: JobQueue, run: EffectRun<State>?,
    backlog: ChangeBacklog? = nil
  ) {
    (self.value, self.action, self.report) = (value, action, report)
    (self.seat, self.jobs, self.run, self.backlog) = (seat, jobs, run, backlog)
  }
}
