import Lensed
import LensedTestSupport
import LensedTesting
import Testing

/// A replay starts no effect, and what is under way learns of each of its commits.
@Suite("A replay, and what is under way", .timeLimit(.minutes(30)))
struct ReplayedStatesTests {
  struct Row: Sendable, Equatable, Identifiable {
    let id: Int
    var title = ""
  }
  struct App: Sendable, Equatable {
    var level = 0
    var session: Int? = 1
    var rows = [Row(id: 1), Row(id: 2)]
    var told: [String] = []
  }
  struct Fill: Action { let level: Int }
  struct LogOut: Action {}
  struct Add: Action { let row: Row }
  struct Remove: Action { let id: Int }
  struct Rename: Action { let title: String }
  struct Start: Action {}
  struct Told: Action { let end: String }

  private let log = Recorder<String>()

  private func makeStore(
    middleware: [any Middleware<App>] = [], warnings: Recorder<StoreWarning.Kind>? = nil,
    @StoreBuilder<App> _ more: () -> [StorePart<App>] = { [] }
  ) throws -> Store<App> {
    let row = Feature<Row> {
      Constant(\.id)
      Mutator(\.title) { (title: inout String, action: Rename) in title = action.title }
    }
    return try Store(
      initialState: App(), coverage: .partial, middleware: middleware,
      onWarning: { warnings?.append($0.kind) }
    ) {
      Mutator(\.level) { (level: inout Int, action: Fill) in level = action.level }
      Mutator(\.session) { (session: inout Int?, _: LogOut) in session = nil }
      Mutator(\.rows) { (rows: inout [Row], action: Add) in rows.append(action.row) }
        .on(Remove.self) { rows, action in rows.removeAll { $0.id == action.id } }
      row.identified().lifted(\.rows)
      Mutator(\.told) { (told: inout [String], action: Told) in told.append(action.end) }
        .on(ElementAction<Int, Told>.self) { told, action in told.append(action.action.end) }
      more()
    }
  }

  /// What came of some actions, each of them a commit.
  private func session(of actions: [any Action]) throws -> RecordedSession<App> {
    let recorder = SessionRecorder<App>()
    let store = try makeStore(middleware: [recorder])
    for action in actions { store.dispatch(action) }
    return try #require(recorder.session)
  }

  @Test func `an effect ends with what it is tied to`() async throws {
    let (gate, session) = (Gate(), try session(of: [LogOut(), Fill(level: 1)]))
    let store = try makeStore {
      Effect(on: Start.self) { _, _ in try await gate.wait() }
        .tied(to: \App.session)
        .ended { end, _ -> Fill? in
          log.append("\(end)")
          return nil
        }
    }
    store.dispatch(Start())
    await gate.waitForWaiters()
    store.replay(session)
    try await store.settled()
    #expect(log.values == ["gone"])
  }

  /// What ends an effect in a replay of `LogOut`, `Fill` and the removal of row 1.
  enum Ending: CaseIterable, Sendable {
    case tie, action, condition, child, replacement, actionInChild
  }

  private func ending(_ ending: Ending, _ gate: Gate) -> Feature<App> {
    let plain = Effect<App>(on: Start.self) { _, _ in try await gate.wait() }
    let inRow = Effect<Row>(on: Start.self) { _, _ in try await gate.wait() }
    let effect =
      switch ending {
      case .tie: plain.tied(to: \.session)
      case .action: plain.cancelled(on: LogOut.self)
      case .condition: plain.cancelled(on: Fill.self, where: { fill, _ in fill.level == 1 })
      case .replacement: plain.tied(to: \.session, by: \.self)
      case .child, .actionInChild: plain
      }
    switch ending {
    case .child, .actionInChild:
      let inRow = ending == .child ? inRow : inRow.cancelled(on: Rename.self)
      return Feature<Row> { inRow.ended { [log] in Self.tell($0, $1, log) } }
        .identified().lifted(\.rows)
    default: return Feature { effect.ended { [log] in Self.tell($0, $1, log) } }
    }
  }

  /// Says an end by what it returns, and by what it dispatches.
  private static func tell(
    _ end: EffectEnd, _ context: EffectContext<some Sendable>, _ log: Recorder<String>
  ) -> (any Action)? {
    log.append("\(end)")
    let task = context.dispatch([Told(end: "\(end)")])
    if task.revision != nil { log.append("applied") }
    return Told(end: "\(end)")
  }

