/// Post-commit work, as it leaves the lock; kept by the table, or by an audience.
typealias AfterCommitCell = UnsafeCell<AfterCommit>

/// Post-commit work, to be done once the lock is released.
struct AfterCommit: Sendable {
  /// Calls that this thread makes, where that is all; kept until there is no deliverer.
  var calls: Unretained<Audience>?
  /// Readers to wake.
  var wake: ContiguousArray<Signal> = []
  /// Calls to make, where this thread is the deliverer.
  var delivery: Delivery?
  /// What may run a user's `deinit`, and so is not released under the lock.
  var trash: [any Sendable] = []
}

/// The audience of a route, with the post-commit work of a commit that only its observers are notified of.
struct CachedAudience: Sendable {
  let audience: Audience
  /// Allocated once, and used again and again.
  private let work: AfterCommitCell

  init(_ audience: Audience) {
    self.audience = audience
    work = AfterCommitCell(AfterCommit(calls: Unretained(audience)))
  }

  /// The same without a count; the table keeps it alive until there is no deliverer that may use it.
  var unretained: UnretainedAudience {
    UnretainedAudience(audience: Unretained(audience), work: Unretained(work))
  }

  struct UnretainedAudience: Sendable {
    let audience: Unretained<Audience>
    let work: Unretained<AfterCommitCell>
  }
}
