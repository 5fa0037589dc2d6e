/// What a commit leaves to do once the lock is released.
struct CommitConclusion: ~Copyable, Sendable {
  /// The work that the commit's listeners start, if any.
  var work: WorkNode?
  /// Whether the claim on that work ends once what was decided is done: nobody is notified later.
  var endsClaim = false
  /// What was decided about the jobs of effects.
  private(set) var jobs: JobDecisions?
  var afterCommit: Unretained<AfterCommitCell>?
  /// The commit that this thread notifies listeners of, because it is the deliverer; or that `starter` is given.
  var report: (any CommitReport)?
  /// What that commit has to do with the past.
  var kind = DeliveryKind.ordinary
  /// Starts the one job of that commit, where no other listener is notified.
  var starter: (any JobStarter)?
  var recorders: [CommitRecorder] = []
  /// What may run a user's `deinit`.
  var trash = InlineList<any AnyObject & Sendable>.none
  /// What belonged to children that the commit dismissed; it is stopped, and yet to be dropped.
  var gone: Boxed<GoneChildren>?
  /// Children whose properties are yet to be proved to have owners.
  var unproved: Boxed<[UnprovedChild]>?

  mutating func take(_ decided: JobDecisions) {
    if !decided.isEmpty { jobs = decided }
  }

  mutating func takeJobs() -> JobDecisions? { jobs.take() }
}
