import Lensed
import LensedPersistence
import LensedTestSupport
import LensedTesting
import Testing

/// What each onlooker makes of a state that is restored: its lines of the list of the article `Undo`.
///
/// A persistence that is given to a store as middleware restores before there is anybody who looks on. One that is
/// attached later does it in front of all.
@Suite("A restored state, and those who look on", .timeLimit(.minutes(30)))
struct RestoredOnlookersTests {
  enum Way: CaseIterable, Sendable { case asMiddleware, attachedLater }

  struct Row: Sendable, Equatable, Codable, Identifiable {
    let id: Int
    var text = ""
  }
  struct Meter: Sendable, Equatable {
    var level = 0
    var alarms = 0
    var page = ""
    var sheet: Row? = Row(id: 1)
    var rows: Entities<Row> = [Row(id: 1), Row(id: 2)]
  }
  struct Fill: Action { var amount = 1 }
  struct Alarm: Action {}
  struct Load: Action {}
  struct Write: Action { let text: String }

  private static let row = Feature<Row> {
    Constant(\.id)
    Mutator(\.text) { (text: inout String, write: Write) in text = write.text }
  }

  /// A store, and the disk from which it is restored: level 3, a text in the sheet and in row 2.
  private struct Scene: Sendable {
    let history = History<Meter>()
    let disk: Persistence<Meter>
    let store: Store<Meter>
    let memory: MemoryStorage

    private static func makeDisk(_ memory: MemoryStorage) throws -> Persistence<Meter> {
      try Persistence(in: memory, writing: .eachCommit, clock: ManualClock()) {
        Kept(\.level)
        Kept(\.alarms)
        Kept(\.page)
        Kept(\.sheet)
        KeptRows(\.rows)
      }
    }

    private static func makeStore(
      _ middleware: [any Middleware<Meter>],
      @StoreBuilder<Meter> _ more: () -> [StorePart<Meter>] = { [] }
    ) throws -> Store<Meter> {
      try Store(initialState: Meter(), coverage: .partial, middleware: middleware) {
        Mutator(\.level) { (level: inout Int, action: Fill) in level += action.amount }
        Mutator(\.alarms) { (alarms: inout Int, _: Alarm) in alarms += 1 }
        row.optional().lifted(\.sheet)
        row.identified().lifted(\.rows)
        more()
      }
    }

    init(_ way: Way, @StoreBuilder<Meter> _ more: () -> [StorePart<Meter>] = { [] }) async throws {
      memory = MemoryStorage()
      let former = try Self.makeDisk(memory)
      let kept = try Self.makeStore([former])
      kept.dispatch([Fill(amount: 3), Write(text: "kept"), Write(text: "kept").element(2)])
      try await former.close()
      disk = try Self.makeDisk(memory)
      store = try Self.makeStore(way == .asMiddleware ? [history, disk] : [history], more)
      try await store.settled()
    }

    /// Restores, where that is not done yet; what it returns keeps the disk attached.
    func restore() throws -> StoreSubscription? { store.level == 3 ? nil : try store.attach(disk) }
  }

  @Test(arguments: Way.allCases)
  func `observers and readers begin with it, or are notified of one replacement`(_ way: Way)
    async throws
  {
    let scene = try await Scene(way)
    let heard = Recorder<Int>()
    let observer = scene.store.states(\.level).subscribe { heard.append($0) }
    var changes = scene.store.changes().makeAsyncIterator()
    let attached = try scene.restore()
    scene.store.dispatch(Fill())
    let change = try #require(await changes.next())
    if way == .asMiddleware {
      #expect(heard.values == [3, 4])
      #expect(change.cause == .action)
    } else {
      #expect(heard.values == [0, 3, 4])
      #expect(change.cause == .replacement && change.parent == nil)
      #expect(try #require(await changes.next()).cause == .action)
    }
    observer.cancel()
    attached?.cancel()
    try await scene.disk.close()
  }