  @Test(arguments: Ending.allCases)
  func `a run that it ends is told so, and what comes of that is not applied`(
    _ ending: Ending
  ) async throws {
    let gate = Gate()
    let session = try session(of: [
      Rename(title: "a").element(1), Fill(level: 1), LogOut(), Remove(id: 1), Fill(level: 2),
    ])
    let (recorder, warnings) = (SessionRecorder<App>(), Recorder<StoreWarning.Kind>())
    let store = try makeStore(middleware: [recorder], warnings: warnings) {
      self.ending(ending, gate)
    }
    store.replaceState(App(session: 2))
    let inChild = ending == .child || ending == .actionInChild
    let task = inChild ? store.dispatch(Start().element(1)) : store.dispatch(Start())
    await gate.waitForWaiters()
    let before = try #require(recorder.session?.count)
    #expect(store.replay(session) == nil)
    #expect(store.level == 2)
    #expect(store.told == [])
    // Where nothing has ended the run, it ends here.
    gate.open()
    try await task.finish()
    let end = ending == .tie || ending == .replacement || ending == .child ? "gone" : "cancelled"
    #expect(log.values == [end])
    #expect(warnings.values == [])
    #expect(recorder.session?.count == before + 1 + session.count)
  }

  @Test func `until skips no state of it`() async throws {
    let session = try session(of: [Fill(level: 1), Fill(level: 2), Fill(level: 3)])
    let asked = Recorder<Int>()
    let store = try makeStore {
      Effect(on: Start.self) { _, context in
        let found = try await context.until { state in
          asked.append(state.level)
          return state.level == 2
        }
        log.append("\(found.level)")
      }
    }
    let task = store.dispatch(Start())
    await asked.waitForCount(1)
    store.replay(session)
    try await task.finish()
    #expect(log.values == ["2"])
    // The state at the call, the first one of the session, and those of two commits.
    #expect(asked.values == [0, 0, 1, 2])
  }

  @Test func `an effect of a value compares with its last state`() async throws {
    let session = try session(of: [Fill(level: 1), Rename(title: "a").element(2)])
    let store = try makeStore {
      Effect<App>(whenChanged: \.level) { level, _ in log.append("\(level)") }
      Effect<Row>(whenChanged: \.title) { title, _ in log.append(title) }
        .identified().lifted(\.rows)
    }
    store.replay(session)
    store.dispatch([Fill(level: 1), Rename(title: "a").element(2)] as [any Action])
    try await store.settled()
    #expect(log.values == [])
    try await store.dispatch(Fill(level: 2)).finish()
    try await store.dispatch(Rename(title: "b").element(2)).finish()
    #expect(log.values == ["2", "b"])
  }

  @Test func `children that come and go are noticed, and those that come start no effect`()
    async throws
  {
    let session = try session(of: [
      Remove(id: 1), Add(row: Row(id: 3)), Add(row: Row(id: 4)), Remove(id: 4),
    ])
    let row = Feature<Row>(
      "row", onInstall: { log.append("+\($0.state.id)") }, onRemove: { log.append("-") }
    ) {
      Effect(whenChanged: \.title, including: .installation) { title, context in
        log.append("\(context.id): \(title)")
      }
    }
    let store = try makeStore { row.identified().lifted(\.rows) }
    await log.waitForCount(4)
    let before = log.values.count
    store.replay(session)
    let new = log.values.dropFirst(before)
    #expect(Array(new) == ["-", "+3", "+4", "-"])
    try await store.settled()
    #expect(log.values.count == before + 4)
    try await store.dispatch(Rename(title: "a").element(3)).finish()
    #expect(log.values.last == "3: a")
  }

  @Test func `what onInstall dispatches in it is not applied`() throws {
    let session = try session(of: [Add(row: Row(id: 3))])
    let warnings = Recorder<StoreWarning.Kind>()
    let row = Feature<Row>(
      "row", onInstall: { if $0.state.id == 3 { $0.dispatch(Rename(title: "new")) } }
    ) {}
    let store = try makeStore(warnings: warnings) {
      row.identified().lifted(\.rows)
    }
    store.replay(session)
    #expect(store.rows == [Row(id: 1), Row(id: 2), Row(id: 3)])
    #expect(warnings.values == [.dispatchInReplay])
  }
}
