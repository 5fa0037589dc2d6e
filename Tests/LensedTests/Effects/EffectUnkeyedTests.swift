import Lensed
import LensedTestSupport
import Testing

@Suite("A trigger without a key, in an effect with keys", .timeLimit(.minutes(30)))
struct EffectUnkeyedTests {
  private struct Load: Action { let id: Int }
  private struct Refresh: Action {}
  private struct Reset: Action {}
  private struct Name: Action { let name: String? }

  /// An effect of keyed and of unkeyed actions, each of whose runs waits at the gate.
  private func makeStore(_ gate: Gate, _ log: Recorder<String>) throws -> Store<Desk> {
    @Sendable func run(_ name: String) async {
      log.append("begin \(name)")
      do { try await gate.wait() } catch { log.append("cancelled \(name)") }
    }
    return try Store(initialState: Desk(), coverage: .partial) {
      Effect<Desk>(on: Load.self, .latest, per: \.id) { load, _ in await run("load \(load.id)") }
        .on(Refresh.self) { _, _ in await run("refresh") }
        .on(Reset.self) { _, _ in await run("reset") }
        .on(Name.self, per: \.name) { name, _ in await run("name \(name.name ?? "nil")") }
    }
  }

  @Test(arguments: [0, 1, -1, .max, .min])
  func `counts under none of the keys`(_ id: Int) async throws {
    let (gate, log) = (Gate(), Recorder<String>())
    let store = try makeStore(gate, log)
    store.dispatch(Load(id: id))
    await log.waitForCount(1)
    store.dispatch(Refresh())
    await log.waitForCount(2)
    store.dispatch(Name(name: nil))
    store.dispatch(Name(name: ""))
    await log.waitForCount(4)
    #expect(
      Set(log.values) == ["begin load \(id)", "begin refresh", "begin name nil", "begin name "])
    // Neither does an action with a key count among those without one.
    store.dispatch(Load(id: id))
    await log.waitForCount(6)
    #expect(log.values.filter { $0.hasPrefix("cancelled") } == ["cancelled load \(id)"])
    gate.open()
    try await store.settled()
    #expect(log.values.filter { $0.hasPrefix("cancelled") } == ["cancelled load \(id)"])
  }

  @Test func `counts with the others without a key, whatever their types`() async throws {
    let (gate, log) = (Gate(), Recorder<String>())
    let store = try makeStore(gate, log)
    store.dispatch(Load(id: 0))
    store.dispatch(Refresh())
    await log.waitForCount(2)
    store.dispatch(Reset())
    await log.waitForCount(4)
    #expect(log.values.filter { $0.hasPrefix("cancelled") } == ["cancelled refresh"])
    gate.open()
    try await store.settled()
    #expect(log.values.filter { $0.hasPrefix("cancelled") } == ["cancelled refresh"])
  }

  @Test func `debounced, waits beside the keys`() async throws {
    let (clock, log) = (ManualClock(), Recorder<String>())
    let store = try Store(initialState: Desk(), coverage: .partial) {
      Effect<Desk>(on: Load.self, .concurrent, per: \.id) { load, _ in log.append("\(load.id)") }
        .on(Refresh.self) { _, _ in log.append("refresh") }
        .debounced(for: .seconds(1), clock: clock)
    }
    store.dispatch([Load(id: 0), Refresh(), Load(id: 1), Refresh()] as [any Action])
    await clock.waitForSleepers(3)
    await clock.advance(by: .seconds(1))
    try await store.settled()
    #expect(log.values.sorted() == ["0", "1", "refresh"])
  }
}
