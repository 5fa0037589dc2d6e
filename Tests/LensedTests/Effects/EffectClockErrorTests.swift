import LensedTestSupport
import Testing

@testable import Lensed

@Suite("What the clock of an effect throws is reported, once", .timeLimit(.minutes(30)))
struct EffectClockErrorTests {
  private struct Broken: Error {}
  private struct Own: Error {}

  /// A clock that cannot sleep: it throws, once its gate is open.
  private struct BrokenClock: Clock {
    var gate: Gate?
    var now: ContinuousClock.Instant { .now }
    var minimumResolution: Duration { .zero }
    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
      try await gate?.wait()
      throw Broken()
    }
  }

  enum Parameter: CaseIterable, Sendable {
    case debounced, throttled, retried, timedOut, next, until
  }

  /// What a `catch:` may use its context for.
  enum Use: CaseIterable, Sendable {
    case state, change, dispatch, next, changes, until

    /// Uses the context of a trigger after which the count became 5.
    func result(_ context: EffectContext<Desk>) async throws -> String {
      switch self {
      case .state: return "\(context.state.count)"
      case .change: return "\(context.change.revision) \(context.change.state)"
      case .dispatch:
        try await context.dispatch(CountAction.add(1)).finish()
        return "\(context.state.count)"
      case .next: return "\(try await context.next(CountAction.self))"
      case .changes:
        for await change in context.changes() { return "\(change.revision)" }
        return "none"
      case .until: return "\(try await context.until { $0.count == 5 }.count)"
      }
    }

    var expected: String {
      switch self {
      case .state: "5"
      case .change: "1 \(Desk(title: "b"))"
      case .dispatch: "6"
      case .next: "\(CountAction.add(5))"
      case .changes: "2"
      case .until: "5"
      }
    }
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
    _ parameter: Parameter, _ clock: BrokenClock = BrokenClock(),
    catch handler: Effect<Desk>.ErrorHandler?
  ) -> Effect<Desk> {
    let gate = Gate()
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

  /// Has an effect fail that keeps its changes, after the count became 5.
  private func fail(
    _ parameter: Parameter?, catch handler: @escaping Effect<Desk>.ErrorHandler
  ) async throws {
    let gate = Gate()
    let clock = BrokenClock(gate: gate)
    let effect =
      if let parameter {
        effect(parameter, clock, catch: handler)
      } else {
        effect(catch: handler) { _ in try await clock.sleep(for: .seconds(1)) }
      }
    let store = try Store(initialState: Desk(), coverage: .partial) {
      Desk.countMutator
      Desk.titleMutator
      effect.keepingChanges()
    }
    let triggers = Array(
      repeating: TitleAction.rename("b"), count: parameter == .throttled ? 2 : 1)
    let task = store.dispatch(triggers)
    store.dispatch(CountAction.add(5))
    gate.open()
    try await task.finish()
  }

  // Nil: the effect itself throws. One that waits for an action reads its changes itself.
  @Test(
    arguments: [nil] + Parameter.allCases.filter { $0 != .next && $0 != .until }, Use.allCases)
  func `and catch: is given the same context as for an error of the effect`(
    parameter: Parameter?, use: Use
  ) async throws {
    try await fail(parameter) { [caught] _, context in
      let result = try? await use.result(context)
      caught.append(result ?? "an error")
    }
    #expect(caught.values == [use.expected])
  }

  @Test(arguments: [nil] + Parameter.allCases.filter { $0 != .until })
  func `and once catch: has returned, the changes have ended`(parameter: Parameter?) async throws {
    let contexts = Recorder<EffectContext<Desk>>()
    try await fail(parameter) { _, context in contexts.append(context) }
    var changes = try #require(contexts.last).changes().makeAsyncIterator()
    #expect(await changes.next() == nil)
  }
}
