/// The jobs of a scheduler: those that are ready, and whether one runs or soon will.
struct JobList: Sendable {
  private var ready: [UnownedJob] = []
  private var first = 0
  private var random: SeededGenerator?
  private var isDraining = false
  /// Whether a test makes a step in which jobs may run.
  var isStep = false
  /// How many jobs run in the middle of others.
  private var depth = 0
  /// How often it was told that no job may begin.
  var holds = 0
  private(set) var total: UInt64 = 0
  private(set) var lastID: UInt64 = 0
  /// The schedulers whose tasks have made a job ready while none was.
  var causers: Set<ObjectIdentifier> = []
  /// Those who wait until it rests.
  var waiters: [UInt64: CheckedContinuation<UInt64?, Never>] = [:]
  /// Those whose wait was ended.
  var impatient: Set<UInt64> = []

  /// Whether a job runs or is ready.
  var isRunning: Bool { isDraining || first < ready.count }

  init(seed: UInt64?) {
    random = seed.map { SeededGenerator(seed: $0) }
  }

  mutating func makeID() -> UInt64 {
    lastID += 1
    return lastID
  }

  /// - Returns: Whether the caller has to begin to run jobs.
  mutating func add(_ job: UnownedJob) -> Bool {
    ready.append(job)
    total += 1
    return begin()
  }

  /// - Returns: Whether the caller has to begin to run jobs.
  mutating func release() -> Bool {
    holds = max(0, holds - 1)
    return begin()
  }

  /// Takes a job to run it in the middle of what the caller does, or none: as the seed stands for.
  ///
  /// Jobs run one at a time. So the caller runs one of them itself, or holds them back.
  mutating func takeInBetween(isRunningOne: Bool) -> UnownedJob? {
    guard first < ready.count, depth < 3, isRunningOne || (isStep && holds > 0 && !isDraining),
      var generator = random
    else { return nil }
    defer { random = generator }
    guard Bool.random(using: &generator) else { return nil }
    ready.swapAt(first, Int.random(in: first..<ready.count, using: &generator))
    (first, depth) = (first + 1, depth + 1)
    return ready[first - 1]
  }

  mutating func endInBetween() { depth -= 1 }

  private mutating func begin() -> Bool {
    if isDraining || holds > 0 || first == ready.count && waiters.isEmpty { return false }
    isDraining = true
    return true
  }

  /// Takes the next job; without one, all rests, and those who waited for that are returned.
  ///
  /// The total is that of this moment.
  mutating func take() -> (
    job: UnownedJob?, waiters: [CheckedContinuation<UInt64?, Never>], total: UInt64
  ) {
    if first == ready.count {
      ready.removeAll(keepingCapacity: true)
      (first, isDraining) = (0, false)
      defer { waiters = [:] }
      return (nil, Array(waiters.values), total)
    }
    if holds > 0 {
      isDraining = false
      return (nil, [], total)
    }
    if var generator = random {
      ready.swapAt(first, Int.random(in: first..<ready.count, using: &generator))
      random = generator
    }
    if first > 1_000 {
      ready.removeFirst(first)
      first = 0
    }
    defer { first += 1 }
    return (ready[first], [], total)
  }
}
