import LensedTestSupport
import Synchronization
import Testing

@testable import Lensed

/// A trigger, one that is cancelled right after its commit, the passing of time, a sleep that is due and goes on, and
/// the end of a run come in any order.
@Suite(
  "Throttled or debounced, an effect begins the runs that a plain model begins", .warnsOnPurpose,
  .timeLimit(.minutes(30)))
struct EffectThrottleOrderTests {
  private struct Go: Action { let number: Int }
  /// An observer of its commit dispatches a trigger, and cancels it before it is delivered.
  ///
  /// A throttled one is decided by whoever delivers it, so it never begins. Another has begun in its commit.
  private struct TriggerInVain: Action {}
  private struct App: Sendable {
    var count = 0
    var inVain = 0
  }

  struct Rules: Sendable, CustomStringConvertible {
    var policy = EffectPolicy.latest
    var pause: Int?
    var silence: Int?
    var keepsLatest = false

    var description: String { "\(policy), \(pause ?? 0), \(silence ?? 0), \(keepsLatest)" }

    static let all: [Rules] = [EffectPolicy.latest, .first, .concurrent].flatMap { policy in
      [nil, 1, 3].flatMap { pause in
        [(nil, false), (2, false), (2, true)].map { silence, keepsLatest in
          Rules(policy: policy, pause: pause, silence: silence, keepsLatest: keepsLatest)
        }
      }
    }
  }

  enum Event: CaseIterable, Sendable {
    case trigger, cancelledTrigger, time, wake, end
  }

  private struct Model {
    let rules: Rules
    private(set) var now = 0
    private(set) var triggers = 0
    var waiting: (number: Int, until: Int, isLate: Bool)?
    /// The end of the silence.
    var earliest = 0
    var begun: [Int] = []
    var isRunning = false

    init(rules: Rules) { self.rules = rules }

    mutating func take(_ event: Event) {
      switch event {
      case .cancelledTrigger:
        // It has taken the place of the one that waits.
        if rules.silence == nil && rules.pause != nil { waiting = nil }
      case .time: now += 1
      case .end: isRunning = false
      case .wake:
        guard let waiting, waiting.until <= now else { return }
        self.waiting = nil
        submit(waiting.number, isLate: waiting.isLate)
      case .trigger:
        triggers += 1
        waiting = nil
        if let pause = rules.pause {
          waiting = (triggers, now + pause, false)
        } else {
          submit(triggers, isLate: false)
        }
      }
    }

    private mutating func submit(_ number: Int, isLate: Bool) {
      if now < earliest && !isLate {
        if rules.keepsLatest { waiting = (number, earliest, true) }
      } else if rules.policy != .first || !isRunning {
        begun.append(number)
        isRunning = true
        earliest = now + (rules.silence ?? 0)
      }
    }
  }

  @Test(arguments: Rules.all)
  func `in any order of triggers, time and sleeps`(rules: Rules) async throws {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<VerificationLength.programs / 3 {
      let events = (0..<14).map { _ in Event.allCases.randomElement(using: &random) ?? .time }
      try await check(events, by: rules)
    }
  }

  @Test func `the trigger that waits never begins after a newer one that passed`() async throws {
    let rules = Rules(silence: 2, keepsLatest: true)
    try await check([.trigger, .trigger, .time, .time, .trigger, .wake, .end], by: rules)
  }

  @Test(arguments: Rules.all)
  func `a trigger that was cancelled right after its commit replaces none, unless it has begun`(
    rules: Rules
  ) async throws {
    let ends = [Event](repeating: .time, count: 3) + [.wake]
    try await check([.trigger, .trigger, .cancelledTrigger] + ends + ends, by: rules)
  }

  @Test func `a trigger that the policy ignored silences none`() async throws {
    let rules = Rules(policy: .first, silence: 2)
    try await check([.trigger, .time, .time, .trigger, .end, .time, .trigger], by: rules)
  }

