// How a policy decides, for a trigger that has led to a job:
//
// 1. In the commit of the trigger, under the lock of the store, `JobQueue.admit` asks `JobQueueMachine.admit`. The job
//    starts, waits or is ignored. Under `.latest` the machine names the `newest` job, which the new one supersedes.
// 2. `JobDecisions.end` revokes what was superseded, under the same lock: none of its commits begins any more.
// 3. Without the lock, `JobDecisions.perform` drops what was revoked (`CancellationPass`), and then starts what has begun.
// 4. When the code of a job has returned, `JobQueueMachine.finish` names the waiting job whose turn has come.

/// What happens to a new trigger while the effect is already running.
///
/// | policy | a new trigger, while one run is under way |
/// |---|---|
/// | `.concurrent` | starts beside it |
/// | `.latest` | cancels it and starts at once: no further commit of the older run begins |
/// | `.first` | is ignored |
/// | `.serial` | waits its turn, in commit order |
/// | `.limited(n)` | starts beside it while fewer than `n` run, else waits its turn |
///
/// The queue of `.serial` and `.limited(n)` can be bounded, and slowed down:
///
/// ```swift
/// Effect(on: Notice.self, .serial.keepingNewest(3).pausing(for: .seconds(1))) { … }
/// ```
///
/// How long a run counts:
///
/// - Until its code has returned, with the sequence that it returns or awaits.
/// - A sequence that the run has dispatched without awaiting it goes on beside the next run. It ends with whatever ends its
///   own run, such as a newer run of `.latest`.
/// - A run that was cancelled, and has not noticed yet, keeps its place under `.serial` and `.limited`. Under `.first` it
///   no longer counts: a new trigger starts beside it.
/// - A run that is past its limit (`timedOut`), and has not noticed yet, counts under every policy, because it may be tried
///   again.
public struct EffectPolicy: Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    case concurrent, latest, first, serial
    case limited(Int)
  }

  /// How many triggers may wait.
  enum Bound: Sendable, Hashable {
    /// At most this many: a newer one takes the place of the oldest.
    case newest(Int)
    /// At most this many: a newer one is ignored.
    case most(Int)
  }

  let kind: Kind
  private(set) var bound: Bound?
  private(set) var pause: Pause?

  private init(_ kind: Kind) {
    self.kind = kind
  }

  /// All run side by side.
  public static let concurrent = EffectPolicy(.concurrent)
  /// The newest cancels those before it.
  ///
  /// What a cancelled run still dispatches is ignored.
  public static let latest = EffectPolicy(.latest)
  /// While one runs that was not cancelled, others are ignored.
  public static let first = EffectPolicy(.first)
  /// One after another, in commit order.
  public static let serial = EffectPolicy(.serial)

  /// At most this many side by side; the others wait in commit order.
  ///
  /// It is at least 1.
  public static func limited(_ count: Int) -> EffectPolicy { EffectPolicy(.limited(count)) }

  /// This policy, under which at most `count` triggers wait: a newer one takes the place of the oldest that waits.
  ///
  /// ```swift
  /// Effect(on: Notice.self, .serial.keepingNewest(3)) { … }
  /// ```
  ///
  /// The trigger that gives way ends as `.superseded`. Where a bound is said twice, the last one counts.
  ///
  /// - Parameter count: At least 1.
  /// - Returns: The policy, of a queue with that bound; only `.serial` and `.limited` have a queue.
  public func keepingNewest(_ count: Int) -> EffectPolicy {
    if count < 1 {
      fatalError(
        "Lensed: `keepingNewest(\(count))` would let no trigger wait. Keep at least 1, or take `.first`."
      )
    }
    return queueing("keepingNewest") { $0.bound = .newest(count) }
  }

  /// This policy, under which at most `count` triggers wait: further ones are ignored.
  ///
  /// ```swift
  /// Effect(on: Upload.self, .limited(2).dropping(beyond: 10)) { … }
  /// ```
  ///
  /// Where a bound is said twice, the last one counts.
  ///
  /// - Parameter count: At least 0.
  /// - Returns: The policy, of a queue with that bound; only `.serial` and `.limited` have a queue.
  public func dropping(beyond count: Int) -> EffectPolicy {
    if count < 0 {
      fatalError(
        "Lensed: `dropping(beyond: \(count))` is no number of triggers. Give 0 or more.")
    }
    return queueing("dropping(beyond:)") { $0.bound = .most(count) }
  }

  /// This policy, which leaves a pause between runs: none begins sooner than `duration` after the end of the one before.
  ///
  /// ```swift
  /// Effect(on: Send.self, .serial.pausing(for: .milliseconds(500), clock: clock)) { … }
  /// ```
  ///
  /// The run whose turn has come waits out the pause, and counts as running meanwhile; what ends it then keeps it from
  /// its code. Of a child, and of a key, the pause is kept as long as something runs or waits there. A `duration` of zero
  /// or less is none. Equal policies may have different clocks.
  ///
  /// - Parameters:
  ///   - duration: The pause.
  ///   - clock: The clock to measure and to wait by.
  /// - Returns: The policy; only `.serial` and `.limited` have a queue.
  public func pausing<C: Clock>(
    for duration: Duration, clock: C = ContinuousClock()
  ) -> EffectPolicy where C.Duration == Duration {
    let pause = Pause(SilenceClock(waitable(duration), clock))
    return queueing("pausing(for:)") { $0.pause = pause }
  }

  /// The policy with something changed that only a queue has.
  private func queueing(_ name: String, _ change: (inout EffectPolicy) -> Void) -> EffectPolicy {
    if limit == nil {
      fatalError(
        """
        Lensed: `\(name)` was said of the policy `\(self)`, under which no trigger ever waits. Say it of `.serial` or \
        `.limited(n)`.
        """)
    }
    var copy = self
    change(&copy)
    return copy
  }

  /// How many may run side by side, or nil when there is no bound.
  var limit: Int? {
    switch kind {
    case .concurrent, .latest, .first: nil
    case .serial: 1
    case .limited(let count): count
    }
  }

  /// Traps if no job could ever run.
  func check() {
    if case .limited(let count) = kind, count < 1 {
      fatalError(
        "Lensed: an effect with the policy .limited(\(count)) could never run. Let at least 1 run.")
    }
  }
}

extension EffectPolicy {
  /// The pause between runs: equal to one of the same length.
  struct Pause: Sendable, Hashable {
    let clock: SilenceClock

    init(_ clock: SilenceClock) {
      self.clock = clock
    }

    static func == (one: Pause, other: Pause) -> Bool {
      one.clock.length == other.clock.length
    }

    func hash(into hasher: inout Hasher) { hasher.combine(clock.length) }
  }
}

extension EffectPolicy: CustomStringConvertible {
  /// The policy as it is written, without its dot: `serial.keepingNewest(3)`.
  public var description: String {
    var text = "\(kind)"
    switch bound {
    case .newest(let count): text += ".keepingNewest(\(count))"
    case .most(let count): text += ".dropping(beyond: \(count))"
    case nil: break
    }
    if let pause { text += ".pausing(for: \(pause.clock.length))" }
    return text
  }
}
