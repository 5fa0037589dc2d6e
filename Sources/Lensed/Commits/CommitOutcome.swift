/// How an attempt on the fast path ended.
///
/// It is a number rather than an enum, so that the usual outcome is one comparison.
@usableFromInline
struct CommitOutcome: Sendable, Equatable {
  /// The commit was made, and nothing is left to do.
  @inlinable
  static var done: CommitOutcome { CommitOutcome(bits: 0) }
  /// Nothing was done, and the lock is still held: the commit goes on on the slow path.
  @inlinable
  static var needsSlowPath: CommitOutcome { CommitOutcome(bits: 1) }
  /// Nothing was done: the thread holds the lock already.
  @inlinable
  static var intruded: CommitOutcome { CommitOutcome(bits: 2) }
  /// Nothing was done: the work that the commit belongs to was stopped.
  @inlinable
  static var stopped: CommitOutcome { CommitOutcome(bits: 3) }

  /// One of the above, or the address of the post-commit work.
  @usableFromInline
  let bits: UInt

  @inlinable
  init(bits: UInt) {
    self.bits = bits
  }

  /// The commit was made, and leaves post-commit work, if any.
  init(_ work: Unretained<AfterCommitCell>?) {
    bits = work?.bits ?? 0
  }

  @inlinable
  var isDone: Bool { bits == 0 }

  /// The post-commit work, if there is any.
  var afterCommit: Unretained<AfterCommitCell>? {
    bits > 3 ? Unretained(bits: bits) : nil
  }
}
