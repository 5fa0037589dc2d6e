internal import Lensed

/// The schedulers that are alive, to find the one that a task runs on.
enum LiveSchedulers {
  private struct Entry: Sendable {
    weak var scheduler: TestScheduler?
  }

  private static let entries = Locked<[ObjectIdentifier: Entry]>([:])

  static func add(_ scheduler: TestScheduler) {
    entries.withLock { $0[ObjectIdentifier(scheduler)] = Entry(scheduler: scheduler) }
  }

  static func remove(_ id: ObjectIdentifier) {
    entries.withLock { $0[id] = nil }
  }

  /// The scheduler that the running task prefers, if it prefers one.
  static var ofCurrentTask: TestScheduler? {
    let executor = unsafe withUnsafeCurrentTask { unsafe $0?.unownedTaskExecutor }
    guard let executor = unsafe executor else { return nil }
    // Released without the lock.
    let all = entries.withLock { $0.values.compactMap(\.scheduler) }
    return all.first { unsafe $0.asUnownedTaskExecutor() == executor }
  }
}
