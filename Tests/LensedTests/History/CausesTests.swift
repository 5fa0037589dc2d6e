import Lensed
import LensedTestSupport
import LensedTesting
import Testing

/// Every commit knows what made it, and what set that off.
@Suite("Causes", .timeLimit(.minutes(30)))
struct CausesTests {
  struct State: Sendable, Equatable {
    var query = ""
    var found: [String] = []
    var page = ""
    var beeps = 0
  }
  struct Query: Action { let text: String }
  struct Refresh: Action {}
  struct Found: Action { let texts: [String] }
  struct Beep: Action {}
  struct Load: Action {}

  private func makeStore(
    _ middleware: [any Middleware<State>] = [], clock: any Clock<Duration> = ManualClock()
  ) throws -> Store<State> {
    try Store(initialState: State(), middleware: middleware, clock: clock) {
      Mutator(\.query) { (query: inout String, action: Query) in query = action.text }
      Mutator(\.found) { (found: inout [String], action: Found) in found = action.texts }
      Mutator(\.beeps) { (beeps: inout Int, _: Beep) in beeps += 1 }
      AsyncMutator(\.page) { (_: String, _: Load) in
        AsyncResult(value: "loaded").whileLoading("loading")
      }
      Effect(on: Query.self) { action, context in
        context.dispatch(Found(texts: [action.text]), fileID: "Shop/Search.swift", line: 41)
      }
      .named("Search")
      Effect(on: Refresh.self) { _, context in
        context.dispatch(AsyncActions([Beep(), Beep()].async))
      }
      .named("Refreshing")
    }
  }

  private func changes(
    _ count: Int, of dispatch: (Store<State>) async throws -> Void
  ) async throws -> [Change<State>] {
    let store = try makeStore()
    var reader = store.changes().makeAsyncIterator()
    try await dispatch(store)
    var changes: [Change<State>] = []
    while changes.count < count, let change = await reader.next() { changes.append(change) }
    return changes
  }

  @Test func `what an effect dispatches has its name, and the commit that set it off`() async throws
  {
    let changes = try await changes(3) { store in
      store.dispatch(Beep())
      try await store.dispatch(Query(text: "a")).finish()
    }
    #expect(changes.map(\.origin) == [.dispatch, .dispatch, .effect("Search")])
    #expect(changes.map(\.parent) == [nil, nil, 2])
    #expect(changes.map { $0.site?.line }[2] == 41)
  }

  @Test func `an effect that has the whole commit for itself knows it too`() async throws {
    let recorder = SessionRecorder<State>()
    let history = History<State>()
    let store = try makeStore([recorder, history])
    for text in ["a", "b"] { try await store.dispatch(Query(text: text)).finish() }
    #expect(history.entries.map(\.parent) == [nil, nil, 1, nil, 3])
  }

