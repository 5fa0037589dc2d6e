/// A listener that starts at most one job for each action.
///
/// If it alone listens to an action, the work of the dispatch is that job.
protocol JobStarter: AnyObject, Sendable {
  /// The queue of its jobs.
  var queue: any WorkQueue { get }

  /// Admits `work`, which has a claim, as the one job of a commit; under the lock.
  ///
  /// - Returns: Whether the caller is to start it once the lock is released. Otherwise the decisions have it.
  func admit(
    _ work: WorkNode, for report: any CommitReport, into decisions: inout CommitDecisions
  ) -> Bool

  /// Starts the job that was admitted.
  func startJob(as work: WorkNode, for report: consuming any CommitReport)
}
