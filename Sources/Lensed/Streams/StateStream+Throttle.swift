// A throttled stream spaces its values (an effect's throttle is in `Effects/Throttle.swift`):
//
// 1. The first value is emitted at once, and sets the earliest moment of the next.
// 2. Asked before that moment, the iterator waits for it, or for the end of the stream, and only then reads: so of the
//    values in between it emits the newest.

extension StateStream {
  /// The values, at most one in each interval; of the values in between, the newest waits for its end.
  ///
  /// The first is emitted at once. It ends with its stream, whose last value is emitted without waiting for the end
  /// of the interval.
  ///
  /// A clock that throws ends a wait at once.
  ///
  /// - Parameters:
  ///   - interval: The time from one value to the earliest next; none for zero or less, and a `Duration`
  ///     of more than a century counts as a century.
  ///   - clock: The clock that measures the interval.
  /// - Returns: The spaced values.
  public func throttle<C: Clock>(
    for interval: C.Duration, clock: C = ContinuousClock()
  ) -> some AsyncSequence<Element, Never> & Sendable {
    ThrottledStates(base: self, interval: waitable(interval), clock: clock)
  }
}

// MARK: The stream

/// The values of a stream of states, spaced in time.
private struct ThrottledStates<Element: Sendable, C: Clock>: AsyncSequence, Sendable {
  let base: StateStream<Element>
  let interval: C.Duration
  let clock: C

  struct Iterator: AsyncIteratorProtocol {
    let reader: Reader<Element>
    let interval: C.Duration
    let clock: C
    var earliest: C.Instant?

    nonisolated(nonsending) mutating func next() async -> Element? {
      if let earliest, clock.now < earliest {
        let timer = WakingTimer()
        let task = timer.start(clock, until: earliest, wakes: reader)
        await reader.waitForEnd { timer.hasRung }
        task.cancel()
      }
      guard let element = await reader.next() else { return nil }
      earliest = clock.now.advanced(by: interval)
      return element
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
