import AllocationCounter

/// One uninterrupted measurement of a side.
struct Sample: Sendable {
  let nanoseconds: Double
  let actions: Int
  let allocations: UInt64

  var nanosecondsPerAction: Double { nanoseconds / Double(max(actions, 1)) }
}

/// A clock and an allocation counter, read together before and after a measurement.
struct Stopwatch {
  /// The threads whose allocations count: the calling one, or all, if the work moves between
  /// threads.
  enum Scope {
    case thread
    case process

    fileprivate var allocations: UInt64 {
      switch self {
      case .thread: allocation_counter_thread()
      case .process: allocation_counter_process()
      }
    }
  }

  static var countsAllocations: Bool { allocation_counter_available() }

  private let scope: Scope
  private let allocations: UInt64
  private let start: ContinuousClock.Instant

  init(_ scope: Scope) {
    self.scope = scope
    allocations = scope.allocations
    start = .now
  }

  /// Ends the measurement; pass `allocations` if they were counted in another way.
  func stop(actions: Int, allocations counted: UInt64? = nil) -> Sample {
    let elapsed = ContinuousClock.now - start
    let made = counted ?? (scope.allocations - allocations)
    let (seconds, attoseconds) = elapsed.components
    return Sample(
      nanoseconds: Double(seconds) * 1e9 + Double(attoseconds) / 1e9,
      actions: actions,
      allocations: made
    )
  }
}
