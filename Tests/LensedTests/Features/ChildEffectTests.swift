import Lensed
import LensedTestSupport
import Testing

@Suite("An effect in a child lives and ends with the child", .timeLimit(.minutes(30)))
struct ChildEffectTests {
  private let work = RowWork()

  private func makeStore(
    _ policy: EffectPolicy = .latest, rows: [ListRow] = [ListRow(id: 7), ListRow(id: 8)]
  ) throws -> Store<ListApp> {
    try ListApp.makeStore(rows) { work.feature(policy).identified().lifted(\.rows) }
  }

  @Test func `its policy counts per child`() async throws {
    let store = try makeStore(.first)
    let seven = store.dispatch(Reload().row(7))
    let eight = store.dispatch(Reload().row(8))
    store.dispatch(Reload().row(7))
    await work.log.waitForCount(2)
    work.gate.open()
    try await seven.finish()
    try await eight.finish()
    #expect(store.rows.map(\.loads) == [1, 1])
    // The queue of a row went when it was empty, and another is made when it is needed.
    try await store.dispatch(Reload().row(7)).finish()
    #expect(store.rows.map(\.loads) == [2, 1])
  }

  @Test func `the newest trigger of a row cancels the run of that row alone`() async throws {
    let store = try makeStore(.latest)
    store.dispatch(Reload().row(7))
    store.dispatch(Reload().row(8))
    await work.log.waitForCount(2)
    let again = store.dispatch(Reload().row(7))
    await work.log.waitForCount(4)
    work.gate.open()
    try await again.finish()
    #expect(work.log.values.filter { $0.hasPrefix("cancelled") } == ["cancelled 7"])
  }

  @Test func `it is cancelled by an action for its child, and by none for another`() async throws {
    let store = try makeStore()
    store.dispatch(Reload().row(7))
    store.dispatch(Reload().row(8))
    await work.log.waitForCount(2)
    store.dispatch(Stop().row(8))
    await work.log.waitForCount(3)
    #expect(work.log.values.last == "cancelled 8")
  }

  @Test func `once its child has gone, it commits nothing more`() async throws {
    let store = try makeStore()
    let task = store.dispatch(Reload().row(7))
    await work.log.waitForCount(1)
    let changes = Recorder<Bool>()
    let subscription = store.states.subscribe { _ in changes.append(true) }
    store.dispatch(ListAction.remove(7))
    store.dispatch(ListAction.add(ListRow(id: 7)))
    await work.log.waitForCount(2)
    try await task.finish()
    #expect(work.log.values == ["begin 7", "cancelled 7"])
    #expect(store.rows.map(\.loads) == [0, 0])
    #expect(changes.count == 3)
    subscription.cancel()
  }

  @Test func `a run that was queued when its child went never begins`() async throws {
    let store = try makeStore(.serial)
    store.dispatch(Reload().row(7))
    let queued = store.dispatch(Reload().row(7))
    await work.log.waitForCount(1)
    store.dispatch(ListAction.remove(7))
    try await queued.finish()
    work.gate.open()
    #expect(work.log.values.filter { $0 == "begin 7" }.count == 1)
  }

  @Test func `what other rows do, and what happens elsewhere, does not end it`() async throws {
    let store = try makeStore()
    let task = store.dispatch(Reload().row(7))
    await work.log.waitForCount(1)
    store.dispatch(ListAction.remove(8))
    store.dispatch(RowAction.rename("x").row(7))
    store.dispatch(CountAction.add(1))
    store.replaceState(ListApp(rows: [ListRow(id: 9), ListRow(id: 7, title: "new")]))
    work.gate.open()
    try await task.finish()
    #expect(store.rows == [ListRow(id: 9), ListRow(id: 7, title: "new", loads: 1)])
  }

  @Test func `a replaced state without its child ends it`() async throws {
    let store = try makeStore()
    let task = store.dispatch(Reload().row(7))
    await work.log.waitForCount(1)
    store.replaceState(ListApp(rows: [ListRow(id: 8)]))
    try await task.finish()
    #expect(work.log.values.last == "cancelled 7")
  }

  private struct Screen: Sendable, Equatable {
    var sheet: ListRow?
    var log: [String] = []
  }
  private enum ScreenAction: Action { case show(ListRow?) }

  private static let screen = Mutator(\Screen.sheet) {
    (sheet: inout ListRow?, action: ScreenAction) in
    if case .show(let row) = action { sheet = row }
  }
  private static let logging = Mutator(\Screen.log) { (log: inout [String], action: TitleAction) in
    if case .rename(let text) = action { log.append(text) }
  }

  @Test func `a sheet with another identity ends the work of the one before`() async throws {
    let store = try Store(initialState: Screen(sheet: ListRow(id: 1))) {
      Self.screen
      Self.logging
      work.feature().optional().lifted(\.sheet)
    }
    let task = store.dispatch(Reload())
    await work.log.waitForCount(1)
    store.dispatch(ScreenAction.show(ListRow(id: 1, title: "same")))
    let other = store.dispatch(ScreenAction.show(ListRow(id: 2)))
    try await other.finish()
    try await task.finish()
    #expect(work.log.values == ["begin 1", "cancelled 1"])
    work.gate.open()
    try await store.dispatch(Reload()).finish()
    #expect(store.sheet == ListRow(id: 2, loads: 1))
  }

