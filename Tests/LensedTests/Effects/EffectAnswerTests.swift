import Lensed
import LensedTestSupport
import Testing

@Suite("Effects: the actions that they return are dispatched", .timeLimit(.minutes(30)))
struct EffectAnswerTests {
  private func store(
    @StoreBuilder<Desk> _ effects: () -> [StorePart<Desk>]
  ) throws -> Store<Desk> {
    try Store(initialState: Desk(), coverage: .partial) {
      Desk.countMutator
      Desk.titleMutator
      Desk.notesMutator
      effects()
    }
  }

  private static func mixed(_ number: Int) -> AsyncStream<any Action> {
    AsyncStream { feed in
      feed.yield(CountAction.add(number))
      feed.yield([NoteAction.append(number)])
      feed.finish()
    }
  }

  @Test func `a changed value: with an action, an optional one, a sequence, a mixed sequence`()
    async throws
  {
    let store = try store {
      Effect(whenChanged: \.title) { title, _ in CountAction.add(title.count) }
      Effect(whenChanged: \.title) { title, _ in title == "" ? nil : CountAction.add(10) }
      Effect(whenChanged: \.title) { _, _ in
        ScriptedActions(giving: CountAction.add(100), .add(100))
      }
      Effect(whenChanged: \.title) { _, _ in Self.mixed(1_000) }
    }
    try await store.dispatch(TitleAction.rename("xyz")).finish()
    #expect(store.count == 1_213)
    #expect(store.notes == [1_000])
    try await store.dispatch(TitleAction.rename("xyz")).finish()
    #expect(store.count == 1_213)
  }

  @Test func `the paths of one effect may return nil and actions of different types`() async throws
  {
    let store = try store {
      Effect(on: TitleAction.self) { _, context in
        guard !context.state.title.isEmpty else { return nil }
        if context.state.title == "count" { return CountAction.add(1) }
        return NoteAction.append(7)
      }
      Effect(whenChanged: Lens(\.title)) { title, _ in
        if title == "count" { return CountAction.add(10) }
        return ActionList([CountAction.add(100), NoteAction.append(8)])
      }
    }
    try await store.dispatch(TitleAction.rename("count")).finish()
    #expect(store.count == 11)
    #expect(store.notes == [])
    try await store.dispatch(TitleAction.rename("note")).finish()
    #expect(store.count == 111)
    #expect(store.notes.sorted() == [7, 8])
    try await store.dispatch(TitleAction.rename("")).finish()
    #expect(store.count == 211)
  }

  @Test func `a list of different actions, also an optional one`() async throws {
    let both: [any Action] = [CountAction.add(1), [NoteAction.append(2), .append(3)]]
    let store = try store {
      Effect(on: TitleAction.self) { _, _ in both }
      Effect(on: TitleAction.self) { title, _ -> [any Action]? in
        if case .rename("") = title { nil } else { both }
      }
      Effect(on: TitleAction.self, matching: { $0 }) { _, _ in both }
      Effect(whenChanged: \.title) { _, _ in both }
      Effect(whenChanged: Lens(\.title)) { _, _ -> [any Action]? in both }
      Effect(whenChanged: { $0.title.count }) { _, _ in both }
    }
    try await store.dispatch(TitleAction.rename("x")).finish()
    #expect(store.count == 6)
    #expect(store.notes == Array(repeating: [2, 3], count: 6).flatMap(\.self))
    try await store.dispatch(TitleAction.rename("")).finish()
    #expect(store.count == 11)
  }

  @Test func `an action: with a mixed sequence`() async throws {
    let store = try store { Effect(on: TitleAction.self) { _, _ in Self.mixed(5) } }
    try await store.dispatch(TitleAction.rename("x")).finish()
    #expect(store.count == 5)
    #expect(store.notes == [5])
  }

  @Test func `what a context dispatches may be of any kind`() async throws {
    let outcome = Recorder<Int>()
    let store = try store {
      Effect(on: TitleAction.self) { _, context -> Void in
        try await context.dispatch(ScriptedActions(giving: CountAction.add(1), .add(2))).finish()
        try await context.dispatch(Self.mixed(3)).finish()
        context.dispatch([CountAction.add(10), .add(20)])
        outcome.append(context.dispatch(CountAction.add(100), focusingOn: \.count))
        outcome.append(context.dispatch([CountAction.add(100), .add(1)], focusingOn: \.count))
      }
    }
    try await store.dispatch(TitleAction.rename("x")).finish()
    #expect(outcome.values == [136, 237])
  }

  @Test func `once it is cancelled, it reads what there is and changes nothing`() async throws {
    let (gate, outcome) = (Gate(), Recorder<Int>())
    let store = try store {
      Effect(on: TitleAction.self) { _, context -> Void in
        await Task { try? await gate.wait() }.value
        context.dispatch(CountAction.add(1))
        context.dispatch([CountAction.add(1), .add(1)])
        outcome.append(context.dispatch(CountAction.add(1), focusingOn: \.count))
        try await context.dispatch(ScriptedActions(giving: CountAction.add(1))).finish()
      }
    }
    let task = store.dispatch(TitleAction.rename("x"))
    await gate.waitForWaiters()
    task.cancel()
    gate.open()
    await #expect(throws: CancellationError.self) { try await task.finish() }
    #expect(outcome.values == [0])
    #expect(store.count == 0)
  }

  @Test(arguments: [true, false])
  func `a service is written with conditions and loops`(isLoud: Bool) async throws {
    let log = Recorder<String>()
    let made = [Effect<Desk>(on: TitleAction.self) { _, _ -> Void in log.append("made") }]
    let service = Feature<Desk>("many") {
      if isLoud {
        Effect(on: TitleAction.self) { _, _ -> Void in log.append("loud") }
      } else {
        Effect(on: TitleAction.self) { _, _ -> Void in log.append("quiet") }
      }
      if isLoud {
        Effect(on: TitleAction.self) { _, _ -> Void in log.append("extra") }
      }
      for number in 1...2 {
        Effect(on: TitleAction.self) { _, _ -> Void in log.append("\(number)") }
      }
      made
    }
    let store = try Desk.makeStore()
    let installed = store.install(service)
    try await store.dispatch(TitleAction.rename("x")).finish()
    #expect(
      log.values.sorted()
        == (isLoud ? ["1", "2", "extra", "loud", "made"] : ["1", "2", "made", "quiet"]))
    installed.cancel()
  }

  @Test func `what is installed in a store that has gone is never told`() throws {
    var store: Store<Desk>? = try Desk.makeStore()
    let scope = try #require(store).scope(\.count)
    store = nil
    #expect(scope.state == 0)
    #expect(!scope.dispatch(CountAction.add(1)).isCancelled)
  }

  @Test func `of many who waited and left, the line keeps no trace`() async throws {
    let (gate, runs) = (Gate(), Counter())
    let store = try store {
      Effect(on: TitleAction.self, .serial) { action, _ -> Void in
        runs.increment()
        try await gate.wait()
      }
    }
    let first = store.dispatch(TitleAction.rename("0"))
    await gate.waitForWaiters()
    let others = (1...50).map { store.dispatch(TitleAction.rename("\($0)")) }
    for other in others.dropLast() { other.cancel() }
    gate.open()
    try await first.finish()
    try await others[49].finish()
    #expect(runs.value == 2)
  }
}
