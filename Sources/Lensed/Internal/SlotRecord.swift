/// The record of one sub-state, at an address that does not move.
///
/// A commit writes it under the lock of the store.
@usableFromInline
struct SlotRecord: Sendable {
  /// The last commit in which the reducer of the sub-state ran.
  @usableFromInline
  var revision: UInt64 = 0
  /// The flags of a commit in which the reducer runs.
  @usableFromInline
  var flags: CommitFlags = .handled
}

/// The findings of a commit, gathered while its reducers run.
@usableFromInline
struct CommitFlags: OptionSet, Sendable {
  @usableFromInline
  let rawValue: UInt16

  @inlinable
  init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// A reducer ran.
  static let handled = CommitFlags(rawValue: 1)
  /// A reducer did not run: a nil, a missing key, a prism that does not match.
  static let notRun = CommitFlags(rawValue: 2)
  /// A sub-state whose reducer ran has observers.
  static let observed = CommitFlags(rawValue: 4)
  /// A reader waits for a sub-state whose reducer ran.
  static let awaited = CommitFlags(rawValue: 8)
  /// A sub-state whose reducer ran has rows that are observed; which of them were touched is yet to be found out.
  static let hasRows = CommitFlags(rawValue: 16)
  /// A row was touched that has observers, or that a reader waits for.
  static let touchedRows = CommitFlags(rawValue: 32)
  /// Every commit is recorded for a run of an effect, and so takes the slow path.
  static let recorded = CommitFlags(rawValue: 64)
  /// The handlers of the route run the reducers: whether they all do is seen then.
  static let byHandlers = CommitFlags(rawValue: 128)
  /// A reducer gave an element of a collection another id, so the ids in the actions do not tell what was touched.
  static let changedID = CommitFlags(rawValue: 256)
  /// The same, of a collection in an element.
  static let changedInnerID = CommitFlags(rawValue: 512)

  /// The same without what it says of ids; not by an array of flags, for which code that is not optimised allocates.
  var withoutIDs: CommitFlags { subtracting(.changedID).subtracting(.changedInnerID) }

  /// Both together.
  @inlinable
  static func | (first: CommitFlags, second: CommitFlags) -> CommitFlags {
    CommitFlags(rawValue: first.rawValue | second.rawValue)
  }

  /// Whether observers or readers are to be notified, or might be.
  @inlinable
  var needsNotification: Bool {
    // Observed, awaited, with rows, recorded, or run by handlers.
    rawValue & 0b1111_1100 != 0
  }
}
