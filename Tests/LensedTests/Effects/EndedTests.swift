import Lensed
import LensedTestSupport
import LensedTesting
import Testing

@Suite("ended: how a run ended is told, once", .timeLimit(.minutes(30)))
struct EndedTests {
  fileprivate struct Row: Sendable, Identifiable, Equatable {
    let id: Int
    var log: [String] = []
  }

  fileprivate struct App: Sendable {
    var log: [String] = []
    var session: Int? = 1
    var rows: Entities<Row> = [Row(id: 1), Row(id: 2)]
    var missed: [String] = []
  }

  fileprivate struct Load: Action, Hashable { var id = 0 }
  fileprivate struct Stop: Action {}
  fileprivate struct Line: Action { let text: String }
  fileprivate struct Ended: Action { let text: String }
  fileprivate struct SetSession: Action { let session: Int? }
  fileprivate struct Keep: Action { let ids: [Int] }
  fileprivate struct Failure: Error {}

  /// What an end is called in these tests.
  fileprivate static func name(_ end: EffectEnd) -> String {
    switch end {
    case .finished: "finished"
    case .failed(let error): "failed \(type(of: error))"
    case .cancelled: "cancelled"
    case .superseded: "superseded"
    case .gone: "gone"
    }
  }

  private let gate = Gate()
  private let begun = Recorder<Int>()

  /// An effect that runs until the gate opens.
  private func load(_ policy: EffectPolicy = .concurrent) -> Effect<App> {
    Effect(on: Load.self, policy) { [gate, begun] load, _ in
      begun.append(load.id)
      try await gate.wait()
    }
  }

  private func telling(_ effect: Effect<App>) -> Effect<App> {
    effect.ended { end, _ in Ended(text: Self.name(end)) }
  }

  @Test func `the commit that tells it says where it is written`() async throws {
    let store = try makeStore(
      Recorder(),
      Effect<App>(on: Load.self) { _, _ in }
        .ended { _, _ in Line(text: "1") }
        .ended(of: Load.self) { _, _, _ in Line(text: "2") })
    let line = UInt(#line - 2)
    var changes = store.changes().makeAsyncIterator()
    try await store.dispatch(Load()).finish()
    _ = await changes.next()
    for number in 0..<2 {
      let site = try #require(await changes.next()?.site)
      #expect(site.fileID == #fileID && site.line == line + UInt(number))
    }
  }

  private func makeStore(
    _ warnings: Recorder<StoreWarning> = Recorder(), _ effect: Effect<App>...
  ) throws -> Store<App> {
    try StoreBlueprint<App>(coverage: .partial) {
      Mutator(\App.log) { (log: inout [String], line: Line) in log.append(line.text) }
        .on(Ended.self) { log, ended in log.append(ended.text) }
        .on(Stop.self) { _, _ in }
        .on(Load.self) { log, load in log.append("load \(load.id)") }
      Mutator(\App.session) { (session: inout Int?, set: SetSession) in session = set.session }
      Mutator(\App.rows) { (rows: inout Entities<Row>, keep: Keep) in
        for id in rows.ids where !keep.ids.contains(id) { rows[id: id] = nil }
      }
      effect
    }
    .makeStore(
      initialState: App(), onEffectError: { _ in }, onWarning: { warnings.append($0) })
  }

  // MARK: Each way to end

  @Test func `a run whose code returns has finished`() async throws {
    let store = try makeStore(Recorder(), telling(load()))
    let task = store.dispatch(Load())
    _ = await begun.waitForCount(1)
    #expect(store.log == ["load 0"])
    gate.open()
    try await task.finish()
    #expect(store.log == ["load 0", "finished"])
  }

  @Test func `a run that throws has failed, and catch is asked first`() async throws {
    let caught = Effect<App>(
      on: Load.self, catch: { _, context in context.dispatch(Line(text: "caught")) }
    ) { _, _ in throw Failure() }
    let store = try makeStore(Recorder(), telling(caught))
    try await store.dispatch(Load()).finish()
    #expect(store.log == ["load 0", "caught", "failed Failure"])
  }

  @Test func `a run past its limit has failed; one that is tried again ends once`() async throws {
    let clock = ManualClock()
    let late = Effect<App>(on: Load.self) { [gate] _, _ in try await gate.wait() }
      .timedOut(after: .seconds(1), clock: clock)
    let tries = Recorder<Int>()
    let retried = Effect<App>(on: Stop.self) { _, _ in
      tries.append(0)
      if tries.values.count < 3 { throw Failure() }
    }
    .retried(attempts: 3, after: .zero)
    let store = try makeStore(Recorder(), telling(late), telling(retried))
    let task = store.dispatch(Load())
    // The limit counts from when its sleep begins, and the gate stays closed: nothing but the limit ends the run.
    await clock.waitForSleepers(1)
    await clock.advance(by: .seconds(1))
    try await task.finish()
    try await store.dispatch(Stop()).finish()
    #expect(store.log == ["load 0", "failed EffectTimeout", "finished"])
    #expect(tries.values.count == 3)
  }

  @Test func `an action cancels a run, and its end is there when dispatch returns`() async throws {
    let store = try makeStore(Recorder(), telling(load().cancelled(on: Stop.self)))
    store.dispatch(Load())
    _ = await begun.waitForCount(1)
    store.dispatch(Stop())
    #expect(store.log == ["load 0", "cancelled"])
    gate.open()
    try await store.settled()
    #expect(store.log == ["load 0", "cancelled"])
  }

  @Test func `cancelling the dispatch, and removing the effect, cancel a run`() async throws {
    let store = try makeStore()
    let installed = store.install(telling(load()))
    let task = store.dispatch(Load(id: 1))
    _ = await begun.waitForCount(1)
    task.cancel()
    #expect(store.log == ["load 1", "cancelled"])
    store.dispatch(Load(id: 2))
    _ = await begun.waitForCount(2)
    installed.cancel()
    #expect(store.log == ["load 1", "cancelled", "load 2", "cancelled"])
  }

  @Test func `a newer trigger supersedes a run, whose end comes after that trigger`() async throws {
    let store = try makeStore(Recorder(), telling(load(.latest)))
    store.dispatch(Load(id: 1))
    _ = await begun.waitForCount(1)
    let task = store.dispatch(Load(id: 2))
    #expect(store.log == ["load 1", "load 2", "superseded"])
    gate.open()
    try await task.finish()
    #expect(store.log == ["load 1", "load 2", "superseded", "finished"])
  }

  @Test func `in one array, the last trigger supersedes the others`() async throws {
    let store = try makeStore(Recorder(), telling(load(.latest)))
    gate.open()
    try await store.dispatch([Load(id: 1), Load(id: 2), Load(id: 3)]).finish()
    #expect(begun.values == [3])
    #expect(
      store.log == ["load 1", "load 2", "load 3", "superseded", "superseded", "finished"])
  }

