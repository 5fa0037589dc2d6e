extension Task where Failure == any Error {
  /// Starts a task that prefers an executor, if there is one.
  ///
  /// Not `Task(executorPreference: nil)`: such a task looks for its preference each time it is continued, under
  /// a lock of the runtime.
  @inline(__always)
  static func start(
    on executor: (any TaskExecutor)?,
    _ operation: sending @escaping @isolated(any) () async throws -> Success
  ) -> Task {
    guard let executor else { return Task(operation: operation) }
    return Task(executorPreference: executor, operation: operation)
  }
}
