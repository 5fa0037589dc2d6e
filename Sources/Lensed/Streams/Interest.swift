/// Which commits concern a reader of the state.
enum Interest: Sendable, Equatable {
  /// Every commit that a reducer handled.
  case everything
  /// Commits in which the reducer of one of these slots ran; with no slots, only replacements.
  case slots([Int])
  /// Those of the slots of one row, but for those in which only other rows were reduced.
  case row(any ObservedRow)
  /// Commits that concern a reader with one of these.
  indirect case any([Interest])

  /// Commits in which the reducer of one of some slots ran; one or two low ones share their array with other readers.
  static func oneOf(_ slots: [Int]) -> Interest {
    switch slots.count {
    case 1 where slots[0] < shared.count:
      .slots(shared[slots[0]])
    case 2 where slots[0] < sharedPairs.count && slots[1] < sharedPairs.count:
      .slots(sharedPairs[slots[0]][slots[1]])
    default:
      .slots(slots)
    }
  }

  private static let shared = (0..<64).map { [$0] }
  private static let sharedPairs = (0..<12).map { first in (0..<12).map { [first, $0] } }

  /// Whether a commit that ran the reducers of `touched` may concern the reader.
  func isConcerned(by touched: [Int]) -> Bool {
    switch self {
    case .everything: true
    case .slots(let own): own.contains { touched.contains($0) }
    case .row(let row): row.slots.contains { touched.contains($0) }
    case .any(let interests): interests.contains { $0.isConcerned(by: touched) }
    }
  }

  /// Whether a commit that ran the reducers of `touched` concerns the reader, whichever rows it touched.
  func isConcerned(byAnyRowOf touched: [Int]) -> Bool {
    switch self {
    case .everything, .slots: isConcerned(by: touched)
    case .row: false
    case .any(let interests): interests.contains { $0.isConcerned(byAnyRowOf: touched) }
    }
  }

  static func == (left: Interest, right: Interest) -> Bool {
    switch (left, right) {
    case (.everything, .everything): true
    case (.slots(let left), .slots(let right)): left == right
    case (.row(let left), .row(let right)): left === right
    case (.any(let left), .any(let right)): left == right
    default: false
    }
  }
}

/// One observed row, as an interest knows it.
protocol ObservedRow: AnyObject, Sendable {
  /// The sub-states that its collection is of.
  var slots: [Int] { get }
  /// The last commit that touched it; read under the lock of the store.
  var revision: UInt64 { get }
}
