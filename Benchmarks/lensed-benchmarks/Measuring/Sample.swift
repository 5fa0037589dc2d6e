import AllocationCounter

/// What one uninterrupted stretch of one side took.
struct Sample: Sendable {
  let nanoseconds: Double
  let actions: Int
  let allocations: UInt64

  var nanosecondsPerAction: Double { nanoseconds / Double(max(actions, 1)) }
}

/// A clock and an allocation count that are read together, before and after what is measured.
struct Stopwatch {
  /// Whose allocations count: the calling thread's alone, or everybody's because the work moves
  /// between threads.
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

  /// Ends the stretch; `allocations` where they were counted in another way.
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
