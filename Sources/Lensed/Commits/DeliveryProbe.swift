/// Calls back once the commits before it were delivered.
final class DeliveryProbe: CommitNotification {
  private let callBack: @Sendable () -> Void

  init(_ callBack: @escaping @Sendable () -> Void) {
    self.callBack = callBack
  }

  func notifyBeforeObservers() {}
  func notifyAfterObservers() { callBack() }
  func willBeQueued() {}
}
