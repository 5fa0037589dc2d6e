import Lensed
import LensedTestSupport
import LensedTesting
import Testing

/// Errors and warnings say what set them off, back to the dispatch from outside.
@Suite("The chain of causes in messages", .timeLimit(.minutes(30)))
struct CauseChainTests {
  struct State: Sendable, Equatable {
    var steps: [String] = []
  }
  struct Start: Action {}
  struct Middle: Action {}
  struct End: Action { var by = "" }
  struct Stray: Action {}
  struct Broken: Error {}

  private let errors = Recorder<EffectError>()
  private let warnings = Recorder<StoreWarning>()

  /// Start sets off First, which dispatches Middle, which sets off what a test says.
  private func makeStore(
    _ last: Effect<State>, clock: any Clock<Duration> = ManualClock(), awaits: Bool = false
  ) throws -> Store<State> {
    try Store(
      initialState: State(), onEffectError: { [errors] in errors.append($0) },
      onWarning: { [warnings] in warnings.append($0) }
    ) {
      Mutator(\.steps) { (steps: inout [String], _: Start) in steps.append("start") }
        .on(Middle.self) { steps, _ in steps.append("middle") }
        .on(End.self) { steps, _ in steps.append("end") }
      Effect(on: Start.self) { _, context in
        let middle = context.dispatch(
          Middle(), fileID: "Shop/First.swift", function: "first()", line: 5)
        if awaits { try await middle.finish() }
      }
      .named("First")
      last
    }
  }

  private func start(_ store: Store<State>) async throws {
    try await store.dispatch(
      Start(), fileID: "Shop/App.swift", function: "start()", line: 1
    ).finish()
  }

  @Test func `an error says what set off its effect, back to the dispatch from outside`()
    async throws
  {
    let store = try makeStore(
      Effect(on: Middle.self) { _, _ in throw Broken() }.named("Second"), awaits: true)
    try await start(store)
    let error = try #require(errors.values.first)
    #expect(errors.count == 1)
    #expect(error.revision == 2)
    #expect(
      error.causes == [
        "#2 `Middle()` by the effect First (Shop/First.swift:5)",
        "#1 `Start` dispatched at Shop/App.swift:1",
      ])
    let text = "\(error)"
    #expect(text.hasPrefix("Lensed: the effect Second failed for `"))
    #expect(
      text.hasSuffix(
        """
        Middle()` by the effect First (Shop/First.swift:5), set off by #1 `Start` dispatched at Shop/App.swift:1: \
        Broken().
        """))
  }

  @Test func `an error of what was dispatched from outside says where`() async throws {
    let store = try makeStore(Effect(on: End.self) { _, _ in throw Broken() }.named("Last"))
    try await store.dispatch(End(), fileID: "Shop/App.swift", line: 9).finish()
    #expect(errors.values.first?.causes == ["#1 `End(by: \"\")` dispatched at Shop/App.swift:9"])
    #expect("\(try #require(errors.last))".contains("` dispatched at Shop/App.swift:9: Broken()."))
  }

  @Test func `an effect that outlives what set it off says no other commit in its place`()
    async throws
  {
    let gate = Gate()
    let store = try makeStore(
      Effect(on: Middle.self) { _, _ in
        try await gate.wait()
        throw Broken()
      }.named("Second"))
    store.dispatch(Start(), fileID: "Shop/App.swift", line: 1)
    await gate.waitForWaiters()
    gate.open()
    try await store.settled()
    let causes = try #require(errors.values.first?.causes)
    #expect(causes.first == "#2 `Middle()` by the effect First (Shop/First.swift:5)")
    for cause in causes.dropFirst() { #expect(cause.hasPrefix("#1"), "\(cause)") }
  }

  @Test(arguments: [false, true])
  func `a member of a list that holds a sequence is not called an element of that`(
    isElement: Bool
  ) async throws {
    let store = try makeStore(
      Effect(on: Middle.self) { _, _ in throw Broken() }.named("Second"), awaits: true)
    let elements = AsyncStream<Start> { stream in
      if isElement { stream.yield(Start()) }
      stream.finish()
    }
    let sequence = AsyncActions(elements)
    let list: [any Action] = isElement ? [sequence] : [Start(), sequence]
    try await store.dispatch(list, fileID: "Shop/App.swift", line: 1).finish()
    let place = isElement ? "of a sequence dispatched" : "dispatched"
    #expect(
      errors.values.first?.causes == [
        "#2 `Middle()` by the effect First (Shop/First.swift:5)",
        "#1 \(place) at Shop/App.swift:1",
      ])
  }

  @Test func `an error of a sequence, of a value's effect and of an asynchronous reducer have it`()
    async throws
  {
    let store = try makeStore(
      Effect<State>(whenChanged: \.steps) { steps, context in
        if steps.last == "middle" {
          context.dispatch(
            AsyncActions(AsyncThrowingStream<End, any Error> { $0.finish(throwing: Broken()) }),
            fileID: "Shop/Value.swift", line: 8)
          throw Broken()
        }
      }.named("Value"), awaits: true)
    try await start(store)
    try await store.settled()
    let causes = errors.values.map(\.causes)
    #expect(causes.count == 2)
    // The dispatch of the commit may be over by then: its number is left.
    for chain in causes { #expect(chain.first?.hasPrefix("#2") == true, "\(chain)") }
  }

  @Test func `a warning about what an effect dispatches names it, and what set that off`()
    async throws
  {
    let store = try makeStore(
      Effect(on: Middle.self) { _, context in
        context.dispatch(Stray(), fileID: "Shop/Second.swift", line: 6)
      }.named("Second"), awaits: true)
    try await start(store)
    let text = "\(try #require(warnings.values.first))"
    #expect(warnings.values.map(\.kind) == [.unhandledAction])
    #expect(
      text.hasPrefix(
        """
        Lensed: `Stray` was dispatched at Shop/Second.swift:6 by the effect Second, set off by #2 `Middle` by the effect \
        First (Shop/First.swift:5), set off by #1 `Start` dispatched at Shop/App.swift:1, and no reducer
        """), "\(text)")
  }

  @Test func `a warning about what an observer dispatches names the commit that it was told of`()
    throws
  {
    let store = try makeStore(Effect(on: Stray.self) { _, _ in }.named("Second"))
    struct Other: Action {}
    let observer = store.states(\.steps).subscribe { [weak store] steps in
      if steps == ["end"] { store?.dispatch(Other(), fileID: "Shop/Bell.swift", line: 2) }
    }
    store.dispatch(End())
    #expect(
      warnings.last?.description.contains(
        "`Other` was dispatched at Shop/Bell.swift:2, set off by #1, and no reducer") == true)
    observer.cancel()
  }
}
