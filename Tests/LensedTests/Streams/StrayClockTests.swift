import Lensed
import LensedTestSupport
import Testing

@Suite(
  "debounce and throttle by a clock that keeps no time: no value is lost, and the end comes",
  .timeLimit(.minutes(30)))
struct StrayClockTests {
  /// Reads the count of a store by a clock whose sleeps end at once.
  private func expectEachValue<S: AsyncSequence & Sendable>(
    _ timed: (_ counts: StateStream<Int>) -> S
  ) async throws where S.Element == Int, S.Failure == Never {
    var store: Store<Desk>? = try Desk.makeStore()
    let reading = Recording(timed(try #require(store).states(\.count)))
    for count in 1...3 {
      #expect(await reading.heard.waitForCount(count) == Array(0..<count))
      store?.dispatch(CountAction.add(1))
    }
    await reading.heard.waitForCount(4)
    store = nil
    #expect(await reading.waitForEnd() == [0, 1, 2, 3])
  }

  @Test(arguments: [StrayClock.Habit.throwsErrors, .returnsEarly])
  func `debounce takes a failed or early sleep for a lull`(habit: StrayClock.Habit) async throws {
    try await expectEachValue { $0.debounce(for: .seconds(1), clock: StrayClock(habit)) }
  }

  @Test(arguments: [StrayClock.Habit.throwsErrors, .returnsEarly])
  func `throttle takes a failed or early sleep for its interval`(habit: StrayClock.Habit)
    async throws
  {
    try await expectEachValue { $0.throttle(for: .seconds(1), clock: StrayClock(habit)) }
  }

  /// Reads the count of a store that goes while the clock sleeps for ever.
  private func heard<S: AsyncSequence & Sendable>(
    _ timed: (_ counts: StateStream<Int>, _ clock: StrayClock) -> S
  ) async throws -> [Int] where S.Element == Int, S.Failure == Never {
    var store: Store<Desk>? = try Desk.makeStore()
    let clock = StrayClock(.neverWakes)
    let reading = Recording(timed(try #require(store).states(\.count), clock))
    await clock.sleeps.wait(for: 1)
    store?.dispatch(CountAction.add(1))
    store = nil
    return await reading.waitForEnd()
  }

  @Test func `by a clock that never wakes, the last value comes as the store goes`() async throws {
    #expect(try await heard { $0.debounce(for: .seconds(1), clock: $1) } == [1])
    #expect(try await heard { $0.throttle(for: .seconds(1), clock: $1) } == [0, 1])
  }
}

/// A clock that stands still, and whose sleeps go wrong.
struct StrayClock: Clock {
  enum Habit: CaseIterable, Sendable {
    case throwsErrors, returnsEarly, neverWakes
  }

  struct Stopped: Error {}

  /// Kept, so that the task that waits at it is no leak.
  private static let never = Gate()

  let habit: Habit
  let sleeps = Counter()
  let now = ContinuousClock.now
  let minimumResolution = Duration.zero

  init(_ habit: Habit) {
    self.habit = habit
  }

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    sleeps.increment()
    switch habit {
    case .throwsErrors: throw Stopped()
    case .returnsEarly: return
    // Not even when it is cancelled; a reader waits for it no longer.
    case .neverWakes: try await Task { try await Self.never.wait() }.value
    }
  }
}