  @Test func `a trigger that another one replaced silences none`() async throws {
    let rules = Rules(pause: 2, silence: 9, keepsLatest: true)
    try await check([.trigger, .time, .trigger, .time, .time, .wake], by: rules)
  }

  private func check(_ events: [Event], by rules: Rules) async throws {
    let (clock, begun) = (SteppedClock(), Recorder<Int>())
    let gates = Locked<[Gate]>([])
    // Held from a trigger to its cancellation: no run looks in between whether it is cancelled.
    let isCancelling = Locked(())
    var effect = Effect<App>(on: Go.self, rules.policy) { go, _ -> Void in
      let isBegun = isCancelling.withLock { _ in !Task.isCancelled }
      if !isBegun { return }
      begun.append(go.number)
      let gate = Gate()
      gates.withLock { $0.append(gate) }
      try await gate.wait()
    }
    if let silence = rules.silence {
      effect = effect.throttled(
        for: .seconds(silence), latest: rules.keepsLatest, clock: clock)
    }
    if let pause = rules.pause {
      effect = effect.debounced(for: .seconds(pause), clock: clock)
    }
    let store = try Store(initialState: App(), coverage: .partial) {
      Mutator(\.count) { (count: inout Int, _: Go) in count += 1 }
      Mutator(\.inVain) { (count: inout Int, _: TriggerInVain) in count += 1 }
      effect
    }
    let subscription = store.states(\.inVain).subscribe { count in
      if count > 0 { isCancelling.withLock { _ in store.dispatch(Go(number: 0)).cancel() } }
    }
    var model = Model(rules: rules)
    for (index, event) in events.enumerated() {
      model.take(event)
      switch event {
      case .trigger: store.dispatch(Go(number: model.triggers))
      case .cancelledTrigger: store.dispatch(TriggerInVain())
      case .time: clock.advance()
      case .wake: clock.wake()
      case .end: for gate in gates.withLock({ exchange(&$0, with: []) }) { gate.open() }
      }
      // Until nothing moves but by the next event.
      try await store.view.core.settle(from: CallSite(), forRest: true)
      let place = "\(rules), after \(index + 1) of \(events)"
      #expect(begun.values == model.begun, "\(place)")
      // Older ones never begin after newer ones.
      #expect(begun.values == begun.values.sorted(), "\(place)")
      if begun.values != model.begun { return }
    }
    subscription.cancel()
  }
}

/// A clock on which a sleep that is due goes on when the test says so.
private final class SteppedClock: Clock {
  typealias Instant = ManualClock.Instant

  private struct State: Sendable {
    var now = ManualClock().now
    var sleepers:
      [Int: (until: Instant, sleep: WorkSleep, waiter: CheckedContinuation<Void, any Error>)] = [:]
    var lastID = 0
  }

  private let state = Locked(State())

  var now: Instant { state.withLock { $0.now } }
  var minimumResolution: Duration { .nanoseconds(1) }

  func advance() { state.withLock { $0.now = $0.now.advanced(by: .seconds(1)) } }

  /// Lets the sleeps go on that are due.
  func wake() {
    let due = state.withLock { state in
      let due = state.sleepers.filter { $0.value.until <= state.now }
      for id in due.keys { _ = state.sleepers.removeValue(forKey: id) }
      return Array(due.values)
    }
    for sleeper in due {
      sleeper.sleep.end()
      sleeper.waiter.resume()
    }
  }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { waiter in
        let sleep = WorkSleep()
        state.withLock { $0.sleepers[id] = (deadline, sleep, waiter) }
        sleep.begin()
        if Task.isCancelled { cancel(id) }
      }
    } onCancel: {
      cancel(id)
    }
  }

  private func cancel(_ id: Int) {
    let sleeper = state.withLock { $0.sleepers.removeValue(forKey: id) }
    sleeper?.sleep.end()
    sleeper?.waiter.resume(throwing: CancellationError())
  }
}
