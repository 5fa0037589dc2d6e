/// What a commit notes about one sub-state, at an address that does not move.
@usableFromInline
struct SlotRecord: Sendable {
  /// The last commit in which its reducer ran.
  @usableFromInline
  var revision: UInt64 = 0
  /// What a commit shows that ran its reducer.
  @usableFromInline
  var signs: CommitFlags = .handled
}

/// What a commit shows, gathered while its reducers run.
@usableFromInline
struct CommitFlags: OptionSet, Sendable {
  @usableFromInline
  let rawValue: UInt8

  @inlinable
  init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// A reducer ran.
  static let handled = CommitFlags(rawValue: 1)
  /// A reducer did not run: a nil, a missing key, a prism that does not match.
  static let missed = CommitFlags(rawValue: 2)
  /// Somebody is called back for a sub-state whose reducer ran.
  static let observed = CommitFlags(rawValue: 4)
  /// Somebody waits for a sub-state whose reducer ran.
  static let awaited = CommitFlags(rawValue: 8)

  /// Both together.
  @inlinable
  static func | (first: CommitFlags, second: CommitFlags) -> CommitFlags {
    CommitFlags(rawValue: first.rawValue | second.rawValue)
  }

  /// Whether somebody has to hear of it.
  @inlinable
  var isHeard: Bool {
    // Observed, or awaited.
    rawValue & 0b1100 != 0
  }
}
