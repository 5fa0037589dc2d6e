import Lensed
import LensedTestSupport
import Testing

@Suite("Effects: conditions, and what triggers them", .timeLimit(.minutes(30)))
struct EffectTriggerTests {
  private struct Browser: Sendable, Equatable {
    var isLoading = false
    var movies: [String] = []
    var failure: String?
  }
  private enum Load: Action { case start }
  private enum Loaded: Action { case movies([String]), failed }

  private func browser(
    _ fetch: @escaping @Sendable () async throws -> [String]
  ) throws -> Store<Browser> {
    try Store(initialState: Browser()) {
      Mutator(\.isLoading) { (isLoading: inout Bool, _: Load) in isLoading = true }
        .on(Loaded.self) { isLoading, _ in isLoading = false }
      Mutator(\.movies) { (movies: inout [String], action: Loaded) in
        if case .movies(let more) = action { movies += more }
      }
      Mutator(\.failure) { (failure: inout String?, action: Loaded) in
        if case .failed = action { failure = "failed" }
      }
      Effect<Browser>(
        on: Load.self, when: { _, change in change.previous?.isLoading == false },
        catch: { _, context in context.dispatch(Loaded.failed) }
      ) { _, _ in
        Loaded.movies(try await fetch())
      }
    }
  }

  @Test func `the condition holds once; a second load while loading starts nothing`() async throws {
    let gate = Gate()
    let fetches = Counter()
    let store = try browser {
      fetches.increment()
      try await gate.wait()
      return ["m\(fetches.value)"]
    }
    let first = store.dispatch(Load.start)
    await gate.waitForWaiters()
    try await store.dispatch(Load.start).finish()
    #expect(fetches.value == 1)
    gate.open()
    try await first.finish()
    #expect(store.state == Browser(movies: ["m1"]))
    try await store.dispatch(Load.start).finish()
    #expect(store.movies == ["m1", "m2"])
  }

  @Test func `a failure is answered by an action`() async throws {
    let store = try browser { throw EffectFailure() }
    try await store.dispatch(Load.start).finish()
    #expect(store.state == Browser(failure: "failed"))
  }

  @Test func `an array triggers member by member, in order, with the state after the array`()
    async throws
  {
    let log = Recorder<String>()
    let store = try Store(initialState: Desk(), coverage: .partial) {
      Mutator(\Desk.count) { (count: inout Int, action: CountAction) in
        if case .add(let amount) = action { count += amount }
      }
      Effect<Desk>(on: CountAction.self, .serial) { action, context in
        log.append("\(action) \(context.change.state.count)")
      }
    }
    try await store.dispatch([CountAction.add(1), .add(2)]).finish()
    #expect(log.values == ["add(1) 3", "add(2) 3"])
  }

  @Test func `conditions are asked in the order of a service, with the state before at hand`()
    async throws
  {
    let asked = Recorder<String>()
    let store = Store(initialState: Desk(), coverage: .partial)
    try store.register(
      Mutator(\Desk.count) { (count: inout Int, action: CountAction) in
        if case .add(let amount) = action { count += amount }
      })
    let (added, removed) = (Counter(), Counter())
    var installed: StoreSubscription? = store.install(
      Feature<Desk>(
        "tally", onInstall: { store in if store.count == 0 { added.increment() } },
        onRemove: { removed.increment() }
      ) {
        Effect(
          on: CountAction.self,
          when: { _, change in
            asked.append("a \(change.previous?.count ?? -1) \(change.state.count)")
            return false
          }
        ) { _, _ in asked.append("never") }
        Effect(
          on: CountAction.self,
          when: { _, change in
            asked.append("b \(change.previous?.count ?? -1) \(change.state.count)")
            return false
          }
        ) { _, _ in asked.append("never") }
      })
    try await store.dispatch(CountAction.add(2)).finish()
    #expect(asked.values == ["a 0 2", "b 0 2"])
    #expect(installed != nil)
    installed?.cancel()
    installed = nil
    #expect((added.value, removed.value) == (1, 1))
  }

  @Test func `a changed value triggers, an equal one and a replacement do not`() async throws {
    let seen = Recorder<Int>()
    let store = try Store(initialState: Desk(), coverage: .partial) {
      Mutator(\Desk.count) { (count: inout Int, action: CountAction) in
        if case .add(let amount) = action { count += amount }
      }
      Effect(whenChanged: \Desk.count, .serial) { count, _ in seen.append(count) }
    }
    try await store.dispatch(CountAction.add(0)).finish()
    try await store.dispatch(CountAction.add(1)).finish()
    store.replaceState(Desk(count: 5))
    try await store.dispatch(CountAction.add(0)).finish()
    try await store.dispatch(CountAction.add(1)).finish()
    #expect(seen.values == [1, 6])
  }