  @Test(arguments: [nil, 2]) func `what it is tied to goes, or becomes another`(
    session: Int?
  ) async throws {
    let tied = load().tied(to: \.session, by: \.self)
    let store = try makeStore(Recorder(), telling(tied))
    store.dispatch(Load())
    _ = await begun.waitForCount(1)
    store.dispatch(SetSession(session: session))
    #expect(store.log == ["load 0", "gone"])
  }

  // MARK: When

  @Test func `it comes once the sequences of the run have ended, too`() async throws {
    let (lines, feed) = AsyncStream.makeStream(of: Line.self)
    let effect = Effect<App>(on: Load.self) { _, context in context.dispatch(lines) }
    let store = try makeStore(Recorder(), telling(effect))
    let task = store.dispatch(Load())
    feed.yield(Line(text: "a"))
    let log = store.states(\.log)
    for await lines in log where lines.contains("a") { break }
    #expect(store.log == ["load 0", "a"])
    feed.yield(Line(text: "b"))
    feed.finish()
    try await task.finish()
    #expect(store.log == ["load 0", "a", "b", "finished"])
  }

  @Test func `a lingering run that is superseded is told of once`() async throws {
    let (lines, feed) = AsyncStream.makeStream(of: Line.self)
    let effect = Effect<App>(on: Load.self, .latest) { load, context in
      if load.id == 1 { context.dispatch(lines) }
    }
    let store = try makeStore(Recorder(), telling(effect))
    store.dispatch(Load(id: 1))
    feed.yield(Line(text: "a"))
    for await lines in store.states(\.log) where lines.contains("a") { break }
    try await store.dispatch(Load(id: 2)).finish()
    feed.finish()
    try await store.settled()
    #expect(store.log == ["load 1", "a", "load 2", "superseded", "finished"])
  }

