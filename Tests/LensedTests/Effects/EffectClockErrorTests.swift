import LensedTestSupport
import Testing

@testable import Lensed

@Suite("What the clock of an effect throws is reported, once", .timeLimit(.minutes(30)))
struct EffectClockErrorTests {
  private struct Broken: Error {}
  private struct Own: Error {}

  /// A clock that cannot sleep.
  private struct BrokenClock: Clock {
    var now: ContinuousClock.Instant { .now }
    var minimumResolution: Duration { .zero }
    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
      throw Broken()
    }
  }

  enum Parameter: CaseIterable, Sendable {
    case debounced, throttled, retried, timedOut, next, until
  }

  private let caught = Recorder<String>()
  private let reported = Recorder<String>()

  private func effect(
    catch handler: Effect<Desk>.ErrorHandler?,
    _ run: @escaping @concurrent @Sendable (EffectContext<Desk>) async throws -> Void
  ) -> Effect<Desk> {
    Effect(on: TitleAction.self, catch: handler) { _, context in try await run(context) }
  }

  private func effect(
    _ parameter: Parameter, catch handler: Effect<Desk>.ErrorHandler?
  ) -> Effect<Desk> {
    let gate = Gate()
    let clock = BrokenClock()
    return switch parameter {
    case .debounced:
      effect(catch: handler) { _ in }.debounced(for: .seconds(1), clock: clock)
    case .throttled:
      effect(catch: handler) { _ in }.throttled(for: .seconds(900), latest: true, clock: clock)
    case .retried:
      effect(catch: handler) { _ in throw Own() }.retried(
        attempts: 3, after: .seconds(1), clock: clock)
    case .timedOut:
      effect(catch: handler) { _ in try await gate.wait() }
        .timedOut(after: .seconds(1), clock: clock)
    case .next:
      effect(catch: handler) { context in
        _ = try await context.next(StrayAction.self, within: .seconds(1), clock: clock)
      }
      .keepingChanges()
    case .until:
      effect(catch: handler) { context in
        try await context.until(within: .seconds(1), clock: clock) { $0.count > 0 }
      }
    }
  }

  @Test(arguments: Parameter.allCases, [false, true])
  func `whichever sleeps by it`(parameter: Parameter, isCaught: Bool) async throws {
    let handler: Effect<Desk>.ErrorHandler = { [caught] error, _ in
      caught.append("\(type(of: error))")
    }
    let store = try Store(
      initialState: Desk(), coverage: .partial,
      onEffectError: { [reported] in reported.append("\(type(of: $0.underlying))") }
    ) {
      effect(parameter, catch: isCaught ? handler : nil)
    }
    let task = store.dispatch(
      [TitleAction.rename("a"), .rename("b")].suffix(parameter == .throttled ? 2 : 1).map(\.self))
    try await task.finish()
    // The error of the effect itself says more than that of the wait after it.
    let name = parameter == .retried ? "Own" : "Broken"
    #expect((isCaught ? caught : reported).values == [name])
    #expect((isCaught ? reported : caught).values == [])
    if !isCaught && parameter != .throttled {
      await #expect(throws: (any Error).self) {
        try await store.dispatch(TitleAction.rename("c")).finish(throwing: .effects)
      }
    }
  }
}
