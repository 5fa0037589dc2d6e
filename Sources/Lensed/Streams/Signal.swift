/// Wakes one waiting task: a signal machine with its lock, and the continuation of the task.
final class Signal: Sendable {
  private let machine = Locked(SignalMachine<Waiter<Void>>())

  func raise() {
    machine.withLock { $0.raise() }?.resume()
  }

  /// Ends every wait, now and later.
  func end() {
    machine.withLock { $0.end() }?.resume()
  }

  /// Waits until the signal is raised or the calling task is cancelled, which ends the signal.
  nonisolated(nonsending) func wait() async {
    await withTaskCancellationHandler {
      await Waiter.wait { waiter in
        machine.withLock { $0.wait(waiter) }?.resume()
      }
    } onCancel: {
      end()
    }
  }
}

// MARK: Its machine

/// When a waiting reader is woken, as a pure machine: of one waiter at most.
///
/// A raise without a waiter is kept, and ends the next wait at once; several count as one.
struct SignalMachine<Waiter: Sendable>: Sendable {
  enum State: Sendable {
    case idle
    case raised
    case waiting(Waiter)
    case over
  }

  private(set) var state = State.idle

  /// Whether the signal was ended.
  var isOver: Bool { if case .over = state { true } else { false } }

  /// Begins a wait; returns the waiter, if the caller has to resume it at once.
  mutating func wait(_ waiter: Waiter) -> Waiter? {
    switch state {
    case .idle:
      state = .waiting(waiter)
      return nil
    case .raised:
      state = .idle
      return waiter
    case .over:
      return waiter
    case .waiting:
      fatalError(
        "Lensed: a second task asked an iterator for its next value while another was waiting for "
          + "it. An iterator belongs to one task: make one for each.")
    }
  }

  /// Wakes the waiter, or the next one; returns the one to resume, if there is one.
  mutating func raise() -> Waiter? {
    switch state {
    case .idle, .raised:
      state = .raised
      return nil
    case .waiting(let waiter):
      state = .idle
      return waiter
    case .over:
      return nil
    }
  }

  /// Ends every wait, now and later.
  ///
  /// - Returns: The waiter to resume, if there is one.
  mutating func end() -> Waiter? {
    defer { state = .over }
    if case .waiting(let waiter) = state { return waiter }
    return nil
  }
}