  @Test func `its commit is not the run's: nothing that ended the run reaches it`() async throws {
    let effect = load(.latest).ended { end, _ in Load(id: 9) }
    let store = try makeStore(Recorder(), effect.cancelled(on: Stop.self))
    let task = store.dispatch(Load(id: 1))
    _ = await begun.waitForCount(1)
    task.cancel()
    // The effect that the end has set off is no part of what was cancelled.
    _ = await begun.waitForCount(2)
    #expect(begun.values == [1, 9])
    #expect(store.log == ["load 1", "load 9"])
  }

  @Test func `a queued run begins after the end of the one before`() async throws {
    let store = try makeStore(Recorder(), telling(load(.serial)))
    gate.open()
    try await store.dispatch([Load(id: 1), Load(id: 2)]).finish()
    #expect(store.log == ["load 1", "load 2", "finished", "finished"])
    let serial = Effect<App>(on: Load.self, .serial) { load, _ in Line(text: "run \(load.id)") }
    let inTurn = try makeStore(Recorder(), telling(serial))
    try await inTurn.dispatch([Load(id: 1), Load(id: 2)]).finish()
    #expect(inTurn.log == ["load 1", "load 2", "run 1", "finished", "run 2", "finished"])
  }

  @Test func `finish and settled wait for it, and for what it sets off`() async throws {
    let slow = Gate()
    let effect = Effect<App>(on: Load.self) { _, _ in }.ended { _, _ in Stop() }
    let second = Effect<App>(on: Stop.self) { _, _ in
      try await slow.wait()
      return Line(text: "second")
    }
    let store = try makeStore(Recorder(), effect, second)
    let task = store.dispatch(Load())
    await slow.waitForWaiters()
    slow.open()
    try await task.finish()
    #expect(store.log == ["load 0", "second"])
  }

  @Test func `nil dispatches nothing, and the context dispatches, too`() async throws {
    let effect = Effect<App>(on: Load.self) { _, _ in }.ended { end, context in
      context.dispatch(Line(text: "\(Self.name(end)), \(context.log.count) lines"))
      return nil
    }
    let store = try makeStore(Recorder(), effect)
    try await store.dispatch(Load()).finish()
    #expect(store.log == ["load 0", "finished, 1 lines"])
  }

  @Test func `it is given the action of its own run, one by one in an array`() async throws {
    let effect = Effect<App>(on: Load.self, .serial) { _, _ in }
      .on(Stop.self) { _, _ in }
      .ended(of: Load.self) { end, load, _ in Ended(text: "\(Self.name(end)) \(load.id)") }
    let store = try makeStore(Recorder(), effect)
    try await store.dispatch([Load(id: 1), Stop(), Load(id: 2)] as [any Action]).finish()
    #expect(store.log == ["load 1", "load 2", "finished 1", "finished 2"])
  }

  // MARK: Triggers that never ran

  @Test func `a trigger that waited in a queue is told of`() async throws {
    let store = try makeStore(Recorder(), telling(load(.serial).cancelled(on: Stop.self)))
    store.dispatch([Load(id: 1), Load(id: 2), Load(id: 3)])
    _ = await begun.waitForCount(1)
    store.dispatch(Stop())
    #expect(store.log.dropFirst(3) == ["cancelled", "cancelled", "cancelled"])
    gate.open()
    try await store.settled()
    #expect(begun.values == [1])
    #expect(store.log.count == 6)
  }

  @Test func `a trigger that the policy ignores is not`() async throws {
    let store = try makeStore(Recorder(), telling(load(.first)))
    store.dispatch(Load(id: 1))
    _ = await begun.waitForCount(1)
    store.dispatch(Load(id: 2))
    gate.open()
    try await store.settled()
    #expect(store.log == ["load 1", "load 2", "finished"])
  }

  @Test
  func `a trigger that begins nothing is not: a condition refuses it, or its tie is to nothing`()
    async throws
  {
    let refused = Effect<App>(on: Load.self, when: { _, _ in false }) { _, _ in }
    let conditional = try makeStore(Recorder(), telling(refused))
    try await conditional.dispatch(Load(id: 1)).finish()
    #expect(conditional.log == ["load 1"])
    let tied = try makeStore(Recorder(), telling(load().tied(to: \.session)))
    // The first is triggered while there is a session, and the same commit ends that.
    try await tied.dispatch([Load(id: 1), SetSession(session: nil)]).finish()
    try await tied.dispatch(Load(id: 2)).finish()
    #expect(tied.log == ["load 1", "load 2"])
    #expect(begun.values == [])
  }

