/// How an attempt on the fast path ended.
///
/// It is made of numbers rather than an enum, so that the usual outcome is one comparison.
@usableFromInline
struct CommitOutcome: Sendable, Equatable {
  /// Nothing was done, and the lock is still held: the commit goes on on the slow path.
  @inlinable
  static var needsSlowPath: CommitOutcome { CommitOutcome(bits: 1) }
  /// Nothing was done: the thread holds the lock already.
  @inlinable
  static var intruded: CommitOutcome { CommitOutcome(bits: 2) }
  /// Nothing was done: the work that the commit belongs to was stopped.
  @inlinable
  static var stopped: CommitOutcome { CommitOutcome(bits: 3) }

  /// One of the above, or the address of the post-commit work; zero if nothing is left to do.
  @usableFromInline
  let bits: UInt
  /// The number of the commit; zero if none was made.
  @usableFromInline
  let revision: UInt64

  @inlinable
  init(bits: UInt) {
    (self.bits, revision) = (bits, 0)
  }

  /// The commit was made, and nothing is left to do.
  @inlinable
  init(done revision: UInt64) {
    (bits, self.revision) = (0, revision)
  }

  /// The commit was made, and leaves post-commit work, if any.
  init(_ work: Unretained<AfterCommitCell>?, of revision: UInt64) {
    (bits, self.revision) = (work?.bits ?? 0, revision)
  }

  @inlinable
  static func == (first: CommitOutcome, second: CommitOutcome) -> Bool {
    first.bits == second.bits
  }

  @inlinable
  var isDone: Bool { bits == 0 }

  /// The post-commit work, if there is any.
  var afterCommit: Unretained<AfterCommitCell>? {
    bits > 3 ? Unretained(bits: bits) : nil
  }
}
