import Lensed
import LensedTestSupport
import Testing

@Suite("Effects: keys, cases, several types, triggers", .timeLimit(.minutes(30)))
struct EffectKeyTests {
  private struct Load: Action, Equatable { let id: Int; var page = 0 }
  private struct Cancel: Action { let isFinal: Bool }
  private enum Query: Action { case text(String), reset }
  private struct App: Sendable, Equatable {
    var query = ""
    var count = 0
    static let query = Mutator(\App.query) { (query: inout String, action: Query) in
      if case .text(let text) = action { query = text } else { query = "" }
    }
    static let count = Mutator(\App.count) { (count: inout Int, action: CountAction) in
      if case .add(let amount) = action { count += amount }
    }
  }

  private func makeStore(
    @StoreBuilder<App> _ parts: () -> [StorePart<App>]
  ) throws -> Store<App> {
    try Store(initialState: App()) {
      App.query
      App.count
      parts()
    }
  }

  @Test func `a policy per key counts each key on its own`() async throws {
    let (gate, log) = (Gate(), Recorder<String>())
    let store = try makeStore {
      Effect(on: Load.self, .latest, per: \.id) { load, _ in
        log.append("begin \(load.id).\(load.page)")
        do { try await gate.wait() } catch { log.append("cancelled \(load.id).\(load.page)") }
      }
    }
    store.dispatch(Load(id: 1))
    store.dispatch(Load(id: 2))
    await log.waitForCount(2)
    let last = store.dispatch(Load(id: 1, page: 1))
    await log.waitForCount(4)
    gate.open()
    try await last.finish()
    #expect(log.values.filter { $0.hasPrefix("cancelled") } == ["cancelled 1.0"])
    #expect(Set(log.values) == ["begin 1.0", "begin 2.0", "begin 1.1", "cancelled 1.0"])
  }

  @Test func `debounced and throttled count per key too`() async throws {
    let (clock, log) = (ManualClock(), Recorder<Int>())
    let store = try makeStore {
      Effect(on: Load.self, .concurrent, per: \.id) { load, _ in
        log.append(load.id * 10 + load.page)
      }
      .debounced(for: .seconds(1), clock: clock)
    }
    store.dispatch([Load(id: 1), Load(id: 2), Load(id: 1, page: 5)])
    await clock.waitForSleepers(2)
    await clock.advance(by: .seconds(1))
    #expect(await Set(log.waitForCount(2)) == [15, 20])
    let throttled = Recorder<Int>()
    let other = try makeStore {
      Effect(on: Load.self, .concurrent, per: \.id) { load, _ in
        throttled.append(load.id * 10 + load.page)
      }
      .throttled(for: .seconds(1), clock: clock)
    }
    try await other.dispatch([Load(id: 1), Load(id: 2), Load(id: 1, page: 5)]).finish()
    #expect(Set(throttled.values) == [10, 20])
    await clock.advance(by: .seconds(1))
    try await other.dispatch(Load(id: 1, page: 6)).finish()
    #expect(throttled.values.last == 16)
  }

  @Test(.warnsOnPurpose)
  func `a trailing throttle runs the last trigger of the silence at its end`() async throws {
    let (clock, log) = (ManualClock(), Recorder<Int>())
    let store = try makeStore {
      Effect(on: Load.self, .concurrent) { load, _ in log.append(load.page) }
        .throttled(for: .seconds(1), latest: true, clock: clock)
    }
    try await store.dispatch(Load(id: 0, page: 1)).finish()
    let task = store.dispatch(Load(id: 0, page: 2))
    store.dispatch(Load(id: 0, page: 3))
    await clock.waitForSleepers(1)
    await clock.advance(by: .milliseconds(999))
    #expect(log.values == [1])
    await clock.advance(by: .milliseconds(1))
    #expect(await log.waitForCount(2) == [1, 3])
    try await task.finish()
    // The late one began a silence of its own.
    store.dispatch(Load(id: 0, page: 4))
    await clock.waitForSleepers(1)
    #expect(log.values == [1, 3])
  }

