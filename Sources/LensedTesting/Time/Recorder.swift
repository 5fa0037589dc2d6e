internal import Lensed

/// A list that any thread may add to, and that a task can wait on.
///
/// ```swift
/// let heard = Recorder<Int>()
/// let subscription = store.states(\.count).subscribe { heard.append($0) }
/// #expect(await heard.waitForCount(3) == [0, 1, 2])
/// ```
public final class Recorder<Value: Sendable>: Sendable {
  private let list = Watched<[Value]>([])

  /// An empty list.
  public init() {}

  /// What was added so far, in order.
  public var values: [Value] { list.read { copy $0 } }

  /// How many were added so far.
  public var count: Int { list.read { $0.count } }

  /// The one added last.
  public var last: Value? { list.read { $0.last } }

  /// Adds a value.
  public func append(_ value: Value) {
    list.change { $0.append(value) }
  }

  /// Returns when at least so many were added, or when the waiting task is cancelled.
  ///
  /// - Returns: All that were added so far.
  @discardableResult
  nonisolated(nonsending) public func waitForCount(_ count: Int) async -> [Value] {
    await list.wait { $0.count >= count }
    return values
  }

  /// Returns when the value that was added last satisfies a condition, or when the waiting task is cancelled.
  ///
  /// After threads have dispatched, a task may have yet to deliver the last of what they committed.
  nonisolated(nonsending) public func wait(
    untilLast isMeant: @escaping @Sendable (Value) -> Bool
  ) async {
    var seen = max(0, count - 1)
    while true {
      // The condition is code of the test, and runs without the lock; each value was the last one for a while.
      let new = list.read { Array($0.dropFirst(seen)) }
      if new.contains(where: isMeant) { return }
      seen += new.count
      await list.wait { [seen] in $0.count > seen }
      if Task.isCancelled { return }
    }
  }
}
