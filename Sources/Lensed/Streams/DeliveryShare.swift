/// How much a thread does for others before it goes on with its own.
enum DeliveryShare {
  /// How many commits of other threads a thread delivers beside its own.
  ///
  /// A subscriber makes as many queued calls of its own subscription. The rest is left to the next commit, or
  /// to a task.
  static let count = 16
}
