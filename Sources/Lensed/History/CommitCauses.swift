/// Why a commit was made, as a history keeps it.
struct CommitCauses: Sendable {
  var origin = CommitOrigin.replacement
  var parent: UInt64?
  var time: Duration?
  var isReplayed = false

  init() {}

  init(_ commit: CommitRecord) {
    origin = CommitOrigin(commit.cause, commit.source)
    (parent, time, isReplayed) = (commit.parent, commit.time, commit.isReplayed)
  }

  init<Value>(_ change: Change<Value>) {
    origin = change.origin
    (parent, time, isReplayed) = (change.parent, change.time, change.isReplayed)
  }
}
