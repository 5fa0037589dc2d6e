/// The calls of one commit that are yet to be made.
struct Delivery: Sendable {
  let audience: Audience
  let revision: UInt64
  private let kind: DeliveryKind
  /// The thread that committed.
  private let thread = ThreadIdentity.current
  /// The listeners to notify around the calls.
  var notification: (any CommitNotification)?
  /// The commit that the deliverer has just made; `.max` where it made none.
  var deliverersCommit: UInt64

  init(
    audience: Audience, revision: UInt64, kind: DeliveryKind = .ordinary,
    notification: (any CommitNotification)? = nil
  ) {
    (self.audience, self.revision, self.kind) = (audience, revision, kind)
    self.notification = notification
    deliverersCommit = revision
  }

  /// Whether the calling thread made the commit, and made it at `revision` or later.
  func isOwn(since revision: UInt64) -> Bool {
    self.revision >= revision && thread == ThreadIdentity.current
  }

  /// Makes the calls; by the deliverer.
  func makeCalls() {
    audience.baton.mark.delivering(revision, kind) {
      notification?.notifyBeforeObservers()
      audience.deliver(revision)
      notification?.notifyAfterObservers()
    }
  }
}

/// Notifies others than observers of a commit.
@usableFromInline
protocol CommitNotification: AnyObject, Sendable {
  /// Notifies those that come before the observers.
  func notifyBeforeObservers()
  /// Notifies those that come after the observers.
  func notifyAfterObservers()
  /// Notes, under the lock and where the commit is made, that another thread may deliver it.
  func willBeQueued()
}
