import Lensed
import LensedTestSupport
import Testing

@Suite("Effects: time comes from a clock that is given", .timeLimit(.minutes(30)))
struct EffectTimeTests {
  private let clock = ManualClock()
  private let log = Recorder<String>()

  private var noting: Effect<Desk> {
    Effect(on: TitleAction.self, .serial) { [log] action, _ in
      if case .rename(let name) = action { log.append(name) }
    }
  }

  private func store(_ effect: Effect<Desk>, errors: Recorder<String> = Recorder()) throws -> Store<
    Desk
  > {
    try Store(
      initialState: Desk(), coverage: .partial, onEffectError: { errors.append("\($0)") }
    ) { effect }
  }

  @Test func `debounced, only the last of a burst begins, and finish waits for it`() async throws {
    let store = try store(noting.debounced(for: .milliseconds(300), clock: clock))
    let a = store.dispatch(TitleAction.rename("a"))
    await clock.waitForSleeps(1)
    clock.move(by: .milliseconds(200))
    let b = store.dispatch(TitleAction.rename("b"))
    await clock.waitForSleeps(2)
    try await a.finish()
    clock.move(by: .milliseconds(200))
    #expect(log.values == [])
    clock.move(by: .milliseconds(100))
    try await b.finish()
    #expect(log.values == ["b"])
  }

  @Test func `throttled, what comes too soon is ignored`() async throws {
    let store = try store(noting.throttled(for: .milliseconds(300), clock: clock))
    try await store.dispatch(TitleAction.rename("a")).finish()
    clock.move(by: .milliseconds(299))
    try await store.dispatch(TitleAction.rename("b")).finish()
    clock.move(by: .milliseconds(1))
    try await store.dispatch(TitleAction.rename("c")).finish()
    #expect(log.values == ["a", "c"])
  }

  @Test(arguments: [2, 10, -3, 0, 1])
  func `retried ever so often, the waits stop growing and overflow nothing`(factor: Int) async {
    await #expect(processExitsWith: .success) { [factor] in
      struct Failure: Error {}
      let tries = Counter()
      let effect = Effect<Desk>(on: TitleAction.self) { _, _ -> Void in
        tries.increment()
        throw Failure()
      }
      let store = try Store(initialState: Desk(), coverage: .partial, onEffectError: { _ in }) {
        effect.retried(
          attempts: 200, after: .seconds(1), factor: factor, clock: ImmediateClock())
      }
      try await store.dispatch(TitleAction.rename("a")).finish()
      try #require(tries.value == 200)
    }
  }

  @Test func `retried with longer and longer waits, and then it fails`() async throws {
    struct Failure: Error {}
    let errors = Recorder<String>()
    let tries = Recorder<Duration>()
    let effect = Effect<Desk>(on: TitleAction.self) { [clock] _, _ in
      tries.append(clock.now.offset)
      throw Failure()
    }
    let store = try store(
      effect.retried(attempts: 3, after: .seconds(1), clock: clock).named("upload"), errors: errors)
    let task = store.dispatch(TitleAction.rename("a"))
    await clock.waitForSleeps(1)
    clock.move(by: .seconds(1))
    await clock.waitForSleeps(2)
    clock.move(by: .seconds(2))
    try await task.finish()
    #expect(tries.values == [.zero, .seconds(1), .seconds(3)])
    #expect(errors.count == 1)
    #expect(errors.last?.contains("upload") == true)
  }

  @Test func `timed out, it is cancelled and fails`() async throws {
    let errors = Recorder<String>()
    let gate = Gate()
    let effect = Effect<Desk>(on: TitleAction.self) { _, _ in try await gate.wait() }
    let slow = effect.timedOut(after: .seconds(5), clock: clock).named("slow")
    let store = try store(slow, errors: errors)
    let task = store.dispatch(TitleAction.rename("a"))
    await clock.waitForSleepers(1)
    await gate.waitForWaiters()
    clock.move(by: .seconds(5))
    try await task.finish()
    #expect(errors.last?.contains("the effect slow took longer than") == true)
  }

  @Test func `in time, it is not`() async throws {
    let errors = Recorder<String>()
    let store = try store(noting.timedOut(after: .seconds(5), clock: clock), errors: errors)
    try await store.dispatch(TitleAction.rename("a")).finish()
    #expect(log.values == ["a"])
    #expect(errors.values == [])
  }
}

/// A clock on which nothing takes time, and which traps where a real one could.
private struct ImmediateClock: Clock {
  typealias Instant = ContinuousClock.Instant

  var now: Instant { ContinuousClock.now }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    // Whoever sleeps has to be able to say how long, in seconds and nanoseconds.
    _ = now.duration(to: deadline).components.seconds * 1
  }
}
