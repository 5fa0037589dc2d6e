import Lensed
import LensedTestSupport
import Testing

@Suite("A store warns whoever develops the app, once", .timeLimit(.minutes(30)))
struct StoreWarningTests {
  private let warnings = Recorder<StoreWarning>()

  private struct Row: Sendable, Identifiable {
    let id: Int
    var title = ""
  }

  private struct Board: Sendable {
    var rows = [Row(id: 1), Row(id: 2)]
    var byKey = ["a": Row(id: 3)]
    var count = 0
  }

  private enum Left {}

  private static let row = Reducer { (row: inout Row, action: TitleAction) in
    if case .rename(let title) = action { row.title = title }
  }

  private func makeStore(
    @StoreBuilder<Board> _ parts: () -> [StorePart<Board>] = { [] }
  ) throws -> Store<Board> {
    try Store(
      initialState: Board(), coverage: .partial, onWarning: { [warnings] in warnings.append($0) }
    ) {
      Mutator(\.rows, Self.row.identified())
      Mutator(\.byKey, Self.row.keyed().tagged(Left.self))
      Mutator(\.count) { (count: inout Int, action: CountAction) in count += 1 }
      parts()
    }
  }

  private enum Sheet { struct Close: Action {} }
  private enum Menu { struct Close: Action {} }

  @Test func `types of one name in two features are two types`() throws {
    let store = try makeStore()
    store.dispatch(Sheet.Close())
    store.dispatch(Menu.Close())
    store.dispatch(Sheet.Close())
    #expect(warnings.count == 2)
  }

  @Test func `an action that nobody handles, once for each type, alone and in a list`() throws {
    let store = try makeStore()
    store.dispatch(CountAction.keep)
    #expect(warnings.count == 0)
    store.dispatch(StrayAction())
    let line = UInt(#line) - 1
    store.dispatch(StrayAction())
    store.dispatch([StrayAction(), StrayAction()])
    store.dispatch([CountAction.keep, NoteAction.append(1), StrayAction()])
    #expect(warnings.values.map(\.kind) == [.unhandledAction, .unhandledAction])
    let warning = try #require(warnings.values.first)
    #expect(warning.action is StrayAction)
    #expect(warning.site?.line == line)
    #expect(
      warning.description == """
        Lensed: `StrayAction` was dispatched at LensedTests/StoreWarningTests.swift:\(line), and no \
        reducer and no effect handles this type: nothing has changed. Register a mutator for it; an \
        action is routed by its exact type.
        """)
    #expect(warnings.values[1].action is NoteAction)
  }

  @Test func `an action that an effect, an asynchronous mutator or every reducer takes is handled`()
    async throws
  {
    let store = try makeStore { Effect(on: StrayAction.self) { _, _ in } }
    store.dispatch(StrayAction())
    let desk = try Store(
      initialState: Desk(), coverage: .partial, onWarning: { [warnings] in warnings.append($0) }
    ) {
      AsyncMutator(\Desk.title) { (title: String, _: StrayAction) in AsyncResult(value: title) }
    }
    desk.dispatch(StrayAction())
    let all = try Store(
      initialState: Desk(), coverage: .partial, onWarning: { [warnings] in warnings.append($0) }
    ) {
      Mutator(
        lens: Lens(\Desk.count), everyAction: { (desk: Desk, _: any Action) in desk.count + 1 })
    }
    all.dispatch(StrayAction())
    try await store.settled()
    try await desk.settled()
    #expect(warnings.count == 0)
  }

  @Test func `whoever looks on at every action or commit silences no warning`() throws {
    let store = try Store(
      initialState: Board(), coverage: .partial, middleware: [History<Board>(limit: 5)],
      onWarning: { [warnings] in warnings.append($0) }
    ) {
      Mutator(\.rows, Self.row.identified())
      Effect(ofEveryAction: .serial) { _, _ in }
      Effect(whenChanged: \.count) { _, _ in }
      Feature<Row> { Effect(ofEveryAction: .serial) { _, _ in } }.identified().lifted(\.rows)
    }
    let reader = store.changes().makeAsyncIterator()
    store.dispatch(StrayAction())
    store.dispatch(ElementAction(id: "b", action: TitleAction.rename("x")))
    store.dispatch(ElementAction(id: 7, action: TitleAction.rename("x")))
    store.dispatch(ElementAction(id: 1, action: TitleAction.rename("x")))
    #expect(warnings.values.map(\.kind) == [.unhandledAction, .foreignElement, .missingElement])
    withExtendedLifetime(reader) {}
  }

  @Test func `a type is looked at anew when a mutator for it has come`() throws {
    let store = try makeStore()
    store.dispatch(StrayAction())
    let installed = store.install(Effect(on: StrayAction.self) { _, _ in })
    store.dispatch(StrayAction())
    installed.cancel()
    store.dispatch(StrayAction())
    #expect(warnings.count == 1)
  }

