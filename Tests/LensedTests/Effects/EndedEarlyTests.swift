import Lensed
import LensedTestSupport
import LensedTesting
import Testing

/// Triggers that are ended in the commit that they are in, or before their wait is over.
@Suite(
  "A trigger that was ended before it ran is told so, whatever it waited for",
  .timeLimit(.minutes(30)))
struct EndedEarlyTests {
  private struct App: Sendable {
    var log: [String] = []
    var session: Int? = 1
    var query = ""
  }

  private struct Ping: Action { let number: Int }
  private struct Pong: Action {}
  private struct Stop: Action {}
  private struct Line: Action { let text: String }
  private struct SetSession: Action { let session: Int? }
  private struct SetQuery: Action { let query: String }

  enum Form: CaseIterable, Sendable {
    case plain, conditional, debounced, throttled, throttledLatest, conditionalAndDebounced
  }

  private let clock = ManualClock()

  private func effect(_ form: Form, _ policy: EffectPolicy) -> Effect<App> {
    let effect: Effect<App> =
      switch form {
      case .conditional, .conditionalAndDebounced:
        Effect(on: Ping.self, policy, when: { _, _ in true }) { _, _ in }
      default: Effect(on: Ping.self, policy) { _, _ in }
      }
    let timed =
      switch form {
      case .plain, .conditional: effect
      case .debounced, .conditionalAndDebounced:
        effect.debounced(for: .seconds(1), clock: clock)
      case .throttled: effect.throttled(for: .seconds(1), clock: clock)
      case .throttledLatest: effect.throttled(for: .seconds(1), latest: true, clock: clock)
      }
    return timed.ended(of: Ping.self) { end, ping, _ in
      Line(text: "\(EndedEarlyTests.name(end)) \(ping.number)")
    }
  }

  private static func name(_ end: EffectEnd) -> String {
    switch end {
    case .finished: "finished"
    case .failed: "failed"
    case .cancelled: "cancelled"
    case .superseded: "superseded"
    case .gone: "gone"
    }
  }

  private func makeStore(_ effects: Effect<App>...) throws -> Store<App> {
    try Store(initialState: App(), coverage: .partial) {
      Mutator(\App.log) { (log: inout [String], line: Line) in log.append(line.text) }
        .on(Ping.self) { _, _ in }
        .on(Pong.self) { _, _ in }
        .on(Stop.self) { _, _ in }
      Mutator(\App.session) { (session: inout Int?, set: SetSession) in session = set.session }
      Mutator(\App.query) { (query: inout String, set: SetQuery) in query = set.query }
      effects
    }
  }

  @Test(arguments: Form.allCases, [EffectPolicy.concurrent, .latest, .first, .serial])
  func `by an action of its own array, before a newer trigger of that array or without one`(
    _ form: Form, _ policy: EffectPolicy
  ) async throws {
    let store = try makeStore(effect(form, policy).cancelled(on: Stop.self))
    store.dispatch([Ping(number: 1), Stop()] as [any Action])
    #expect(store.log == ["cancelled 1"])
    store.dispatch([Ping(number: 2), Stop(), Ping(number: 3)] as [any Action])
    await clock.run()
    try await store.settled()
    #expect(store.log == ["cancelled 1", "cancelled 2", "finished 3"])
  }

  @Test(arguments: [Form.debounced, .conditionalAndDebounced])
  func `by what it is tied to, which is another one with a newer trigger`(
    _ form: Form
  ) async throws {
    let store = try makeStore(effect(form, .latest).tied(to: \.session, by: \.self))
    store.dispatch(Ping(number: 1))
    store.dispatch([SetSession(session: 2), Ping(number: 2)] as [any Action])
    #expect(store.log == ["gone 1"])
    await clock.run()
    try await store.settled()
    #expect(store.log == ["gone 1", "finished 2"])
  }

  @Test func `by an observer of its commit, while its condition has yet to be asked`() async throws
  {
    let store = try makeStore(effect(.conditional, .serial).cancelled(on: Stop.self))
    let once = Counter()
    let subscription = store.states(\.query).subscribe { [weak store] query in
      // The delivery of the next commit waits for this one.
      if query == "a", once.increment() == 0 {
        store?.dispatch([Ping(number: 1), Stop()] as [any Action])
      }
    }
    store.dispatch(SetQuery(query: "a"))
    try await store.settled()
    #expect(store.log == ["cancelled 1"])
    subscription.cancel()
  }

  @Test(arguments: [false, true])
  func `by the removal of its effect, while its condition has yet to be asked`(
    _ isRetired: Bool
  ) async throws {
    let store = try makeStore()
    let installed = store.install(effect(.conditional, .serial))
    let once = Counter()
    let subscription = store.states(\.query).subscribe { [weak store] query in
      if query == "a", once.increment() == 0 {
        store?.dispatch(Ping(number: 1))
        if isRetired { installed.retire() } else { installed.cancel() }
      }
    }
    store.dispatch(SetQuery(query: "a"))
    try await store.settled()
    #expect(store.log == ["cancelled 1"])
    subscription.cancel()
  }

  @Test func `and a throttled one that comes too soon is none`() async throws {
    let store = try makeStore(effect(.throttled, .serial).cancelled(on: Stop.self))
    try await store.dispatch(Ping(number: 1)).finish()
    store.dispatch([Ping(number: 2), Stop()] as [any Action])
    try await store.settled()
    #expect(store.log == ["finished 1"])
  }

  @Test(arguments: [EffectPolicy.latest, .serial])
  func `triggers of several types keep their order, if one of them is asked for a condition`(
    _ policy: EffectPolicy
  ) async throws {
    let begun = Recorder<String>()
    let gate = Gate()
    let store = try makeStore(
      Effect<App>(on: Ping.self, policy, when: { _, _ in true }) { _, _ in
        begun.append("ping")
        try await gate.wait()
        return Line(text: "ping")
      }
      .on(Pong.self) { _, _ in
        begun.append("pong")
        try await gate.wait()
        return Line(text: "pong")
      })
    store.dispatch([Ping(number: 1), Pong()] as [any Action])
    gate.open()
    try await store.settled()
    #expect(store.log == (policy == .latest ? ["pong"] : ["ping", "pong"]))
    #expect(begun.values.last == "pong")
  }

  @Test func `a change is ended by the actions behind it, and not by its own`() async throws {
    let begun = Recorder<String>()
    func watch() -> Effect<App> {
      Effect<App>(whenChanged: \.query, .latest) { query, _ in begun.append(query) }
    }
    let store = try makeStore(watch().cancelled(on: Stop.self))
    store.dispatch([Stop(), SetQuery(query: "a")] as [any Action])
    try await store.settled()
    store.dispatch([SetQuery(query: "b"), Stop()] as [any Action])
    try await store.settled()
    #expect(begun.values == ["a"])
    let own = try makeStore(watch().cancelled(on: SetQuery.self))
    own.dispatch(SetQuery(query: "c"))
    try await own.settled()
    #expect(begun.values == ["a", "c"])
  }

  @Test func `the longest wait for another attempt is a hundred years`() async throws {
    struct Failure: Error {}
    let store = try makeStore(
      Effect<App>(on: Ping.self) { _, _ in throw Failure() }
        .retried(attempts: 3, after: .seconds(Int64.max), clock: clock)
        .cancelled(on: Stop.self))
    store.dispatch(Ping(number: 1))
    await clock.waitForSleepers()
    #expect(clock.deadlines.map(\.offset) == [.seconds(100 * 365 * 86_400)])
    store.dispatch(Stop())
    try await store.settled()
  }
}
