/// The store as works see it.
protocol WorkStore: AnyObject, Sendable {
  /// The executor that its tasks prefer; nil is the global one.
  var taskExecutor: (any TaskExecutor)? { get }

  /// Removes the root work at `registryIndex` from the store's registry.
  ///
  /// The work calls it once, when it has finished.
  func unregisterWork(at registryIndex: Int)

  /// Returns once every commit that had already begun has ended.
  func awaitCommit()

  /// Passes an error that no waiter received to the store's error handler.
  func report(_ error: any Error, of label: WorkLabel)
}

extension WorkStore {
  var taskExecutor: (any TaskExecutor)? { nil }
}