  @Test func `an action that does not match is no trigger`() async throws {
    let (gate, log) = (Gate(), Recorder<String>())
    let store = try makeStore {
      Effect(
        on: Query.self, matching: { if case .text(let text) = $0 { text } else { nil } }, .latest
      ) { text, context in
        log.append("begin \(text) after \(context.state.query)")
        do { try await gate.wait() } catch { log.append("cancelled") }
      }
    }
    let task = store.dispatch(Query.text("a"))
    await log.waitForCount(1)
    store.dispatch(Query.reset)
    gate.open()
    try await task.finish()
    #expect(log.values == ["begin a after a"])
  }

  @Test func `one effect of several types has one policy`() async throws {
    let (gate, log) = (Gate(), Recorder<String>())
    let store = try makeStore {
      Effect(on: Load.self, .latest) { _, _ in
        do { try await gate.wait() } catch { log.append("load cancelled") }
      }
      .on(Query.self) { query, _ in
        log.append("query")
        return CountAction.add(1)
      }
    }
    let load = store.dispatch(Load(id: 1))
    await gate.waitForWaiters()
    try await store.dispatch(Query.text("x")).finish()
    try await load.finish()
    #expect(Set(log.values) == ["load cancelled", "query"])
    #expect(store.count == 1)
  }

  @Test(.warnsOnPurpose) func `an effect of every action sees each member, in order`() async throws
  {
    let log = Recorder<String>()
    let store = try makeStore {
      Effect(ofEveryAction: .serial) { action, _ in log.append("\(type(of: action))") }
    }
    try await store.dispatch([Load(id: 1), CountAction.add(1), Query.reset]).finish()
    #expect(log.values == ["Load", "CountAction", "Query"])
    #expect(store.count == 1)
  }

  @Test func `it is cancelled by those actions alone that meet the condition`() async throws {
    let (gate, log) = (Gate(), Recorder<String>())
    let store = try makeStore {
      Effect(on: Load.self) { _, _ in
        do { try await gate.wait() } catch { log.append("cancelled") }
      }
      .cancelled(on: Cancel.self, where: { cancel, state in cancel.isFinal && state.count > 0 })
    }
    let task = store.dispatch(Load(id: 1))
    await gate.waitForWaiters()
    store.dispatch(Cancel(isFinal: true))
    store.dispatch(CountAction.add(1))
    store.dispatch(Cancel(isFinal: false))
    #expect(log.values == [])
    store.dispatch(Cancel(isFinal: true))
    try await task.finish()
    #expect(log.values == ["cancelled"])
  }

  @Test func `a changed value runs when installed and when replaced, where it includes them`()
    async throws
  {
    let (plain, both) = (Recorder<String>(), Recorder<String>())
    let store = try makeStore {
      Effect(whenChanged: \.query, .serial) { query, _ in plain.append(query) }
      Effect(whenChanged: \.query, .serial, including: [.installation, .replacement]) {
        query, context in both.append("\(query) \(context.change.revision)")
      }
    }
    #expect(await both.waitForCount(1) == [" 0"])
    try await store.dispatch(Query.text("a")).finish()
    store.replaceState(App(query: "b"))
    store.replaceState(App(query: "b", count: 1))
    #expect(await both.waitForCount(3) == [" 0", "a 1", "b 2"])
    #expect(plain.values == ["a"])
  }

  @Test func `a function of the state is watched like a property`() async throws {
    let log = Recorder<Bool>()
    let store = try makeStore {
      Effect(whenChanged: { $0.count > 1 }, .serial) { isMany, _ in log.append(isMany) }
    }
    for amount in [1, 1, 1, -2] { try await store.dispatch(CountAction.add(amount)).finish() }
    #expect(log.values == [true, false])
  }

  @Test func `the state before is at hand where it was asked for`() async throws {
    let log = Recorder<Int?>()
    let store = try makeStore {
      Effect(on: CountAction.self, .serial) { _, context in
        log.append(context.change.previous?.count)
      }
      .keepingPrevious()
    }
    try await store.dispatch(CountAction.add(2)).finish()
    try await store.dispatch(CountAction.add(3)).finish()
    #expect(log.values == [0, 2])
  }

  @Test func `types of actions are added to no effect of a value`() async {
    await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Effect<App>(whenChanged: \.count) { _, _ in }.on(Query.self) { _, _ in }
    }
    .map { #expect($0.message.contains("Add types of actions to an effect of actions")) }
  }
}