  @Test func `a lull that begins anew is no end, and one that is cancelled is`() async throws {
    let clock = ManualClock()
    let store = try makeStore(
      Recorder(),
      telling(
        load().debounced(for: .seconds(1), clock: clock).cancelled(on: Stop.self)
          .tied(to: \.session)))
    gate.open()
    store.dispatch(Load(id: 1))
    store.dispatch(Load(id: 2))
    #expect(store.log == ["load 1", "load 2"])
    store.dispatch(Stop())
    #expect(store.log == ["load 1", "load 2", "cancelled"])
    store.dispatch(Load(id: 3))
    store.dispatch(SetSession(session: nil))
    #expect(store.log == ["load 1", "load 2", "cancelled", "load 3", "gone"])
    store.dispatch(SetSession(session: 1))
    let task = store.dispatch(Load(id: 4))
    await clock.advance(by: .seconds(1))
    try await task.finish()
    #expect(begun.values == [4])
    #expect(store.log.suffix(2) == ["load 4", "finished"])
  }

  @Test func `a throttled trigger that is ignored is not, and one that waits is once`() async throws
  {
    let clock = ManualClock()
    gate.open()
    let plain = try makeStore(
      Recorder(), telling(load().throttled(for: .seconds(1), clock: clock)))
    try await plain.dispatch([Load(id: 1), Load(id: 2)]).finish()
    #expect(plain.log == ["load 1", "load 2", "finished"])
    let latest = try makeStore(
      Recorder(), telling(load().throttled(for: .seconds(1), latest: true, clock: clock)))
    let task = latest.dispatch([Load(id: 1), Load(id: 2), Load(id: 3)])
    await clock.advance(by: .seconds(1))
    try await task.finish()
    #expect(begun.values.suffix(2) == [1, 3])
    #expect(latest.log == ["load 1", "load 2", "load 3", "finished", "finished"])
  }

  @Test func `the end of the store tells nobody, and nothing is kept`() async throws {
    let (told, isReleased) = (Recorder<String>(), Gate())
    do {
      let captured = Bell { isReleased.open() }
      let effect = load(.serial).ended { end, _ in
        withExtendedLifetime(captured) { told.append(Self.name(end)) }
        return nil
      }
      let store = try makeStore(Recorder(), effect)
      store.dispatch([Load(id: 1), Load(id: 2)])
      _ = await begun.waitForCount(1)
    }
    gate.open()
    try await isReleased.wait()
    #expect(told.values == [])
  }

  // MARK: Children

  @Test func `in a child it is lifted; with the child gone the owners above hear it alone`()
    async throws
  {
    let (warnings, gate, begun) = (Recorder<StoreWarning>(), gate, begun)
    let row = Feature<Row> {
      Constant(\.id)
      Mutator(\.log) { (log: inout [String], ended: Ended) in log.append(ended.text) }
      Effect(on: Load.self) { load, context in
        begun.append(context.id)
        try await gate.wait()
      }
      .cancelled(on: Stop.self)
      .ended { end, context in Ended(text: "\(Self.name(end)) \(context.id)") }
    }
    let store = try StoreBlueprint<App>(coverage: .partial) {
      Mutator(\App.rows) { (rows: inout Entities<Row>, keep: Keep) in
        for id in rows.ids where !keep.ids.contains(id) { rows[id: id] = nil }
      }
      row.identified().lifted(\.rows)
      Mutator(\App.missed) {
        (missed: inout [String], ended: ElementAction<Int, Ended>) in
        missed.append("\(ended.id): \(ended.action.text)")
      }
    }
    .makeStore(initialState: App(), onWarning: { warnings.append($0) })
    store.dispatch([Load().element(1), Load().element(2)])
    _ = await begun.waitForCount(2)
    store.dispatch(Stop().element(1))
    #expect(store.rows[id: 1]?.log == ["cancelled 1"])
    store.dispatch(Keep(ids: [1]))
    #expect(store.missed == ["1: cancelled 1", "2: gone 2"])
    #expect(warnings.values.isEmpty)
    gate.open()
    try await store.settled()
    #expect(store.rows == [Row(id: 1, log: ["cancelled 1"])])
  }

