/// The facts of one commit, as every listener is given them.
struct CommitRecord: Sendable {
  /// The state after the commit; to be read under the lock of the store.
  let state: StateAddress
  let actions: CommittedActions
  let site: CallSite?
  /// What the store did: a commit that replays a state is a replacement here, whatever its record says.
  let cause: CommitCause
  let revision: UInt64
  let isHandled: Bool
  let touched: TouchedParts
  /// How many collections deep the reducers that ran touch nothing but the elements that the actions name.
  var elementDepth = 0
  /// Whether they touched other rows alone than the one that the reader is given.
  var isOfOtherRows = false
  /// Whether there was no commit, and a listener is notified of the state in which it was attached.
  var isInstallation = false
  /// The values for the time being that the state shows; nil where there are none.
  var placeholders: PlaceholderList?
  /// The work that made it; nil where it was dispatched from outside.
  var source: WorkLabel?
  /// The number of the commit that set off what made it.
  var parent: UInt64?
  /// The time since the store was made, for recorders and middleware.
  var time: Duration?
  /// Whether it was made before, and is made again.
  var isReplayed = false
  /// What its record says, where it is replayed and that is known.
  var recorded: Boxed<CommitCauses>?
  /// The commit in whose delivery an observer has dispatched it; nil for any other.
  var reaction: DeliveredCommit?
  /// Whether it only shows, or puts back, what an asynchronous reducer has for the time being: the settled state is
  /// the same as before it.
  var leavesSettled = false
  /// The way back to the store, once a listener needs it.
  var home: StoreHome?

  /// The cause that readers are told: that of the record, where it is replayed.
  var told: CommitCause { recorded?.value.cause ?? cause }
  /// What made it; where it is replayed, what made the recorded one.
  var origin: CommitOrigin { recorded?.value.origin ?? CommitOrigin(cause, source) }
}

extension CommitRecord {
  /// Whether a reducer ran that owns a part of what the footprint covers, or the state was replaced.
  func touches(_ footprint: Footprint) -> Bool {
    footprint.parts.contains { part in
      cause == .replacement
        || (part.isUndecided || part.isWhole ? isHandled : touched.touches(part))
    }
  }
}

/// What a commit came from.
public enum CommitCause: String, Sendable, Hashable, Codable {
  /// An action was dispatched.
  case action
  /// Work of an asynchronous reducer ended: its outcome, or what was there before, if it failed or was cancelled.
  case asyncResult
  /// Work of an asynchronous reducer began, or goes on, and shows a value for the time being.
  ///
  /// It is no step of a `History`, and nothing to keep: see `Store.settledState`.
  case placeholder
  /// The state was replaced as a whole.
  case replacement
}