  @Test func `a screen dismissed from inside ends the effect that dismissed it`() async throws {
    let seen = Recorder<Bool>()
    struct Close: Action {}
    let closing = Effect<ListRow>(on: Close.self) { _, context in
      // The feature knows nothing of the screen: the screen listens to it.
      context.dispatch(Closed())
      // Its task is cancelled, at once or when the thread that has just created it comes to that.
      do { try await Gate().wait() } catch { seen.append(error is CancellationError) }
      context.dispatch(Loaded())
    }
    struct Closed: Action {}
    let store = try Store(initialState: Screen(sheet: ListRow(id: 1))) {
      Self.screen.on(Closed.self) { sheet, _ in sheet = nil }
      Self.logging
      work.feature().optional().lifted(\.sheet)
      closing.optional().lifted(\.sheet)
    }
    try await store.dispatch(Close()).finish()
    #expect(store.sheet == nil)
    #expect(seen.values == [true])
  }

  @Test func `what its applied commits set off goes on after its child has gone`() async throws {
    let gate = Gate()
    let follow = Effect<Screen>(on: Loaded.self) { _, _ in
      try await gate.wait()
      return TitleAction.rename("followed")
    }
    let waiting = Effect<ListRow>(on: Save.self) { _, context in
      context.dispatch(Loaded())
      try await work.gate.wait()
    }
    let store = try Store(initialState: Screen(sheet: ListRow(id: 1))) {
      Self.screen
      Self.logging
      work.feature().optional().lifted(\.sheet)
      waiting.optional().lifted(\.sheet)
      follow
    }
    let task = store.dispatch(Save())
    await work.gate.waitForWaiters()
    await gate.waitForWaiters()
    store.dispatch(ScreenAction.show(nil))
    gate.open()
    try await task.finish()
    #expect(store.log == ["followed"])
  }

  @Test func `the state of a context is the child, and the last one known when it has gone`()
    async throws
  {
    let titles = Recorder<String>()
    let reading = Effect<ListRow>(on: Save.self) { _, context in
      titles.append(context.state.title)
      try? await work.gate.wait()
      titles.append(context.state.title)
    }
    let store = try ListApp.makeStore([ListRow(id: 7, title: "first")]) {
      work.feature().identified().lifted(\.rows)
      reading.identified().lifted(\.rows)
    }
    let task = store.dispatch(Save().row(7))
    await titles.waitForCount(1)
    store.dispatch(ListAction.clear)
    store.dispatch(ListAction.add(ListRow(id: 7, title: "another")))
    try await task.finish()
    #expect(titles.values == ["first", "first"])
  }

  @Test func `each run sees a child that has gone as it was when that run was triggered`()
    async throws
  {
    struct Sighting: Hashable { let trigger, state, scope: String }
    let sightings = Recorder<Sighting>()
    // A run that was ended goes on to its end.
    let gate = Gate()
    let begun = Recorder<String>()
    let reading = Effect<ListRow>(on: Save.self, .concurrent) { _, context in
      let scope = context.asScope
      begun.append(context.state.title)
      await Task.detached { try? await gate.wait() }.value
      sightings.append(
        Sighting(
          trigger: context.change.state.title, state: context.state.title, scope: scope.title))
    }
    let store = try ListApp.makeStore([ListRow(id: 7, title: "first")]) {
      work.feature().identified().lifted(\.rows)
      reading.identified().lifted(\.rows)
    }
    let titles = ["first", "second", "third"]
    for (index, title) in titles.enumerated() {
      store.dispatch(RowAction.rename(title).row(7))
      store.dispatch(Save().row(7))
      await begun.waitForCount(index + 1)
    }
    store.dispatch(RowAction.rename("last").row(7))
    store.dispatch(ListAction.clear)
    store.dispatch(ListAction.add(ListRow(id: 7, title: "another")))
    gate.open()
    await sightings.waitForCount(3)
    #expect(
      Set(sightings.values) == Set(titles.map { Sighting(trigger: $0, state: $0, scope: $0) }))
  }

  @Test(.warnsOnPurpose) func `a feature in a list in a feature in a case of an enum`() async throws
  {
    struct Editor: Sendable, Equatable { var name = ""; var rows: Entities<ListRow> = [] }
    enum Destination: Sendable, Equatable { case home, editor(Editor) }
    struct App: Sendable, Equatable { var destination = Destination.home }
    enum Go: Action { case to(Destination) }
    struct Rename: Action { let name: String }
    let editorCase = Prism<Destination, Editor>(
      embed: Destination.editor,
      extract: { if case .editor(let editor) = $0 { editor } else { nil } })
    let editor = Feature<Editor> {
      Mutator(\.name) { (name: inout String, action: Rename) in name = action.name }
      work.feature().identified().lifted(\.rows)
    }
    let store = try Store(initialState: App()) {
      Mutator(\.destination) { (destination: inout Destination, action: Go) in
        if case .to(let new) = action { destination = new }
      }
      editor.matching(editorCase).lifted(\.destination)
    }
    store.dispatch(Go.to(.editor(Editor(rows: [ListRow(id: 1), ListRow(id: 2)]))))
    store.dispatch([Rename(name: "n")])
    let one = store.dispatch(Reload().row(1))
    let two = store.dispatch(Reload().row(2))
    await work.log.waitForCount(2)
    store.dispatch(Go.to(.editor(Editor(name: "m", rows: [ListRow(id: 2)]))))
    work.gate.open()
    try await one.finish()
    try await two.finish()
    #expect(store.destination == .editor(Editor(name: "m", rows: [ListRow(id: 2, loads: 1)])))
    store.dispatch(Go.to(.home))
    try await store.dispatch(Reload().row(2)).finish()
    #expect(work.log.values.filter { $0 == "begin 2" }.count == 1)
  }
}
