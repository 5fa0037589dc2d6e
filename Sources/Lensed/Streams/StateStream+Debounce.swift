internal import Synchronization

// A debounced stream waits for a lull (an effect's debounce is in `Effects/Debounce.swift`):
//
// 1. The iterator takes the newest value, and starts a timer that wakes its reader.
// 2. If a newer value comes first, the timer is cancelled, and the wait begins anew with that value.
// 3. If the timer rings first, the value is emitted. If the stream ends first, its last value is emitted at once.

extension StateStream {
  /// The newest value, once no newer one has come for a while.
  ///
  /// ```swift
  /// for await query in store.states(\.query).debounce(for: .milliseconds(300)) { search(query) }
  /// ```
  ///
  /// It starts with the value that is current once the first lull is over, and ends with its stream,
  /// whose last value is emitted without waiting for quiet.
  ///
  /// A clock that throws ends a wait at once.
  ///
  /// - Parameters:
  ///   - interval: How long it has to be quiet; a `Duration` of more than a century counts as a century.
  ///   - clock: The clock that measures the interval.
  /// - Returns: The values after each lull.
  public func debounce<C: Clock>(
    for interval: C.Duration, clock: C = ContinuousClock()
  ) -> some AsyncSequence<Element, Never> & Sendable {
    DebouncedStates(base: self, interval: waitable(interval), clock: clock)
  }
}

// MARK: The stream

/// The values of a stream of states after each lull.
private struct DebouncedStates<Element: Sendable, C: Clock>: AsyncSequence, Sendable {
  let base: StateStream<Element>
  let interval: C.Duration
  let clock: C

  struct Iterator: AsyncIteratorProtocol {
    let reader: Reader<Element>
    let interval: C.Duration
    let clock: C

    nonisolated(nonsending) mutating func next() async -> Element? {
      guard var newest = await reader.next() else { return nil }
      while true {
        let timer = WakingTimer()
        let deadline = clock.now.advanced(by: interval)
        let task = timer.start(clock, until: deadline, wakes: reader)
        let newer = await reader.next { timer.hasRung }
        task.cancel()
        guard let newer else { return Task.isCancelled ? nil : newest }
        newest = newer
      }
    }

    mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Never) -> Element? {
      await next()
    }
  }

  func makeAsyncIterator() -> Iterator {
    Iterator(reader: base.makeReader(), interval: interval, clock: clock)
  }
}

// MARK: The timer

/// Rings once, at a moment of a clock, and wakes a reader.
///
/// 1. The task of the timer stores `true` with release ordering, then raises the signal.
/// 2. The reader loads with acquire ordering after it was woken, so it sees the store.
/// 3. A stale `false` is harmless: the reader waits, and the signal that was raised ends that wait at once.
final class WakingTimer: Sendable {
  private let isOver = Atomic(false)

  var hasRung: Bool { isOver.load(ordering: .acquiring) }

  /// Starts the task of the timer.
  ///
  /// A clock that fails ends the wait: there is nothing to wait for.
  func start<C: Clock, Element>(
    _ clock: C, until deadline: C.Instant, wakes reader: Reader<Element>
  ) -> Task<Void, Never> {
    let signal = reader.signal
    return Task.start(on: reader.taskExecutor) {
      try? await clock.sleep(until: deadline, tolerance: nil)
      if Task.isCancelled { return }
      self.isOver.store(true, ordering: .releasing)
      signal.raise()
    }
  }
}
