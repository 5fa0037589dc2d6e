#if canImport(Testing)
  internal import Lensed

  /// Whose step is being made: the steps of several tasks are made one after another, in the order in which they came.
  ///
  /// Its state is the queue, under its own lock. A step of an effect that waits for its turn sleeps, so that the step
  /// before it does not wait for that effect.
  final class StepTurns: Sendable {
    private struct Waiter: Sendable {
      let sleep: WorkSleep
      let continuation: CheckedContinuation<Void, Never>
    }

    private struct Queue: Sendable {
      var isTaken = false
      var waiters: [Waiter] = []
    }

    private let queue = Locked(Queue())

    /// Makes a step once all that came before it have been made.
    nonisolated(nonsending) func step<Result>(
      _ body: nonisolated(nonsending) () async throws -> Result
    ) async rethrows -> Result {
      await begin()
      defer { end() }
      return try await body()
    }

    private nonisolated(nonsending) func begin() async {
      let sleep = WorkSleep()
      defer { sleep.end() }
      await withCheckedContinuation { continuation in
        let isMine = queue.withLock { queue in
          if !queue.isTaken {
            queue.isTaken = true
            return true
          }
          queue.waiters.append(Waiter(sleep: sleep, continuation: continuation))
          return false
        }
        if isMine { continuation.resume() } else { sleep.begin() }
      }
    }

    private func end() {
      let next = queue.withLock { queue -> Waiter? in
        queue.isTaken = !queue.waiters.isEmpty
        return queue.isTaken ? queue.waiters.removeFirst() : nil
      }
      next?.sleep.end()
      next?.continuation.resume()
    }
  }
#endif
