import Lensed
import LensedTestSupport
import Testing

/// What an effect answers with, and time, are in `EffectsGuideTests`; attacked in depth by the suites
/// of `Effects/`.
@Suite("Effects start, end, lift and install", .timeLimit(.minutes(30)))
struct EffectContractTests {
  typealias AppState = EffectContract.AppState
  typealias SearchAction = EffectContract.SearchAction
  typealias ResultsAction = EffectContract.ResultsAction
  typealias LogOut = EffectContract.LogOut
  typealias Leave = EffectContract.Leave

  private let api = EffectContract.API()

  private var search: Effect<AppState> {
    Effect<AppState>(on: SearchAction.self, .latest) { [api] action, context in
      let found = try await api.ask(action.query)
      context.dispatch(ResultsAction.found(found))
    }
  }

  @Test func `installed, it runs; releasing what install gave cancels what runs`() async throws {
    let store = try EffectContract.makeStore()
    var installed: StoreSubscription? = store.install(search)
    let task = store.dispatch(SearchAction(query: "a"))
    await api.request("a").answer("A")
    try await task.finish()
    #expect(store.found == ["A"])
    let cancelled = store.dispatch(SearchAction(query: "b"))
    let request = await api.request("b")
    #expect(installed != nil)
    installed = nil
    try await cancelled.finish()
    #expect(request.isCancelled)
    try await store.dispatch(SearchAction(query: "c")).finish()
    #expect(api.questions == ["a", "b"])
  }

  @Test func `with when: and catch:, and a context with state, change and dispatch`() async throws {
    let seen = Recorder<String>()
    let store = try EffectContract.makeStore {
      Effect<AppState>(
        on: SearchAction.self, .serial,
        when: { action, change in
          seen.append("\(change.previous?.query ?? "?")→\(change.state.query)")
          return action.query != ""
        },
        catch: { error, context in
          context.dispatch(ResultsAction.found("\(error) in \(context.state.query)"))
        }
      ) { action, context in
        seen.append("\(context.change.state.query) #\(context.change.revision)")
        throw Broken()
      }
    }
    try await store.dispatch(SearchAction(query: "a")).finish()
    try await store.dispatch(SearchAction(query: "")).finish()
    #expect(seen.values == ["→a", "a #1", "a→"])
    #expect(store.found == ["Broken() in a"])
  }

  private struct Broken: Error {}

  @Test func `of a changed value`() async throws {
    let seen = Recorder<String>()
    let store = try EffectContract.makeStore {
      Effect<AppState>(whenChanged: \.query, .latest) { query, context in
        seen.append("\(query) \(context.query)")
      }
    }
    for query in ["a", "a", "b"] { try await store.dispatch(SearchAction(query: query)).finish() }
    #expect(seen.values == ["a a", "b b"])
  }

  @Test func `tied to an optional, a key and an element, and cancelled on an action`() async throws
  {
    let ended = Recorder<String>()
    let gate = Gate()
    let waiting = { (name: String) in
      Effect<AppState>(on: SearchAction.self) { _, _ in
        do { try await gate.wait() } catch { ended.append(name) }
      }
    }
    let store = try EffectContract.makeStore {
      waiting("session").tied(to: \.session)
      waiting("chat").tied(to: \.chats, id: "a")
      waiting("room").tied(to: \.rooms, id: 7)
      waiting("log").cancelled(on: LogOut.self)
    }
    let task = store.dispatch(SearchAction())
    await gate.waitForWaiters(4)
    store.dispatch(Leave())
    #expect(Set(await ended.waitForCount(2)) == ["chat", "room"])
    store.dispatch(LogOut())
    try await task.finish()
    #expect(Set(ended.values.suffix(2)) == ["session", "log"])
  }

  @Test func `lifted by lens, by action, and tagged`() async throws {
    enum Left {}
    struct App: Sendable {
      var left = AppState()
      var right = AppState()
    }
    enum Wide: Action { case search(SearchAction), results(ResultsAction) }
    let searches = Prism<Wide, SearchAction>(
      embed: Wide.search, extract: { if case .search(let action) = $0 { action } else { nil } })
    let results = Prism<Wide, ResultsAction>(
      embed: Wide.results, extract: { if case .results(let action) = $0 { action } else { nil } })
    let feature = Effect<AppState>(on: SearchAction.self) { action, context in
      ResultsAction.found(action.query + context.query)
    }
    let found = Mutator(\AppState.found) { (found: inout [String], action: ResultsAction) in
      if case .found(let text) = action { found.append(text) }
    }
    let store = try Store(initialState: App(), coverage: .partial) {
      found.lifted(Lens(\App.left)).tagged(Left.self)
      found.lifted(Lens(\App.right)).lifted(action: results)
      feature.lifted(Lens(\App.left)).tagged(Left.self)
      feature.lifted(Lens(\App.right)).lifted(action: searches).lifted(action: results)
    }
    try await store.dispatch(SearchAction(query: "a").tagged(Left.self)).finish()
    #expect((store.left.found, store.right.found) == (["a"], []))
    try await store.dispatch(Wide.search(SearchAction(query: "b"))).finish()
    #expect((store.left.found, store.right.found) == (["a"], ["b"]))
  }

  @Test func `a service, installed or in the store's builder`() async throws {
    let log = Recorder<String>()
    let history = Effect<AppState>(on: ResultsAction.self) { _, _ in log.append("history") }
    let service = Feature<AppState>(
      "search",
      onInstall: { context in log.append("install \(context.query)") },
      onRemove: { log.append("remove") }
    ) {
      search
      history
    }
    var store: Store<AppState>? = try EffectContract.makeStore { service }
    try await store?.dispatch(ResultsAction.found("x")).finish()
    store = nil
    #expect(log.values == ["install ", "history", "remove"])
    let other = try EffectContract.makeStore()
    let installed = other.install(service)
    installed.cancel()
    #expect(log.values.suffix(2) == ["install ", "remove"])
  }
}