  @Test(.warnsOnPurpose) func `answers: nothing, an action, an optional one, a list, sequences`()
    async throws
  {
    let store = try Store(initialState: Desk(), coverage: .partial) {
      Mutator(\Desk.notes) { (notes: inout [Int], action: NoteAction) in
        if case .append(let note) = action { notes.append(note) }
      }
      Effect(on: CountAction.self, .serial) { _, _ in NoteAction.append(1) }
      Effect(on: CountAction.self, .serial) { action, _ in
        if action == .keep { return nil }
        return NoteAction.append(2)
      }
      Effect(on: CountAction.self, .serial) { _, _ in [NoteAction.append(3), .append(4)] }
      Effect(on: CountAction.self, .serial) { _, _ in
        ActionList([NoteAction.append(5), CountAction2.none])
      }
      Effect(on: CountAction.self, .serial) { _, _ in
        AsyncStream<NoteAction> { stream in
          stream.yield(.append(6))
          stream.finish()
        }
      }
      Effect(on: CountAction.self, .serial) { _, context in
        context.dispatch(NoteAction.append(7))
      }
    }
    try await store.dispatch(CountAction.keep).finish()
    #expect(store.notes.sorted() == [1, 3, 4, 5, 6, 7])
    try await store.dispatch(CountAction.reset).finish()
    #expect(store.notes.filter { $0 == 2 }.count == 1)
  }

  private enum CountAction2: Action { case none }
  private struct EffectFailure: Error {}

  @Test func `tied to an optional, to a key, to an element: it ends with them`() async throws {
    struct Item: Sendable, Equatable, Identifiable { var id: Int }
    struct App: Sendable, Equatable {
      var session: String? = "s"
      var chats: [String: Int] = ["a": 1]
      var items = [Item(id: 7)]
    }
    let gate = Gate()
    let ended = Recorder<String>()
    let poll: @Sendable (String) -> Effect<App> = { name in
      Effect(on: TitleAction.self) { _, _ in
        do { try await gate.wait() } catch { ended.append(name) }
      }
    }
    let store = try Store(initialState: App(), coverage: .partial) {
      Mutator(\App.session) { (session: inout String?, _: ClearAction) in session = nil }
      Mutator(\App.chats) { (chats: inout [String: Int], _: CountAction) in chats["a"] = nil }
      Mutator(\App.items) { (items: inout [Item], _: NoteAction) in items = [] }
      poll("session").tied(to: \.session)
      poll("chat").tied(to: \.chats, id: "a")
      poll("item").tied(to: \.items, id: 7)
    }
    let task = store.dispatch(TitleAction.rename("x"))
    await gate.waitForWaiters(3)
    store.dispatch(CountAction.keep)
    await ended.waitForCount(1)
    store.dispatch(NoteAction.append(1))
    await ended.waitForCount(2)
    store.dispatch(ClearAction())
    try await task.finish()
    #expect(ended.values == ["chat", "item", "session"])
    // Without what they are tied to they do not begin.
    try await store.dispatch(TitleAction.rename("y")).finish()
    #expect(ended.count == 3)
  }

  @Test func `no condition of a changed value is asked while what it is tied to is gone`()
    async throws
  {
    struct App: Sendable {
      var session: String?
      var query = 0
    }
    let (asked, seen) = (Recorder<Int>(), Recorder<Int>())
    let store = try Store(initialState: App()) {
      Mutator(\App.session) { (session: inout String?, action: TitleAction) in
        if case .rename(let name) = action { session = name.isEmpty ? nil : name }
      }
      Mutator(\App.query) { (query: inout Int, action: NoteAction) in
        if case .append(let number) = action { query = number }
      }
      Effect(
        whenChanged: \App.query, .serial,
        when: { query, change in
          asked.append(query)
          return change.state.session != nil
        }
      ) { query, _ in seen.append(query) }
      .tied(to: \.session)
    }
    for name in ["", "s", ""] {
      try await store.dispatch(TitleAction.rename(name)).finish()
      let number = store.query + 1
      try await store.dispatch(NoteAction.append(number)).finish()
      // The same value again is no change, also of one that came while nothing was there.
      try await store.dispatch(NoteAction.append(number)).finish()
    }
    #expect(asked.values == [2])
    #expect(seen.values == [2])
  }

  @Test func `a value that changes to nil, and back, sets an effect off with what it is`()
    async throws
  {
    struct App: Sendable { var session: String? = "a" }
    let seen = Recorder<String?>()
    let store = try Store(initialState: App()) {
      Mutator(\App.session) { (session: inout String?, action: TitleAction) in
        if case .rename(let name) = action { session = name.isEmpty ? nil : name }
      }
      Effect(whenChanged: \App.session, .serial) { session, _ in seen.append(session) }
    }
    for name in ["", "", "b", ""] { try await store.dispatch(TitleAction.rename(name)).finish() }
    #expect(seen.values == [nil, "b", nil])
  }
}