  @Test func `an action for an element that is not there, with its id, once for each`() throws {
    let store = try makeStore()
    let rename = TitleAction.rename("x")
    store.dispatch(ElementAction(id: 2, action: rename))
    #expect(warnings.count == 0)
    for id in [7, 8, 7] { store.dispatch(ElementAction(id: id, action: rename)) }
    store.dispatch(ElementAction(id: "b", action: rename).tagged(Left.self))
    store.dispatch([CountAction.keep, ElementAction(id: 9, action: rename)])
    #expect(warnings.values.map(\.kind) == Array(repeating: .missingElement, count: 4))
    #expect(warnings.values.map(\.element) == ["7", "8", "b", "9"])
    #expect(warnings.values.map(\.property) == ["`rows`", "`rows`", "`byKey`", "`rows`"])
    #expect(
      warnings.values[0].description.contains(
        "for 7, which `rows` does not have: nothing has changed."))
  }

  @Test func `an array of actions for elements that are not there`() throws {
    let store = try makeStore()
    store.dispatch([7, 8].map { ElementAction(id: $0, action: TitleAction.rename("x")) })
    #expect(warnings.values.map(\.element) == ["7", "8"])
  }

  @Test func `a dispatch of an effect after it has ended`() async throws {
    let contexts = Recorder<EffectContext<Board>>()
    let store = try makeStore {
      Effect(on: StrayAction.self) { _, context in
        context.dispatch(CountAction.keep)
        contexts.append(context)
      }
      .named("sync")
    }
    try await store.dispatch(StrayAction()).finish()
    try await store.settled()
    #expect(warnings.count == 0)
    for _ in 0..<2 { contexts.values[0].dispatch(CountAction.keep) }
    #expect(store.count == 3)
    #expect(warnings.values.map(\.kind) == [.endedEffect])
    #expect(warnings.last?.effect == "sync")
    #expect(warnings.last?.description.contains("`CountAction` at LensedTests/StoreW") == true)
  }

  @Test func `the dispatch of an effect that was cancelled is no finding`() async throws {
    let (gate, ended) = (Gate(), Gate())
    let store = try makeStore {
      Effect(on: StrayAction.self) { _, context in
        try? await gate.wait()
        context.dispatch(CountAction.keep)
        ended.open()
      }
    }
    let task = store.dispatch(StrayAction())
    await gate.waitForWaiters()
    task.cancel()
    try await ended.wait()
    #expect(store.count == 0)
    #expect(warnings.count == 0)
  }

  @Test func `a store that is released while an effect waits for a lull`() async throws {
    let clock = ManualClock()
    do {
      let store = try makeStore {
        Effect(on: StrayAction.self) { _, _ in }
          .debounced(for: .seconds(1), clock: clock)
          .named("save")
      }
      store.dispatch(StrayAction())
      try await store.flush()
      store.dispatch(StrayAction())
      await clock.waitForSleepers()
    }
    #expect(warnings.values.map(\.kind) == [.lostEffect])
    #expect(warnings.last?.effect == "save")
    let text = try #require(warnings.last?.description)
    #expect(
      text.contains("the effect save waited for a lull, set off by #2 `StrayAction` dispatched at ")
    )
    #expect(text.contains("StoreWarningTests.swift:"))
  }

  @Test func `the handler may dispatch, and read the store`() throws {
    final class Catcher: Middleware {
      let store = Locked<ScopedStore<Board>?>(nil)
      func attached(to store: ScopedStore<Board>) { self.store.withLock { $0 = store } }
      func detached() { store.withLock { $0 = nil } }
    }
    let catcher = Catcher()
    let store = try Store(
      initialState: Board(), coverage: .partial, middleware: [catcher],
      onWarning: { _ in _ = catcher.store.withLock { $0 }?.dispatch(CountAction.keep) }
    ) {
      Mutator(\.count) { (count: inout Int, action: CountAction) in count += 1 }
    }
    store.dispatch(StrayAction())
    #expect(store.count == 1)
  }

  @Test func `a blueprint's stores warn each for itself`() throws {
    let blueprint = try StoreBlueprint<Board>(coverage: .partial) {
      Mutator(\.count) { (count: inout Int, action: CountAction) in count += 1 }
    }
    for _ in 0..<2 {
      blueprint.makeStore(initialState: Board(), onWarning: { [warnings] in warnings.append($0) })
        .dispatch(StrayAction())
    }
    #expect(warnings.count == 2)
  }

  #if DEBUG
    @Test func `without a handler, a debug build writes one line`() async {
      let result = await #expect(
        processExitsWith: .success, observing: [\.standardErrorContent]
      ) {
        let store = Store(initialState: Desk(), coverage: .partial)
        store.dispatch(StrayAction())
        store.dispatch(StrayAction())
      }
      let lines = result?.message.split(separator: "\n") ?? []
      #expect(lines.count { $0.hasPrefix("Lensed: `StrayAction` was dispatched at ") } == 1)
    }
  #endif
}
