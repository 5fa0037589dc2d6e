import Foundation
import Lensed
import LensedTestSupport
import LensedTesting
import Testing

@testable import LensedPersistence

@Suite("Runs of effects, as sessions have them", .timeLimit(.minutes(30)))
struct RecordedRunTests {
  private let clock = ManualClock()
  private let gate = Gate()
  private let begun = Recorder<Int>()
  private let runs = Recorder<RecordedRun>()

  /// What the records say, with the times in seconds.
  private var said: [String] { runs.values.map(Self.say) }

  private static func say(_ run: RecordedRun) -> String {
    var text = "\(run.number) of #\(run.commit) \(run.effect): \(run.waiting.components.seconds)"
    text += run.running.map { " runs \($0.components.seconds)" } ?? ""
    text += run.ended.map { " \($0.how.rawValue) \($0.time.components.seconds)" } ?? ""
    return text + (run.error.map { " (\($0))" } ?? "")
  }

  private var recorder: SessionRecorder<RunApp> {
    SessionRecorder(
      writingTo: SessionSink(
        begin: { _ in }, record: { _ in nil }, afterwards: {}, run: { [runs] in runs.append($0) }))
  }

  private func makeStore(
    _ middleware: [any Middleware<RunApp>], _ effects: Effect<RunApp>...
  ) throws -> Store<RunApp> {
    try RunApp.makeStore(middleware, clock: clock, effects)
  }

  /// An effect that runs until the gate opens.
  private func load(_ policy: EffectPolicy = .concurrent) -> Effect<RunApp> {
    Effect(on: Load.self, policy) { [gate, begun] load, _ in
      begun.append(load.id)
      try await gate.wait()
    }
    .named("Load")
  }

  // MARK: The moments

