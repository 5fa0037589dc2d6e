/// How much of a work a wait covers.
enum WorkExtent: Sendable {
  /// Everything that a cancellation reaches. Effects that belong to the state are not waited for.
  case cancelled
  /// The work's own actions.
  case applied
  /// Its actions, and everything that they started.
  case everything
}

/// The result of a wait for a work.
enum WorkOutcome: Sendable {
  case success
  /// An action of the work itself failed.
  case failure(any Error)
  case cancelled
  /// The wait would never have ended.
  case deadlocked
}

/// The waits for one work, as a pure value.
///
/// A single wait takes no memory of its own.
struct WaitList<Waiter: Sendable>: Sendable {
  private var waits = InlineTable<UInt64, (extent: WorkExtent, waiter: Waiter)>()

  var isEmpty: Bool { waits.isEmpty }

  mutating func add(_ waiter: Waiter, id: UInt64, for extent: WorkExtent) {
    waits[id] = (extent, waiter)
  }

  func contains(_ id: UInt64) -> Bool { waits[id] != nil }

  /// Removes one wait.
  mutating func remove(_ id: UInt64) -> Waiter? {
    defer { waits[id] = nil }
    return waits[id]?.waiter
  }

  mutating func removeAll() -> [Waiter] {
    waits.removeAll { _ in true }.map(\.waiter).all
  }

  /// Removes the waits whose extent is over.
  mutating func removeSatisfied(
    isApplied: Bool, isFinished: Bool, isCancellationOver: Bool
  ) -> InlineList<Waiter> {
    waits.removeAll { wait in
      switch wait.extent {
      case .applied: isApplied
      case .everything: isFinished
      case .cancelled: isCancellationOver
      }
    }.map(\.waiter)
  }

  /// Shortens a wait for everything to a wait for what a cancellation reaches.
  ///
  /// - Returns: Whether there was such a wait.
  mutating func narrow(_ id: UInt64) -> Bool {
    guard let wait = waits[id], wait.extent == .everything else { return false }
    waits[id] = (.cancelled, wait.waiter)
    return true
  }
}
