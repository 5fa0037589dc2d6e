internal import Lensed

/// A value behind a lock, and those who wait until it is as they want it.
///
/// A condition is asked at each change, under the lock: so it is code of the test kit alone. Those whose wait is over
/// are resumed after the lock was released.
final class Watched<Value: Sendable>: Sendable {
  private struct Watcher: Sendable {
    let isEnough: @Sendable (borrowing Value) -> Bool
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct Contents: Sendable {
    var value: Value
    var watchers: [UInt64: Watcher] = [:]
    var lastID: UInt64 = 0

    /// Takes those whose wait is over.
    mutating func takeSatisfied() -> [CheckedContinuation<Void, Never>] {
      if watchers.isEmpty { return [] }
      let over = watchers.filter { $0.value.isEnough(value) }
      for id in over.keys { watchers[id] = nil }
      return over.values.map(\.continuation)
    }
  }

  private let contents: Locked<Contents>

  init(_ value: Value) {
    contents = Locked(Contents(value: value))
  }

  /// Reads the value.
  func read<Result: Sendable>(_ body: (borrowing Value) -> Result) -> Result {
    contents.withLock { body($0.value) }
  }

  /// Changes the value, and ends the waits that are over then.
  func change<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    let (result, woken) = contents.withLock { contents in
      let result = body(&contents.value)
      return (result, contents.takeSatisfied())
    }
    for continuation in woken { continuation.resume() }
    return result
  }

  /// Returns when the value is as a condition says, or when the waiting task is cancelled.
  nonisolated(nonsending) func wait(
    until isEnough: @escaping @Sendable (borrowing Value) -> Bool
  ) async {
    let id = contents.withLock { contents in
      contents.lastID += 1
      return contents.lastID
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = contents.withLock { contents in
          if isEnough(contents.value) || Task.isCancelled { return true }
          contents.watchers[id] = Watcher(isEnough: isEnough, continuation: continuation)
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      contents.withLock { $0.watchers.removeValue(forKey: id) }?.continuation.resume()
    }
  }
}

/// The waits that a cancellation may reach before they begin.
///
/// An id is kept from `makeID` to `begin`, which each wait calls: so a wait that is cancelled after it was woken leaves
/// nothing.
struct ComingWaits: Sendable {
  private var lastID: UInt64 = 0
  /// For each whether it was cancelled.
  private var coming: [UInt64: Bool] = [:]

  /// How many have yet to begin.
  var count: Int { coming.count }

  mutating func makeID() -> UInt64 {
    lastID += 1
    coming[lastID] = false
    return lastID
  }

  /// Notes that a wait begins.
  ///
  /// - Returns: Whether it was cancelled before.
  mutating func begin(_ id: UInt64) -> Bool { coming.removeValue(forKey: id) ?? false }

  /// Notes that a wait was cancelled; for one that has begun it is nothing to note.
  mutating func cancel(_ id: UInt64) {
    if coming[id] != nil { coming[id] = true }
  }
}
