// How tasks are started, and how those that never wait take turns.

// MARK: On an executor

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

// MARK: Turns

/// How many steps a loop has made since it last let other jobs run.
///
/// A loop whose next element is always there would keep its actor and its thread for ever, on one core also from the
/// job that cancels it. Steps before and after a wait count alike: a wait does not suspend if what it waits for is
/// there.
@usableFromInline
struct JobTurn: Sendable {
  @usableFromInline
  var made = 0

  @inlinable
  init() {}

  /// Counts a step that is about to be made; returns whether the loop is to give way first, by `Task.yield()`.
  ///
  /// A turn has 16 steps on an actor, such as the main one, and 4,096 elsewhere: giving way takes some microseconds.
  @inlinable
  mutating func isOver(on actor: (any Actor)?) -> Bool {
    if made < (actor == nil ? 4_096 : 16) {
      made += 1
      return false
    }
    made = 1
    return true
  }
}
