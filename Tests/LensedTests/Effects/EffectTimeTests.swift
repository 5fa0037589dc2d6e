import Lensed
import LensedTestSupport
import Testing

@Suite("Effects: time comes from a clock that is given", .timeLimit(.minutes(5)))
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
    clock.advance(by: .milliseconds(200))
    let b = store.dispatch(TitleAction.rename("b"))
    await clock.waitForSleeps(2)
    try await a.finish()
    clock.advance(by: .milliseconds(200))
    #expect(log.values == [])
    clock.advance(by: .milliseconds(100))
    try await b.finish()
    #expect(log.values == ["b"])
  }

  @Test func `throttled, what comes too soon is ignored`() async throws {
    let store = try store(noting.throttled(for: .milliseconds(300), clock: clock))
    try await store.dispatch(TitleAction.rename("a")).finish()
    clock.advance(by: .milliseconds(299))
    try await store.dispatch(TitleAction.rename("b")).finish()
    clock.advance(by: .milliseconds(1))
    try await store.dispatch(TitleAction.rename("c")).finish()
    #expect(log.values == ["a", "c"])
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
    clock.advance(by: .seconds(1))
    await clock.waitForSleeps(2)
    clock.advance(by: .seconds(2))
    try await task.finish()
    #expect(tries.values == [.zero, .seconds(1), .seconds(3)])
    #expect(errors.count == 1)
    #expect(errors.last?.contains("upload") == true)
  }

  @Test func `timed out, it is cancelled and fails`() async throws {
    let errors = Recorder<String>()
    let gate = Gate()
    let effect = Effect<Desk>(on: TitleAction.self) { _, _ in try await gate.wait() }
    let store = try store(effect.timedOut(after: .seconds(5), clock: clock), errors: errors)
    let task = store.dispatch(TitleAction.rename("a"))
    await clock.waitForSleepers(1)
    await gate.waitForWaiters()
    clock.advance(by: .seconds(5))
    try await task.finish()
    #expect(errors.last?.contains("took longer than") == true)
  }

  @Test func `in time, it is not`() async throws {
    let errors = Recorder<String>()
    let store = try store(noting.timedOut(after: .seconds(5), clock: clock), errors: errors)
    try await store.dispatch(TitleAction.rename("a")).finish()
    #expect(log.values == ["a"])
    #expect(errors.values == [])
  }
}

@Suite("Effects: inside an app", .timeLimit(.minutes(5)))
struct EffectLiftTests {
  private struct App: Sendable, Equatable {
    var left = Desk()
    var right = Desk()
  }
  private enum Left {}
  private enum Wide: Action { case title(TitleAction), count(CountAction) }

  private let feature = Effect<Desk>(
    on: TitleAction.self, when: { _, change in change.state.count == 0 }
  ) {
    _, context in
    CountAction.add(context.state.title.count + 1)
  }

  private static let counting = Mutator(\Desk.count) { (count: inout Int, action: CountAction) in
    if case .add(let amount) = action { count += amount }
  }

  @Test func `lifted and tagged, it reads its part, hears its tag and answers with it`()
    async throws
  {
    let store = try Store(initialState: App(), coverage: .partial) {
      Self.counting.lifted(Lens(\App.left)).tagged(Left.self)
      Self.counting.lifted(Lens(\App.right))
      feature.lifted(Lens(\App.left)).tagged(Left.self)
    }
    try await store.dispatch(TitleAction.rename("x")).finish()
    #expect(store.state == App())
    try await store.dispatch(TitleAction.rename("x").tagged(Left.self)).finish()
    #expect(store.left.count == 1)
    #expect(store.right.count == 0)
  }

  @Test func `lifted to a wide action, its answers are embedded`() async throws {
    let titles = Prism<Wide, TitleAction>(
      embed: Wide.title, extract: { if case .title(let action) = $0 { action } else { nil } })
    let counts = Prism<Wide, CountAction>(
      embed: Wide.count, extract: { if case .count(let action) = $0 { action } else { nil } })
    let store = try Store(initialState: Desk(), coverage: .partial) {
      Self.counting.lifted(action: counts)
      feature.lifted(action: titles).lifted(action: counts)
    }
    try await store.dispatch(Wide.title(.rename("x"))).finish()
    #expect(store.count == 1)
  }
}
