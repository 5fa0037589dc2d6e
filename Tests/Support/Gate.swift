/// A gate that tasks wait at until somebody opens it; once open it stays open.
///
/// Any number may wait. A waiter whose task is cancelled leaves at once.
///
/// ```swift
/// let gate = Gate()
/// let late = Task { try await gate.wait(); store.dispatch(CountAction.add(1)) }
/// gate.open()
/// try await late.value
/// ```
public final class Gate: Sendable {
  private struct Yard: Sendable {
    var isOpen = false
    var waiters: [UInt64: CheckedContinuation<Void, any Error>] = [:]
    var crowds: [(size: Int, continuation: CheckedContinuation<Void, Never>)] = []
    var arrivals: UInt64 = 0
    var turnedAway: Set<UInt64> = []
  }

  private typealias Verdict = Result<Void, any Error>

  private let yard = Fenced(Yard())

  /// A closed gate.
  public init() {}

  /// Whether the gate was opened.
  public var isOpen: Bool { yard.withLock(\.isOpen) }

  /// Lets everybody through, now and later.
  public func open() {
    let waiters = yard.withLock { yard in
      yard.isOpen = true
      defer { yard.waiters = [:] }
      return yard.waiters
    }
    for waiter in waiters.values { waiter.resume() }
  }

  /// Returns when the gate is open.
  ///
  /// - Throws: `CancellationError` when the waiting task was cancelled.
  nonisolated(nonsending) public func wait() async throws {
    let id = yard.withLock { yard in
      yard.arrivals += 1
      return yard.arrivals
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        enter(id, continuation)
      }
    } onCancel: {
      leave(id)
    }
  }

  /// Returns when so many wait at the closed gate.
  nonisolated(nonsending) public func waitForWaiters(_ count: Int = 1) async {
    await withCheckedContinuation { continuation in
      let isCrowded = yard.withLock { yard in
        if yard.waiters.count >= count { return true }
        yard.crowds.append((count, continuation))
        return false
      }
      if isCrowded { continuation.resume() }
    }
  }

  private func enter(_ id: UInt64, _ continuation: CheckedContinuation<Void, any Error>) {
    let (verdict, crowds) = yard.withLock {
      yard -> (Verdict?, [CheckedContinuation<Void, Never>]) in
      if yard.turnedAway.remove(id) != nil { return (.failure(CancellationError()), []) }
      if yard.isOpen { return (.success(()), []) }
      yard.waiters[id] = continuation
      let size = yard.waiters.count
      defer { yard.crowds.removeAll { $0.size <= size } }
      return (nil, yard.crowds.filter { $0.size <= size }.map(\.continuation))
    }
    for crowd in crowds { crowd.resume() }
    if let verdict { continuation.resume(with: verdict) }
  }

  private func leave(_ id: UInt64) {
    let waiter = yard.withLock { yard in
      let waiter = yard.waiters.removeValue(forKey: id)
      if waiter == nil { yard.turnedAway.insert(id) }
      return waiter
    }
    waiter?.resume(throwing: CancellationError())
  }
}
