/// An action among those of all commits, or the beginning of a commit.
struct CommitPlace: Comparable, Sendable {
  let revision: UInt64
  /// The place among the actions of the commit; -1 before the first.
  var member: Int32

  static func < (first: CommitPlace, second: CommitPlace) -> Bool {
    (first.revision, first.member) < (second.revision, second.member)
  }

  /// Before every commit.
  static let start = CommitPlace(revision: 0, member: -1)
}
