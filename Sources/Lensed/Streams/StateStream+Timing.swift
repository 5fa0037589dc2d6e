// Streams that are debounced or throttled (effects are in `Effects/Debounce.swift` and `Effects/Throttle.swift`).
//
// A *debounced* stream waits for a lull:
// 1. The iterator takes the newest value, and starts a timer that wakes its reader.
// 2. If a newer value comes first, the timer is cancelled, and the wait begins anew with that value.
// 3. If the timer rings first, the value is emitted. If the stream ends first, its last value is emitted at once.
//
// A *throttled* stream spaces its values:
// 1. The first value is emitted at once, and sets the earliest moment of the next.
// 2. Asked before that moment, the iterator waits for it, or for the end of the stream, and only then reads: so of the
//    values in between it emits the newest.

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
    TimedStates(base: self, interval: waitable(interval), clock: clock, awaitsLull: true)
  }

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
    TimedStates(base: self, interval: waitable(interval), clock: clock, awaitsLull: false)
  }
}

// MARK: The stream

/// The values of a stream of states after each lull, or spaced in time.
private struct TimedStates<Element: Sendable, C: Clock>: AsyncSequence, Sendable {
  let base: StateStream<Element>
  let interval: C.Duration
  let clock: C
  let awaitsLull: Bool

  struct Iterator: AsyncIteratorProtocol {
    let reader: Reader<Element>
    let interval: C.Duration
    let clock: C
    let awaitsLull: Bool
    /// The earliest moment of the next spaced value.
    var earliest: C.Instant?

    nonisolated(nonsending) mutating func next() async -> Element? {
      awaitsLull ? await nextAfterLull() : await nextInTime()
    }

    private nonisolated(nonsending) func nextAfterLull() async -> Element? {
      guard var newest = await reader.next() else { return nil }
      while true {
        let hasRung = SharedFlag()
        let timer = startTimer(until: nextMoment, ringing: hasRung)
        let newer = await reader.next { hasRung.isSet }
        timer.cancel()
        guard let newer else { return Task.isCancelled ? nil : newest }
        newest = newer
      }
    }

    private nonisolated(nonsending) mutating func nextInTime() async -> Element? {
      if let earliest, clock.now < earliest {
        let hasRung = SharedFlag()
        let timer = startTimer(until: earliest, ringing: hasRung)
        await reader.waitForEnd { hasRung.isSet }
        timer.cancel()
      }
      guard let element = await reader.next() else { return nil }
      earliest = nextMoment
      return element
    }

    mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Never) -> Element? {
      await next()
    }

    private var nextMoment: C.Instant { clock.now.advanced(by: interval) }

    /// Starts a timer, which sets a flag, and then wakes the reader.
    ///
    /// A reader that sees the flag unset waits, and the signal that was raised ends that wait at once. A clock that
    /// fails ends the wait: there is nothing to wait for.
    private func startTimer(
      until deadline: C.Instant, ringing flag: SharedFlag
    ) -> Task<Void, Never> {
      let (clock, signal) = (clock, reader.signal)
      return Task.start(on: reader.taskExecutor) {
        try? await clock.sleep(until: deadline, tolerance: nil)
        if Task.isCancelled { return }
        flag.set()
        signal.raise()
      }
    }
  }

  func makeAsyncIterator() -> Iterator {
    Iterator(
      reader: base.makeReader(), interval: interval, clock: clock, awaitsLull: awaitsLull)
  }
}
