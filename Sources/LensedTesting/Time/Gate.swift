internal import Lensed

/// A gate that tasks wait at until it is opened; once open it stays open.
///
/// Any number may wait. A waiter whose task is cancelled leaves at once.
///
/// ```swift
/// let gate = Gate()
/// let late = Task { try await gate.wait(); store.dispatch(CountAction.add(1)) }
/// gate.open()
/// try await late.value
/// ```
///
/// An effect of a `TestStore` that waits here rests, as one does that sleeps on a `ManualClock`: the test knows
/// that nothing comes of it before the gate opens.
public final class Gate: Sendable {
  private struct Waiter: Sendable {
    let sleep: WorkSleep
    let continuation: CheckedContinuation<Void, any Error>

    /// Lets it go on; called without the lock.
    func wake(with verdict: Verdict) {
      sleep.end()
      continuation.resume(with: verdict)
    }
  }

  private struct Waiting: Sendable {
    var isOpen = false
    var waiters: [UInt64: Waiter] = [:]
    var crowds: [(size: Int, continuation: CheckedContinuation<Void, Never>)] = []
    var lastID: UInt64 = 0
    /// The waits that were cancelled before they began.
    var cancelled: Set<UInt64> = []
  }

  private typealias Verdict = Result<Void, any Error>

  private let waiting = Locked(Waiting())

  /// A closed gate.
  public init() {}

  /// Whether the gate was opened.
  public var isOpen: Bool { waiting.withLock { $0.isOpen } }

  /// How many wait.
  public var waiterCount: Int { waiting.withLock { $0.waiters.count } }

  /// Lets all tasks through, now and later.
  public func open() {
    let waiters = waiting.withLock { waiting in
      waiting.isOpen = true
      defer { waiting.waiters = [:] }
      return waiting.waiters
    }
    for waiter in waiters.sorted(by: { $0.key < $1.key }) { waiter.value.wake(with: .success(())) }
  }

  /// Returns when the gate is open.
  ///
  /// - Throws: `CancellationError` when the waiting task was cancelled.
  nonisolated(nonsending) public func wait() async throws {
    let id = waiting.withLock { waiting in
      waiting.lastID += 1
      return waiting.lastID
    }
    let sleep = WorkSleep()
    defer { sleep.end() }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        enter(id, Waiter(sleep: sleep, continuation: continuation))
      }
    } onCancel: {
      leave(id)
    }
  }

  /// Returns when so many wait at the closed gate.
  nonisolated(nonsending) public func waitForWaiters(_ count: Int = 1) async {
    await withCheckedContinuation { continuation in
      let isCrowded = waiting.withLock { waiting in
        if waiting.waiters.count >= count { return true }
        waiting.crowds.append((count, continuation))
        return false
      }
      if isCrowded { continuation.resume() }
    }
  }

  private func enter(_ id: UInt64, _ waiter: Waiter) {
    let (verdict, crowds) = waiting.withLock {
      waiting -> (Verdict?, [CheckedContinuation<Void, Never>]) in
      if waiting.cancelled.remove(id) != nil { return (.failure(CancellationError()), []) }
      if waiting.isOpen { return (.success(()), []) }
      waiting.waiters[id] = waiter
      let size = waiting.waiters.count
      defer { waiting.crowds.removeAll { $0.size <= size } }
      return (nil, waiting.crowds.filter { $0.size <= size }.map(\.continuation))
    }
    if let verdict { waiter.wake(with: verdict) } else { waiter.sleep.begin() }
    for crowd in crowds { crowd.resume() }
  }

  private func leave(_ id: UInt64) {
    let waiter = waiting.withLock { waiting in
      let waiter = waiting.waiters.removeValue(forKey: id)
      if waiter == nil { waiting.cancelled.insert(id) }
      return waiter
    }
    waiter?.wake(with: .failure(CancellationError()))
  }
}
