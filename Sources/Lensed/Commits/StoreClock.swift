/// The clock by which a store says when its commits were made.
///
/// It is read where somebody records: of commits under the lock of the store, as a lens is, of runs without it, too.
@usableFromInline
enum StoreClock: Sendable {
  case continuous(since: ContinuousClock.Instant)
  case other(@Sendable () -> Duration)

  @usableFromInline
  init(_ clock: any Clock<Duration>) {
    if clock is ContinuousClock {
      self = .continuous(since: .now)
    } else {
      self = .other(Self.reading(clock))
    }
  }

  private static func reading<C: Clock>(_ clock: C) -> @Sendable () -> Duration
  where C.Duration == Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }

  /// The time since the store was made.
  var elapsed: Duration {
    switch self {
    case .continuous(let start): start.duration(to: .now)
    case .other(let read): read()
    }
  }
}