  @Test func `so do sequences, placeholders and outcomes`() async throws {
    let changes = try await changes(6) { store in
      try await store.dispatch(Load()).finish()
      try await store.dispatch(Refresh()).finish()
    }
    #expect(
      changes.map(\.origin) == [
        .dispatch, .placeholder, .asyncResult, .dispatch, .sequence, .sequence,
      ])
    #expect(changes.map(\.parent) == [nil, 1, 1, nil, 4, 4])
  }

  @Test func `of a list that holds a sequence, only what that yields is of a sequence`()
    async throws
  {
    @Sendable func makeList() -> [any Action] {
      [
        Beep(), AsyncActions([Beep()].async), Beep(),
        ActionList([Beep(), AsyncActions([Beep(), Beep()].async), Beep()]), [Beep(), Beep()],
      ]
    }
    func origins(by maker: CommitOrigin) -> [CommitOrigin] {
      [maker, .sequence, maker, maker, .sequence, .sequence, maker, maker]
    }
    let store = try Store(initialState: State(), coverage: .partial) {
      Mutator(\.beeps) { (beeps: inout Int, _: Beep) in beeps += 1 }
      Effect(on: Load.self) { _, _ in makeList() }.named("Loading")
      Effect(on: Refresh.self) { _, context in
        try await context.dispatch(makeList()).finish()
      }
      .named("Refreshing")
    }
    var reader = store.changes().makeAsyncIterator()
    func origins(of dispatch: () -> DispatchTask) async throws -> [CommitOrigin] {
      let first = store.versioned.revision + 1
      try await dispatch().finish()
      var origins: [CommitOrigin] = []
      for _ in first...store.versioned.revision {
        origins.append(try #require(await reader.next()).origin)
      }
      return origins
    }
    #expect(try await origins { store.dispatch(makeList()) } == origins(by: .dispatch))
    #expect(
      try await origins { store.dispatch(Load()) }
        == [.dispatch] + origins(by: .effect("Loading")))
    #expect(
      try await origins { store.dispatch(Refresh()) }
        == [.dispatch] + origins(by: .effect("Refreshing")))
    // A list that a sequence yields is of the sequence as a whole.
    let lists = [ActionList([Beep(), AsyncActions([Beep()].async), Beep()])]
    #expect(
      try await origins { store.dispatch(lists.async) } == [.sequence, .sequence, .sequence])
  }

  @Test func `what an observer dispatches has the commit that it was told of`() async throws {
    let changes = try await changes(4) { store in
      let subscription = store.states(\.query).subscribe { [weak store] query in
        if query != "" { store?.dispatch(Beep()) }
      }
      store.dispatch(Beep())
      store.dispatch(Query(text: "a"))
      subscription.cancel()
      try await store.settled()
    }
    // The effect of the query may commit before the observer is called, or after.
    let dispatched = changes.filter { $0.origin == .dispatch }
    #expect(dispatched.count == 3)
    #expect(dispatched.map(\.parent) == [nil, nil, 2])
  }

  @Test func `a replayed commit says so`() throws {
    let recorder = SessionRecorder<State>()
    let store = try makeStore([recorder])
    store.dispatch(Beep())
    let session = try #require(recorder.session)
    let history = History<State>()
    let fresh = try makeStore([history])
    fresh.replay(session)
    fresh.dispatch(Beep())
    #expect(history.entries.map(\.isReplayed) == [false, true, true, false])
  }

  @Test func `the time is that of the store's clock`() async throws {
    let clock = ManualClock()
    let history = History<State>()
    let store = try makeStore([history], clock: clock)
    store.dispatch(Beep())
    await clock.advance(by: .seconds(3))
    store.dispatch(Beep())
    #expect(history.entries.map(\.time) == [nil, .zero, .seconds(3)])
  }

  @Test func `the time of a store of one feature is that of its clock`() async throws {
    let clock = ManualClock()
    let history = History<State>()
    let feature = Feature<State> {
      Mutator(\.beeps) { (beeps: inout Int, _: Beep) in beeps += 1 }
    }
    let store = try Store(
      initialState: State(), feature, coverage: .partial, middleware: [history], clock: clock)
    await clock.advance(by: .seconds(3))
    store.dispatch(Beep())
    #expect(history.entries.map(\.time) == [nil, .seconds(3)])
  }

  @Test func `a history says why, from the last change to the dispatch from outside`() async throws
  {
    let history = History<State>()
    let store = try makeStore([history])
    #expect(history.why(\.found) == nil)
    try await store.dispatch(
      Query(text: "a"), fileID: "Shop/BookView.swift", line: 31
    ).finish()
    store.dispatch(Beep())
    let reason = try #require(history.why(\.found))
    #expect(reason.map(\.revision) == [2, 1])
    #expect(
      reason.description == """
        `found` is ["a"] since #2, `Found(texts: ["a"])` by the effect Search (Shop/Search.swift:41), \
        set off by #1 `Query(text: "a")` dispatched at Shop/BookView.swift:31
        """)
  }

  @Test func `the chain goes through commits that were no steps`()
    async throws
  {
    let history = History<State>(limit: 5)
    let store = try makeStore([history])
    try await store.dispatch(Refresh(), fileID: "Shop/App.swift", line: 7).finish()
    let reason = try #require(history.why(\.beeps))
    #expect(reason.map(\.revision) == [3, 1])
    #expect(
      reason.description.hasSuffix("set off by #1 `Refresh()` dispatched at Shop/App.swift:7"))
  }

  @Test func `a log says what made an action, and what set that off`() async throws {
    let log = Recorder<String>()
    let store = try makeStore([ActionLogger<State> { log.append($0) }])
    try await store.dispatch(
      Query(text: "a"), fileID: "Shop/BookView.swift", function: "body", line: 31
    ).finish()
    #expect(
      log.values.last?.split(separator: "\n").first?.hasPrefix(
        "#2 Found(texts: [\"a\"]) by the effect Search at Shop/Search.swift:41 in ") == true)
    #expect(log.values.last?.split(separator: "\n").first?.hasSuffix(", set off by #1") == true)
  }
}

extension Array where Element: Sendable {
  /// The elements as an asynchronous sequence.
  fileprivate var async: AsyncStream<Element> {
    AsyncStream { continuation in
      for element in self { continuation.yield(element) }
      continuation.finish()
    }
  }
}
