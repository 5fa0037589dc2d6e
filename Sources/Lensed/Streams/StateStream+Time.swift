internal import Synchronization

extension StateStream {
  /// The newest value, once none newer has come for a while.
  ///
  /// ```swift
  /// for await query in store.states(\.query).debounce(for: .milliseconds(300)) { search(query) }
  /// ```
  ///
  /// - Parameters:
  ///   - interval: How long it has to be quiet; a `Duration` of more than a century counts as a century.
  ///   - clock: Whose time it is.
  /// - Returns: The values after each lull.
  public func debounce<C: Clock>(
    for interval: C.Duration, clock: C = ContinuousClock()
  ) -> DebouncedStates<Element, C> {
    DebouncedStates(base: self, interval: waitable(interval), clock: clock)
  }

  /// The values, at most one in each interval; what comes between waits, and the newest is given.
  ///
  /// - Parameters:
  ///   - interval: The time from one value to the earliest next; none for zero or less, and a `Duration`
  ///     of more than a century counts as a century.
  ///   - clock: Whose time it is.
  /// - Returns: The spaced values.
  public func throttle<C: Clock>(
    for interval: C.Duration, clock: C = ContinuousClock()
  ) -> ThrottledStates<Element, C> {
    ThrottledStates(base: self, interval: waitable(interval), clock: clock)
  }
}

/// The values of a stream of states after each lull.
///
/// It starts with the value that is current once the first lull is over, and ends with its stream,
/// whose last value is given without waiting for quiet.
public struct DebouncedStates<Element: Sendable, C: Clock>: AsyncSequence, Sendable {
  /// A stream of states never fails.
  public typealias Failure = Never

  let base: StateStream<Element>
  let interval: C.Duration
  let clock: C

  /// What draws the values, one at a time, for one task.
  public struct Iterator: AsyncIteratorProtocol {
    let reader: Reader<Element>
    let interval: C.Duration
    let clock: C

    /// The next value, or nil when there will be none.
    nonisolated(nonsending) public mutating func next() async -> Element? {
      guard var newest = await reader.next() else { return nil }
      while true {
        let timer = Timer(clock, until: clock.now.advanced(by: interval), wakes: reader.alarm)
        let newer = await reader.next { timer.hasRung }
        timer.cancel()
        guard let newer else { return Task.isCancelled ? nil : newest }
        newest = newer
      }
    }
  }

  /// A reader of its own.
  public func makeAsyncIterator() -> Iterator {
    Iterator(reader: base.makeReader(), interval: interval, clock: clock)
  }
}

/// The values of a stream of states, spaced in time.
///
/// The first is given at once. It ends with its stream.
public struct ThrottledStates<Element: Sendable, C: Clock>: AsyncSequence, Sendable {
  /// A stream of states never fails.
  public typealias Failure = Never

  let base: StateStream<Element>
  let interval: C.Duration
  let clock: C

  /// What draws the values, one at a time, for one task.
  public struct Iterator: AsyncIteratorProtocol {
    let reader: Reader<Element>
    let interval: C.Duration
    let clock: C
    var earliest: C.Instant?

    /// The next value, or nil when there will be none.
    nonisolated(nonsending) public mutating func next() async -> Element? {
      if let earliest, clock.now < earliest {
        do {
          try await clock.sleep(until: earliest, tolerance: nil)
        } catch {
          reader.end()
          self.earliest = nil
          return nil
        }
      }
      guard let element = await reader.next() else { return nil }
      earliest = clock.now.advanced(by: interval)
      return element
    }
  }

  /// A reader of its own.
  public func makeAsyncIterator() -> Iterator {
    Iterator(reader: base.makeReader(), interval: interval, clock: clock)
  }
}

/// Rings once, at a moment of a clock, and wakes a reader.
private final class Timer: Sendable {
  private let rung = Ringing()
  private let task: Task<Void, Never>

  final class Ringing: Sendable {
    let has = Atomic(false)
  }

  init<C: Clock>(_ clock: C, until deadline: C.Instant, wakes signal: Signal) {
    task = Task { [rung] in
      guard (try? await clock.sleep(until: deadline, tolerance: nil)) != nil else { return }
      rung.has.store(true, ordering: .releasing)
      signal.raise()
    }
  }

  var hasRung: Bool { rung.has.load(ordering: .acquiring) }

  func cancel() { task.cancel() }
}
