/// How much a thread does for others before it goes on with its own.
enum DeliveryShare {
  /// How many commits of other threads a thread delivers beside its own.
  ///
  /// As many lined-up calls of its own subscription a subscriber makes. The rest is left to whoever commits
  /// next, or to a task.
  static let count = 16
}