  @Test func `what an observer dispatches is applied, kept, and belongs to the step`() async throws
  {
    let scene = try await Scene(.attachedLater)
    let (store, history) = (scene.store, scene.history)
    let tasks = Recorder<DispatchTask>()
    let observer = store.states(\.level).subscribe { [weak store] level in
      if level == 3, let task = store?.dispatch(Alarm()) { tasks.append(task) }
    }
    let attached = try store.attach(scene.disk)
    #expect(!store.isReplaying)
    #expect(tasks.values.map(\.isHandled) == [true])
    #expect(store.alarms == 1)
    try await scene.disk.close()
    // As after `replaceState`: one undo takes back both.
    #expect(history.entries.count == 2)
    #expect(history.undo())
    #expect(store.level == 0 && store.alarms == 0)
    observer.cancel()
    attached.cancel()
    let disk = try Persistence<Meter>(in: scene.memory) { Kept(\.alarms) }
    let restored = Store(initialState: Meter(), coverage: .partial, middleware: [disk])
    #expect(restored.alarms == 1)
    try await disk.close()
  }

  @Test(arguments: Way.allCases)
  func `an effect of an action does not begin, one of a value only if it says so`(_ way: Way)
    async throws
  {
    let begun = Recorder<String>()
    let scene = try await Scene(way) {
      Effect(on: Fill.self) { _, _ -> Void in begun.append("action") }
      Effect(whenChanged: \.level) { level, _ -> Void in begun.append("value \(level)") }
      Effect(whenChanged: \.level, including: .replacement) { level, _ -> Void in
        begun.append("replacement \(level)")
      }
      Effect(whenChanged: \.level, including: .installation) { level, _ -> Void in
        begun.append("installation \(level)")
      }
    }
    let attached = try scene.restore()
    try await scene.store.settled()
    if way == .asMiddleware {
      #expect(begun.values == ["installation 3"])
    } else {
      #expect(begun.values == ["installation 0", "replacement 3"])
    }
    attached?.cancel()
    try await scene.disk.close()
  }

  @Test func `an event that waits when a persistence comes keeps it from restoring`() async throws {
    let gate = Gate()
    let scene = try await Scene(.attachedLater) {
      AsyncMutator(\Meter.page) { (_: String, _: Load) in
        AsyncResult {
          try await gate.wait()
          return "late"
        }
      }
    }
    // The queueing of an event is part of a commit.
    let task = scene.store.dispatch(Load())
    #expect(throws: PersistenceError.alreadyRunning) { _ = try scene.store.attach(scene.disk) }
    gate.open()
    try await task.finish()
    #expect(scene.store.page == "late" && scene.store.level == 0)
    try await scene.disk.close()
  }

  @Test(arguments: Way.allCases) @MainActor
  func `an observed store, and the scopes of an optional and of a row, show it`(_ way: Way)
    async throws
  {
    let scene = try await Scene(way)
    let observed = ObservedStore(scene.store)
    let (sheet, row) = try (
      #require(scene.store.scope(\.sheet)), #require(scene.store.scope(\.rows, id: 2))
    )
    let texts = Recorder<String>()
    let subscription = row.states(\.text).subscribe { texts.append($0) }
    let shown = try #require(observed.scope(\.rows, id: 2))
    let attached = try scene.restore()
    try await scene.store.settled()
    // Its own dispatch brings it up to date.
    observed.dispatch([any Action]())
    #expect(observed.level == 3 && shown.text == "kept")
    #expect(sheet.text == "kept" && row.text == "kept")
    #expect(texts.values == (way == .asMiddleware ? ["kept"] : ["", "kept"]))
    row.dispatch(Write(text: "new"))
    #expect(scene.store.rows[id: 2]?.text == "new")
    subscription.cancel()
    attached?.cancel()
    try await scene.disk.close()
  }

  @Test(arguments: Way.allCases)
  func `a history begins with it, or has it as one step`(_ way: Way) async throws {
    let scene = try await Scene(way)
    let attached = try scene.restore()
    let levels = scene.history.entries.map(\.state.level)
    #expect(levels == (way == .asMiddleware ? [3] : [0, 3]))
    #expect(scene.history.canUndo == (way == .attachedLater))
    attached?.cancel()
    try await scene.disk.close()
  }
}