  @Test func `an end that reaches nobody, because its child has gone, is no warning`() async throws
  {
    let (warnings, gate, begun) = (Recorder<StoreWarning>(), gate, begun)
    let row = Feature<Row> {
      Constant(\.id)
      Mutator(\.log) { (log: inout [String], ended: Ended) in log.append(ended.text) }
      Effect(on: Load.self) { _, _ in
        begun.append(0)
        try await gate.wait()
      }
      .ended { end, _ in Ended(text: Self.name(end)) }
    }
    let store = try StoreBlueprint<App>(coverage: .partial) {
      Mutator(\App.rows) { (rows: inout Entities<Row>, keep: Keep) in
        for id in rows.ids where !keep.ids.contains(id) { rows[id: id] = nil }
      }
      row.identified().lifted(\.rows)
    }
    .makeStore(initialState: App(), onWarning: { warnings.append($0) })
    let origins = Recorder<CommitOrigin>()
    let changes = store.changes()
    var iterator = changes.makeAsyncIterator()
    store.dispatch(Load().element(1))
    _ = await begun.waitForCount(1)
    store.dispatch(Keep(ids: [2]))
    #expect(warnings.values.isEmpty)
    for _ in 0..<3 { if let change = await iterator.next() { origins.append(change.origin) } }
    if case .effect = origins.values.last {} else { Issue.record("\(origins.values)") }
    // An action for a child that is not there, from outside, still is one.
    store.dispatch(Ended(text: "").element(1))
    #expect(warnings.values.map(\.kind) == [.missingElement])
    gate.open()
  }

  // MARK: Loops

  @Test func `an end that triggers its own effect at once is bounded, and warned of`() async throws
  {
    let warnings = Recorder<StoreWarning>()
    let effect = load(.latest).ended { end, _ in
      if case .superseded = end { Load(id: 9) } else { nil }
    }
    let store = try makeStore(warnings, effect)
    store.dispatch(Load(id: 1))
    _ = await begun.waitForCount(1)
    store.dispatch(Load(id: 2))
    await warnings.waitForCount(1)
    gate.open()
    try await store.settled()
    #expect(Set(warnings.values.map(\.kind)) == [.endlessEffects])
    // Whichever thread tells an end: two runs take turns, each chain has its length.
    #expect(store.log.count(where: { $0 == "load 9" }) <= 2_001)
  }

  @Test func `an end that triggers its own effect later is warned of after 1000 rounds`()
    async throws
  {
    let warnings = Recorder<StoreWarning>()
    let effect = Effect<App>(on: Load.self) { _, _ in }.ended { _, context in
      context.log.count < 1_100 ? Load() : nil
    }
    let store = try makeStore(warnings, effect)
    try await store.dispatch(Load()).finish()
    #expect(store.log.count == 1_100)
    #expect(warnings.values.map(\.kind) == [.endlessEffects])
  }

  @Test func `many runs that end together are told of one by one, without a limit`() async throws {
    let store = try makeStore(Recorder(), telling(load().cancelled(on: Stop.self)))
    store.dispatch((0..<1_500).map { Load(id: $0) })
    store.dispatch(Stop())
    #expect(store.log.count(where: { $0 == "cancelled" }) == 1_500)
    gate.open()
    try await store.settled()
    #expect(store.log.count == 3_000)
  }

  // MARK: Exactly once

  /// Whoever is first, the run's own code or what ends it: there is one end for each trigger.
  @Test func `under load, each trigger has one end`() async throws {
    let rounds = 150 * VerificationLength.factor
    let ends = Recorder<String>()
    let effect = Effect<App>(on: Load.self, .limited(2)) { load, _ in
      if load.id.isMultiple(of: 3) { await Task.yield() }
    }
    .cancelled(on: Stop.self).ended { end, _ in
      ends.append(Self.name(end))
      return nil
    }
    let store = try makeStore(Recorder(), effect)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for thread in 0..<2 {
        group.addTask {
          for round in 0..<rounds {
            let task = store.dispatch(Load(id: round))
            if round.isMultiple(of: 5 + thread) { task.cancel() }
          }
        }
      }
      group.addTask {
        for _ in 0..<rounds / 5 {
          store.dispatch(Stop())
          await Task.yield()
        }
      }
      try await group.waitForAll()
    }
    try await store.settled()
    #expect(ends.values.count == 2 * rounds)
  }
}
