internal import Lensed

/// A list that any thread may add to, and that a task can wait on.
///
/// ```swift
/// let heard = Recorder<Int>()
/// let subscription = store.states(\.count).subscribe { heard.append($0) }
/// #expect(await heard.waitForCount(3) == [0, 1, 2])
/// ```
public final class Recorder<Value: Sendable>: Sendable {
  private struct Watcher: Sendable {
    let isEnough: @Sendable (_ count: Int, _ last: Value?) -> Bool
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct List: Sendable {
    var values: [Value] = []
    var watchers: [UInt64: Watcher] = [:]
    var lastID: UInt64 = 0
  }

  private let list = Locked(List())

  /// An empty list.
  public init() {}

  /// What was added so far, in order.
  public var values: [Value] { list.withLock { $0.values } }

  /// How many were added so far.
  public var count: Int { list.withLock { $0.values.count } }

  /// The one added last.
  public var last: Value? { list.withLock { $0.values.last } }

  /// Adds a value.
  public func append(_ value: Value) {
    let (count, watchers) = list.withLock { list in
      list.values.append(value)
      return (list.values.count, list.watchers)
    }
    // The conditions are code of the test, and run without the lock.
    for (id, watcher) in watchers where watcher.isEnough(count, value) { end(id) }
  }

  /// Returns when at least so many were added, or when the waiting task is cancelled.
  ///
  /// - Returns: All that were added so far.
  @discardableResult
  nonisolated(nonsending) public func waitForCount(_ count: Int) async -> [Value] {
    await wait { present, _ in present >= count }
    return values
  }

  /// Returns when the value that was added last satisfies a condition, or when the waiting task is cancelled.
  ///
  /// After threads have dispatched, a task may have yet to deliver the last of what they committed.
  nonisolated(nonsending) public func wait(
    untilLast isMeant: @escaping @Sendable (Value) -> Bool
  ) async {
    await wait { _, last in last.map(isMeant) ?? false }
  }

  private nonisolated(nonsending) func wait(
    until isEnough: @escaping @Sendable (_ count: Int, _ last: Value?) -> Bool
  ) async {
    let id = list.withLock { list in
      list.lastID += 1
      return list.lastID
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let watcher = Watcher(isEnough: isEnough, continuation: continuation)
        let (count, last) = list.withLock { list in
          list.watchers[id] = watcher
          return (list.values.count, list.values.last)
        }
        // What came before the watcher was there has not notified it.
        if Task.isCancelled || isEnough(count, last) { end(id) }
      }
    } onCancel: {
      end(id)
    }
  }

  /// Ends a wait, unless it has ended.
  private func end(_ id: UInt64) {
    list.withLock { $0.watchers.removeValue(forKey: id) }?.continuation.resume()
  }
}
