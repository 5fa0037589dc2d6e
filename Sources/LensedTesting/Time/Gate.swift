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

  private struct Waiting: Sendable {
    var isOpen = false
    var waiters: [UInt64: Waiter] = [:]
    var coming = ComingWaits()
  }

  private typealias Verdict = Result<Void, any Error>

  private let waiting = Watched(Waiting())

  /// A closed gate.
  public init() {}

  /// Whether the gate was opened.
  public var isOpen: Bool { waiting.read { $0.isOpen } }

  /// The number of tasks that wait.
  public var waiterCount: Int { waiting.read { $0.waiters.count } }

  /// How many waits were asked for and have not begun.
  var comingCount: Int { waiting.read { $0.coming.count } }

  /// Lets all tasks through, now and later.
  public func open() {
    let waiters = waiting.change { waiting in
      waiting.isOpen = true
      defer { waiting.waiters = [:] }
      return waiting.waiters
    }
    let inOrder = waiters.sorted { $0.key < $1.key }.map(\.value)
    LiveSchedulers.holding(inOrder.compactMap(\.scheduler)) {
      for waiter in inOrder { waiter.wake(with: .success(())) }
    }
  }

  /// Returns when the gate is open.
  ///
  /// - Throws: `CancellationError` when the waiting task was cancelled.
  nonisolated(nonsending) public func wait() async throws {
    let id = waiting.change { $0.coming.makeID() }
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
    await waiting.wait { $0.waiters.count >= count || $0.isOpen }
  }

  private func enter(_ id: UInt64, _ waiter: Waiter) {
    let verdict = waiting.change { waiting -> Verdict? in
      if waiting.coming.begin(id) { return .failure(CancellationError()) }
      if waiting.isOpen { return .success(()) }
      waiting.waiters[id] = waiter
      return nil
    }
    if let verdict { waiter.wake(with: verdict) } else { waiter.sleep.begin() }
  }

  private func leave(_ id: UInt64) {
    let waiter = waiting.change { waiting in
      waiting.coming.cancel(id)
      return waiting.waiters.removeValue(forKey: id)
    }
    waiter?.wake(with: .failure(CancellationError()))
  }
}
