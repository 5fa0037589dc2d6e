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
