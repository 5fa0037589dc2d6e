internal import LensedThread

/// The clock by which a store says when its commits were made.
///
/// It is read for recorders alone: of commits under the lock of the store, as a lens is, and of runs also without it.
enum StoreClock: Sendable {
  /// The continuous clock, by which the store was made so long after `epoch`.
  case continuous(since: Duration)
  case other(@Sendable () -> Duration)

  init(_ clock: any Clock<Duration>) {
    if clock is ContinuousClock {
      self = .continuous(since: Self.sinceEpoch)
    } else {
      self = .other(Self.reading(clock))
    }
  }

  #if os(Linux)
    private static var sinceEpoch: Duration { .nanoseconds(lensed_continuous_nanoseconds()) }
  #else
    // A moment of the continuous clock before any store was made. The layout of an `Instant` is known to its library
    // alone: a clock that held one would be copied by functions that look its type up.
    private static let epoch = ContinuousClock.now
    private static var sinceEpoch: Duration { epoch.duration(to: .now) }
  #endif

  private static func reading<C: Clock>(_ clock: C) -> @Sendable () -> Duration
  where C.Duration == Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }

  var elapsed: Duration {
    switch self {
    case .continuous(let start): Self.sinceEpoch - start
    case .other(let read): read()
    }
  }
}
