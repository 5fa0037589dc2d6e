/// The backlogs of notifications to come, in their order.
final class PreparedBacklogs: Sendable {
  private let backlogs: ChangeBacklogs
  private let limit: Int
  private let keepsPrevious: Bool
  private let prepared = Locked(RingBuffer<ChangeBacklog>())

  init(limit: Int, keepingPrevious: Bool, in core: StoreCore) {
    backlogs = core.makeBacklogs()
    (self.limit, keepsPrevious) = (limit, keepingPrevious)
  }

  /// Adds a backlog for a notification that is to come; under the lock of the store.
  func prepareNotification() {
    let backlog = backlogs.add(limit: limit, keepingPrevious: keepsPrevious)
    prepared.withLock { $0.append(backlog) }
  }

  /// The backlog that was added for this notification.
  func popFirst() -> ChangeBacklog? {
    prepared.withLock { $0.popFirst() }
  }
}
