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
    let scheduler: TestScheduler?
    let continuation: CheckedContinuation<Void, any Error>

    /// Lets it go on; called without the lock.
    func wake(with verdict: Verdict) {
      sleep.end()
      continuation.resume(with: verdict)
    }
  }

  /// One who waits until so many wait at the gate.
  private struct Crowd: Sendable {
    let size: Int
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct Waiting: Sendable {
    var isOpen = false
    var waiters: [UInt64: Waiter] = [:]
    var crowds: [UInt64: Crowd] = [:]
    var lastID: UInt64 = 0
    /// The waits that were cancelled before they began.
    var cancelled: Set<UInt64> = []

    mutating func makeID() -> UInt64 {
      lastID += 1
      return lastID
    }
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
    let (waiters, crowds) = waiting.withLock { waiting in
      waiting.isOpen = true
      defer { (waiting.waiters, waiting.crowds) = ([:], [:]) }
      return (waiting.waiters, waiting.crowds)
    }
    let inOrder = waiters.sorted { $0.key < $1.key }.map(\.value)
    LiveSchedulers.holding(inOrder.compactMap(\.scheduler)) {
      for waiter in inOrder { waiter.wake(with: .success(())) }
    }
    for crowd in crowds.values { crowd.continuation.resume() }
  }

  /// Returns when the gate is open.
  ///
  /// - Throws: `CancellationError` when the waiting task was cancelled.
  nonisolated(nonsending) public func wait() async throws {
    let id = waiting.withLock { $0.makeID() }
    let scheduler = LiveSchedulers.ofCurrentTask
    let sleep = WorkSleep()
    defer { sleep.end() }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        enter(id, Waiter(sleep: sleep, scheduler: scheduler, continuation: continuation))
      }
    } onCancel: {
      leave(id)
    }
  }

  /// Returns when so many wait at the closed gate; also when it is open, or when the task is cancelled.
  nonisolated(nonsending) public func waitForWaiters(_ count: Int = 1) async {
    let id = waiting.withLock { $0.makeID() }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = waiting.withLock { waiting in
          if waiting.waiters.count >= count || waiting.isOpen || Task.isCancelled { return true }
          waiting.crowds[id] = Crowd(size: count, continuation: continuation)
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      waiting.withLock { $0.crowds.removeValue(forKey: id) }?.continuation.resume()
    }
  }

  private func enter(_ id: UInt64, _ waiter: Waiter) {
    let (verdict, crowds) = waiting.withLock { waiting -> (Verdict?, [UInt64: Crowd]) in
      if waiting.cancelled.remove(id) != nil { return (.failure(CancellationError()), [:]) }
      if waiting.isOpen { return (.success(()), [:]) }
      waiting.waiters[id] = waiter
      let size = waiting.waiters.count
      let crowds = waiting.crowds.filter { $0.value.size <= size }
      for id in crowds.keys { waiting.crowds[id] = nil }
      return (nil, crowds)
    }
    if let verdict { waiter.wake(with: verdict) } else { waiter.sleep.begin() }
    for crowd in crowds.values { crowd.continuation.resume() }
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
