// Not `Task(executorPreference: nil)`: it looks for its preference each time it is continued, under a lock of the
// runtime.

extension Task where Failure == any Error {
  /// Starts a task that prefers an executor, if there is one.
  @inline(__always)
  static func start(
    on executor: (any TaskExecutor)?,
    _ operation: sending @escaping @isolated(any) () async throws -> Success
  ) -> Task {
    guard let executor else { return Task(operation: operation) }
    return Task(executorPreference: executor, operation: operation)
  }
}

extension Task where Failure == Never {
  /// Starts a task that prefers an executor, if there is one.
  static func start(
    on executor: (any TaskExecutor)?,
    _ operation: sending @escaping @isolated(any) () async -> Success
  ) -> Task {
    guard let executor else { return Task(operation: operation) }
    return Task(executorPreference: executor, operation: operation)
  }

  /// Starts a task that inherits nothing, and prefers an executor, if there is one.
  static func startDetached(
    on executor: (any TaskExecutor)?,
    _ operation: sending @escaping @isolated(any) () async -> Success
  ) where Success == Void {
    if let executor {
      Task.detached(executorPreference: executor, operation: operation)
    } else {
      Task.detached(operation: operation)
    }
  }
}
