/// A list that any thread may add to, and that a task can wait on.
final class StormList<Value: Sendable>: Sendable {
  private struct List: Sendable {
    var values: [Value] = []
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let list = Fenced(List())

  var values: [Value] { list.withLock(\.values) }
  var count: Int { list.withLock(\.values.count) }
  var last: Value? { list.withLock(\.values.last) }

  func append(_ value: Value) {
    let watchers = list.withLock { list in
      list.values.append(value)
      let count = list.values.count
      defer { list.watchers.removeAll { $0.count <= count } }
      return list.watchers.filter { $0.count <= count }.map(\.continuation)
    }
    for watcher in watchers { watcher.resume() }
  }

  /// Returns when at least so many were added.
  nonisolated(nonsending) func waitForCount(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isEnough = list.withLock { list in
        if list.values.count >= count { return true }
        list.watchers.append((count, continuation))
        return false
      }
      if isEnough { continuation.resume() }
    }
  }
}
