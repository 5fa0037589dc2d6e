internal import Lensed

/// A list that any thread may add to, and that a task can wait on.
///
/// ```swift
/// let heard = Recorder<Int>()
/// let subscription = store.states(\.count).subscribe { heard.append($0) }
/// #expect(await heard.waitForCount(3) == [0, 1, 2])
/// ```
public final class Recorder<Value: Sendable>: Sendable {
  private struct List: Sendable {
    var values: [Value] = []
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
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
    let watchers = list.withLock { list in
      list.values.append(value)
      let count = list.values.count
      defer { list.watchers.removeAll { $0.count <= count } }
      return list.watchers.filter { $0.count <= count }.map(\.continuation)
    }
    for watcher in watchers { watcher.resume() }
  }

  /// Returns when at least so many were added.
  ///
  /// - Returns: All that were added so far.
  @discardableResult
  nonisolated(nonsending) public func waitForCount(_ count: Int) async -> [Value] {
    await withCheckedContinuation { continuation in
      let isEnough = list.withLock { list in
        if list.values.count >= count { return true }
        list.watchers.append((count, continuation))
        return false
      }
      if isEnough { continuation.resume() }
    }
    return values
  }

  /// Returns when the value that was added last satisfies a condition.
  ///
  /// After threads have dispatched, a task may have yet to deliver the last of what they committed.
  nonisolated(nonsending) public func wait(untilLast isMeant: (Value) -> Bool) async {
    while !(last.map(isMeant) ?? false) { await Task.yield() }
  }
}