  @Test func `a run has the commit that set it off, and three moments by the clock of the store`()
    async throws
  {
    let effect = Effect<RunApp>(on: Load.self, .serial) { [clock] _, _ in
      try await clock.sleep(for: .seconds(2))
    }
    let line = UInt(#line - 3)
    let store = try makeStore([recorder], effect.named("Load"))
    clock.move(by: .seconds(1))
    let (first, second) = (store.dispatch(Load(id: 1)), store.dispatch(Load(id: 2)))
    await clock.waitForSleeps(1)
    clock.move(by: .seconds(2))
    try await first.finish()
    await clock.waitForSleeps(2)
    clock.move(by: .seconds(2))
    try await second.finish()
    #expect(said.count == 5)
    #expect(
      said.filter { $0.hasPrefix("1") } == [
        "1 of #1 Load: 1 runs 1", "1 of #1 Load: 1 runs 1 finished 3",
      ])
    #expect(
      said.filter { $0.hasPrefix("2") } == [
        "2 of #2 Load: 1", "2 of #2 Load: 1 runs 3", "2 of #2 Load: 1 runs 3 finished 5",
      ])
    let site = try #require(runs.values.first?.site)
    #expect(site.fileID == #fileID && site.line == line)
  }

  @Test func `an error, a cancelled dispatch, a newer trigger and a tie are told apart`()
    async throws
  {
    let failing = Effect<RunApp>(on: Line.self) { line, _ in throw RunFailure(text: line.text) }
    let store = try makeStore(
      [recorder], load(.latest).tied(to: \.session), failing.named("Fail"))
    try await store.dispatch(Line(text: "a")).finish()
    let task = store.dispatch(Load(id: 1))
    _ = await begun.waitForCount(1)
    task.cancel()
    store.dispatch(Load(id: 2))
    _ = await begun.waitForCount(2)
    store.dispatch(Load(id: 3))
    _ = await begun.waitForCount(3)
    store.dispatch(SetSession(session: nil))
    gate.open()
    try await store.settled()
    #expect(
      ends == [
        1: #"failed LensedPersistenceTests.RunFailure(text: "a")"#, 2: "cancelled", 3: "superseded",
        4: "gone",
      ])
  }

  /// How the runs ended, by the commit that set each off.
  private var ends: [UInt64: String] {
    var ends: [UInt64: String] = [:]
    for run in runs.values {
      guard let end = run.ended else { continue }
      #expect(ends[run.commit] == nil, "A run ended twice.")
      ends[run.commit] = end.how.rawValue + (run.error.map { " \($0)" } ?? "")
    }
    return ends
  }

  @Test func `what failed with something that nobody is to read says its type alone`() async throws
  {
    let failing = Effect<RunApp>(on: Line.self) { _, _ in throw Hidden(text: "swordfish") }
    let store = try makeStore([recorder], failing.named("Fail"))
    try await store.dispatch(Line(text: "a")).finish()
    #expect(ends == [1: "failed Hidden"])
  }

  @Test func `a run whose code has returned goes on until its sequences have ended`() async throws {
    let (lines, feed) = AsyncStream.makeStream(of: Line.self)
    let effect = Effect<RunApp>(on: Load.self) { _, context in context.dispatch(lines) }
    let store = try makeStore([recorder], effect.named("Lines"))
    let task = store.dispatch(Load())
    feed.yield(Line(text: "a"))
    for await log in store.states(\.log) where log.contains("a") { break }
    #expect(ends == [:])
    clock.move(by: .seconds(4))
    feed.finish()
    try await task.finish()
    #expect(said.last == "1 of #1 Lines: 0 runs 0 finished 4")
  }

  @Test
  func `a trigger that waits for a lull is a run that waits; one that replaces it supersedes it`()
    async throws
  {
    let store = try makeStore([recorder], load().debounced(for: .seconds(1), clock: clock))
    gate.open()
    store.dispatch(Load(id: 1))
    await clock.waitForSleeps(1)
    let task = store.dispatch(Load(id: 2))
    await clock.waitForSleeps(2)
    clock.move(by: .seconds(1))
    try await task.finish()
    #expect(
      said.filter { $0.hasPrefix("1") } == ["1 of #1 Load: 0", "1 of #1 Load: 0 superseded 0"])
    #expect(
      said.filter { $0.hasPrefix("2") } == [
        "2 of #2 Load: 0", "2 of #2 Load: 0 runs 1", "2 of #2 Load: 0 runs 1 finished 1",
      ])
  }

  @Test func `a trigger that is ignored is no run; after a lull it is one that was ignored`()
    async throws
  {
    let store = try makeStore([recorder], load(.first))
    store.dispatch(Load(id: 1))
    _ = await begun.waitForCount(1)
    store.dispatch(Load(id: 2))
    gate.open()
    try await store.settled()
    #expect(ends == [1: "finished"])
    let (lulls, late) = (Recorder<RecordedRun>(), Gate())
    let other = try RunApp.makeStore(
      [
        SessionRecorder(
          writingTo: SessionSink(
            begin: { _ in }, record: { _ in nil }, afterwards: {}, run: { lulls.append($0) }))
      ], clock: clock,
      [
        Effect(on: Load.self, .first) { [begun] load, _ in
          begun.append(load.id)
          try await late.wait()
        }
        .debounced(for: .seconds(1), clock: clock)
      ])
    other.dispatch(Load(id: 3))
    await clock.waitForSleeps(1)
    clock.move(by: .seconds(1))
    _ = await begun.waitForCount(2)
    let task = other.dispatch(Load(id: 4))
    await clock.waitForSleeps(2)
    clock.move(by: .seconds(1))
    try await task.finish()
    late.open()
    try await other.settled()
    #expect(lulls.values.compactMap(\.ended?.how) == [.ignored, .finished])
  }

  @Test func `a run in a row says which, and ends with it`() async throws {
    let tick = Effect<RunApp.Row>(on: Tick.self) { [gate, begun] _, _ in
      begun.append(0)
      try await gate.wait()
    }
    .named("Tick")
    let store = try RunApp.makeStore(
      [recorder], clock: clock, [], rows: Feature { tick })
    store.dispatch(ElementAction(id: 2, action: Tick()))
    _ = await begun.waitForCount(1)
    store.dispatch(Keep(ids: [1]))
    gate.open()
    try await store.settled()
    #expect(said.last == "1 of #1 Tick of `rows[2]`: 0 runs 0 gone 0")
  }

  @Test func `an event of an asynchronous reducer is a run, too`() async throws {
    let total = AsyncMutator(\RunApp.total) { (total: Int, add: Add) in
      AsyncResult { [clock] in
        try await clock.sleep(for: .seconds(3))
        return total + add.by
      }
    }
    let store = try Store(
      initialState: RunApp(), coverage: .partial, middleware: [recorder], clock: clock
    ) { total }
    let task = store.dispatch(Add(by: 2))
    await clock.waitForSleeps(1)
    clock.move(by: .seconds(3))
    try await task.finish()
    #expect(store.total == 2)
    #expect(said.last == "1 of #1 `Add` of `total`: 0 runs 0 finished 3")
  }

  // MARK: Who records

  @Test func `nothing is said before a recorder is attached, and after it is detached`()
    async throws
  {
    let store = try makeStore([], load())
    store.dispatch(Load(id: 1))
    let attached = store.attach(recorder)
    _ = await begun.waitForCount(1)
    store.dispatch(Load(id: 2))
    _ = await begun.waitForCount(2)
    attached.cancel()
    gate.open()
    try await store.settled()
    #expect(said == ["1 of #2 Load: 0 runs 0"])
  }

  @Test func `a replay runs nothing, so nothing is said of it`() async throws {
    let memory = SessionRecorder<RunApp>()
    let store = try makeStore([memory], load())
    gate.open()
    try await store.dispatch(Load(id: 1)).finish()
    let fresh = try makeStore([recorder], load())
    fresh.replay(try #require(memory.session))
    try await fresh.settled()
    #expect(fresh.log == ["load 1"] && said == [])
  }

  @Test func `two recorders are told the same, and a run has one number`() async throws {
    let store = try makeStore([recorder, recorder], load())
    gate.open()
    try await store.dispatch(Load(id: 1)).finish()
    #expect(said.count == 4 && Set(said).count == 2)
  }

  // MARK: Every end

  /// Triggers, cancellations and ends in an order that a seed gives.
  @Test(arguments: 0..<(12 * UInt64(VerificationLength.factor)))
  func `a run is recorded as its end is told, once, whatever comes between`(seed: UInt64)
    async throws
  {
    var random = SeededGenerator(seed: seed)
    let policies: [EffectPolicy] = [.concurrent, .latest, .serial, .first, .limited(2)]
    let policy = policies[Int(seed) % policies.count]
    let told = Recorder<String>()
    let gates = (0..<6).map { _ in Gate() }
    let effect = Effect<RunApp>(on: Load.self, policy) { load, _ in
      try await gates[load.id % gates.count].wait()
      if load.id % 7 == 3 { throw RunFailure(text: "\(load.id)") }
    }
    .named("Load").cancelled(on: Stop.self).tied(to: \.session)
    // Of two effects with the same triggers, one tells, so that both ways of starting are taken.
    let telling = effect.ended(of: Load.self) { end, load, _ in
      told.append("\(load.id) \(Self.name(end))")
      return nil
    }
    let store = try RunApp.makeStore(
      [recorder], clock: clock, [seed % 2 == 0 ? telling : effect.named("Quiet"), telling])
    let loads = Recorder<(commit: UInt64, id: Int)>()
    store.logCommits { commit in
      if let load = commit.action as? Load { loads.append((commit.revision, load.id)) }
    }
    var tasks: [DispatchTask] = []
    for id in 0..<40 {
      switch random.next() % 8 {
      case 0: store.dispatch(Stop())
      case 1: store.dispatch(SetSession(session: Int(random.next() % 2)))
      case 2: tasks.randomElement(using: &random)?.cancel()
      case 3: gates[Int(random.next() % 6)].open()
      default: tasks.append(store.dispatch(Load(id: id)))
      }
      if random.next() % 3 == 0 { await Task.yield() }
    }
    for gate in gates { gate.open() }
    try await store.settled()
    let ids = Dictionary(uniqueKeysWithValues: loads.values.map { ($0.commit, $0.id) })
    var last: [UInt64: RecordedRun] = [:]
    for run in runs.values {
      let former = last.updateValue(run, forKey: run.number)
      #expect(former?.ended == nil, "seed \(seed): run \(run.number) went on after its end")
      #expect(former?.running == nil || former?.running == run.running)
    }
    #expect(last.values.allSatisfy { $0.ended != nil }, "seed \(seed): a run has no end")
    #expect(Set(last.keys) == Set(1...UInt64(max(1, last.count))) || last.isEmpty)
    let recorded = last.values.filter { $0.effect == "Load" }.map { run in
      "\(ids[run.commit] ?? -1) \(run.ended?.how.rawValue ?? "")"
    }
    #expect(recorded.sorted() == told.values.sorted(), "seed \(seed), \(policy)")
    if seed % 2 == 1 {
      let quiet = last.values.filter { $0.effect == "Quiet" }
      #expect(quiet.count == told.values.count || policy == .first, "seed \(seed), \(policy)")
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

  // MARK: In a file

  @Test func `a file has the runs, and is read as the commits that it has`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "runs-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "a.lensed")
    let registry = ActionRegistry(.json).adding(Load.self).adding(Line.self)
    let writer = try SessionRecorder<RunApp>(to: file, registry) { Issue.record("\($0)") }
    for store in 0..<2 {
      let store = try RunApp.makeStore(
        [writer], clock: clock, [load(store == 0 ? .first : .serial)])
      clock.move(by: .seconds(1))
      store.dispatch(Load(id: 1))
      clock.move(by: .seconds(1))
      store.dispatch(Line(text: "a"))
    }
    var session = try SessionFile(file)
    var records: [JSONText] = []
    while let record = try session.next() { records.append(record) }
    let runs = records.filter { $0["record"]?.string == "run" }
    #expect(
      runs.first.map { run in
        ["number", "commit", "waiting", "running"].map { run[$0]?.text ?? "" }
      } == ["1", "1", "1.000000", "1.000000"])
    #expect(runs.allSatisfy { $0["effect"]?.string == "Load" })
    #expect(runs.allSatisfy { $0["site"]?.string?.hasPrefix(#fileID) == true })
    // The time of another store goes on from the last commit.
    let commits = records.filter { $0["record"]?.string == "commit" }
    #expect(commits.map { $0["time"]?.text } == ["1.000000", "2.000000", "3.000000", "4.000000"])
    #expect(runs.last?["waiting"]?.text == "3.000000")
    #expect(try RecordedSession<RunApp>(reading: file, registry, .strict).count == 5)
    gate.open()
  }
}

