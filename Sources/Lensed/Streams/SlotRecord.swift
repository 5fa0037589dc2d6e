/// What a commit notes about one sub-state, at an address that does not move.
struct SlotRecord: Sendable {
  /// The last commit in which its reducer ran.
  var revision: UInt64 = 0
  /// What a commit shows that ran its reducer.
  var signs: Signs = .handled
}

/// What a commit shows, gathered while its reducers run.
struct Signs: OptionSet, Sendable {
  let rawValue: UInt8

  /// A reducer ran.
  static let handled = Signs(rawValue: 1)
  /// A reducer did not run: a nil, a missing key, a prism that does not match.
  static let missed = Signs(rawValue: 2)
  /// Somebody is called back for a sub-state whose reducer ran.
  static let observed = Signs(rawValue: 4)
  /// Somebody waits for a sub-state whose reducer ran.
  static let awaited = Signs(rawValue: 8)
  /// Somebody has to hear of it.
  static let heard: Signs = [.observed, .awaited]
}
