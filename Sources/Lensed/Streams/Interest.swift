/// Which commits concern a reader of the state.
@usableFromInline
enum Interest: Sendable, Equatable {
  /// Every commit that a reducer handled.
  case everything
  /// Commits in which the reducer of one of these slots ran; with no slots, only replacements.
  case slots([Int])

  /// Commits in which the reducer of one slot ran: the interest of most readers, which share the array.
  static func alone(_ slot: Int) -> Interest {
    slot < shared.count ? .slots(shared[slot]) : .slots([slot])
  }

  private static let shared = (0..<64).map { [$0] }

  /// Whether a commit that ran the reducers of `touched` concerns the reader.
  func isConcerned(by touched: [Int]) -> Bool {
    switch self {
    case .everything: true
    case .slots(let own): own.contains { touched.contains($0) }
    }
  }
}