private struct RunApp: Codable, Sendable, Equatable {
  struct Row: Codable, Sendable, Equatable, Identifiable {
    let id: Int
    var ticks = 0
  }

  var log: [String] = []
  var session: Int? = 1
  var total = 0
  var rows: Entities<Row> = [Row(id: 1), Row(id: 2)]

  static func makeStore(
    _ middleware: [any Middleware<RunApp>], clock: ManualClock, _ effects: [Effect<RunApp>],
    rows: Feature<Row> = Feature {}
  ) throws -> Store<RunApp> {
    try Store(
      initialState: RunApp(), coverage: .partial, middleware: middleware, onEffectError: { _ in },
      onWarning: { _ in }, clock: clock
    ) {
      Mutator(\RunApp.log) { (log: inout [String], line: Line) in log.append(line.text) }
        .on(Load.self) { log, load in log.append("load \(load.id)") }
        .on(Stop.self) { log, _ in log.append("stop") }
      Mutator(\RunApp.session) { (session: inout Int?, set: SetSession) in session = set.session }
      Mutator(\RunApp.rows) { (rows: inout Entities<Row>, keep: Keep) in
        for id in rows.ids where !keep.ids.contains(id) { rows[id: id] = nil }
      }
      for effect in effects { effect }
      rows.identified().lifted(\.rows)
    }
  }
}

private struct Load: Action, Codable { var id = 0 }
private struct Stop: Action {}
private struct Line: Action, Codable { let text: String }
private struct SetSession: Action { let session: Int? }
private struct Keep: Action { let ids: [Int] }
private struct Tick: Action {}
private struct Add: Action { let by: Int }
struct RunFailure: Error { let text: String }
private struct Hidden: Error, NotLogged { let text: String }
