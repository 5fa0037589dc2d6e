/// Why a commit was made, as histories and sessions keep it.
package struct CommitCauses: Sendable {
  package var cause: CommitCause
  package var origin: CommitOrigin
  /// The number of the commit that set off what made it.
  package var parent: UInt64?
  package var site: CallSite?
  package var time: Duration?
  package var isHandled: Bool
  /// Whether it was made before, and is made again.
  package var isReplayed = false

  /// The causes that are known of a commit.
  package init(
    _ cause: CommitCause, _ origin: CommitOrigin, parent: UInt64? = nil, site: CallSite? = nil,
    time: Duration? = nil, isHandled: Bool = true
  ) {
    (self.cause, self.origin, self.parent, self.site) = (cause, origin, parent, site)
    (self.time, self.isHandled) = (time, isHandled)
  }

  /// The causes of the state with which something begins.
  static func beginning(at time: Duration? = nil) -> CommitCauses {
    CommitCauses(.replacement, .replacement, time: time, isHandled: false)
  }

  init(_ commit: CommitRecord) {
    self.init(
      commit.told, commit.origin, parent: commit.parent, site: commit.site, time: commit.time,
      isHandled: commit.isHandled)
    isReplayed = commit.isReplayed
  }

  init<Value>(_ change: Change<Value>) {
    self.init(
      change.cause, change.origin, parent: change.parent, site: change.site, time: change.time,
      isHandled: change.isHandled)
    isReplayed = change.isReplayed
  }
}
