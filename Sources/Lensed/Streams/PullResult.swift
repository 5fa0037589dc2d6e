/// What came of pulling a part of the state.
enum PullResult: Sendable {
  /// A newer value was read.
  case fresh
  /// No commit has touched the part since the last pull.
  case unchanged
  /// The store has gone, and its last value was read: no value will follow.
  case ended

  /// The result of pulling both: fresh if one is, ended if both are.
  func combined(with other: PullResult) -> PullResult {
    switch (self, other) {
    case (.fresh, _), (_, .fresh): .fresh
    case (.ended, .ended): .ended
    default: .unchanged
    }
  }
}
