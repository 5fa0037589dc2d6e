/// A listener that starts at most one job for each action.
///
/// If it alone listens to an action, the work of the dispatch is that job.
protocol JobStarter: AnyObject, Sendable {
  /// The queue of its jobs.
  var queue: any WorkQueue { get }

  /// Makes `work`, which has a claim, the one job of a commit; or ends the claim, if no job is to start.
  func startJob(as work: WorkNode, for report: consuming any CommitReport)
}
