import Lensed
import LensedTestSupport
import Testing

/// Attacked in depth by `EffectPolicyTests`.
@Suite("Effects: policies, arrays, cancelling", .timeLimit(.minutes(30)))
struct EffectPolicyContractTests {
  typealias AppState = EffectContract.AppState
  typealias SearchAction = EffectContract.SearchAction
  typealias ResultsAction = EffectContract.ResultsAction

  private let api = EffectContract.API()

  private func makeStore(_ policy: EffectPolicy) throws -> Store<AppState> {
    try EffectContract.makeStore {
      Effect(on: SearchAction.self, policy) { [api] action, _ in
        ResultsAction.found(try await api.ask(action.query))
      }
    }
  }

  /// What is found when `a` runs, then `b` and `c` come, and all are answered, the last one first.
  private func found(_ policy: EffectPolicy, asking queries: [String]) async throws -> [String] {
    let store = try makeStore(policy)
    let first = store.dispatch(SearchAction(query: "a"))
    _ = await api.request("a")
    let rest = store.dispatch([SearchAction(query: "b"), SearchAction(query: "c")])
    for query in queries { await api.request(query).answer(query) }
    try await first.finish()
    try await rest.finish()
    return store.found
  }

  @Test func `concurrent: side by side`() async throws {
    #expect(try await Set(found(.concurrent, asking: ["c", "b", "a"])) == ["a", "b", "c"])
  }

  @Test func `latest: the newest cancels those before`() async throws {
    #expect(try await found(.latest, asking: ["c"]) == ["c"])
  }

  @Test func `first: new ones are ignored`() async throws {
    #expect(try await found(.first, asking: ["a"]) == ["a"])
    #expect(api.questions == ["a"])
  }

  @Test func `serial: one after another, in commit order`() async throws {
    #expect(try await found(.serial, asking: ["a", "b", "c"]) == ["a", "b", "c"])
    #expect(api.questions == ["a", "b", "c"])
  }

  @Test func `limited: so many at once`() async throws {
    let found = try await found(.limited(2), asking: ["b", "c", "a"])
    #expect(Set(found) == ["a", "b", "c"])
    #expect(found.first == "b", "which made room for the last one")
    #expect(api.questions.last == "c")
  }

  @Test func `what a cancelled one still dispatches is ignored`() async throws {
    let api = EffectContract.API(heedsCancellation: false)
    let store = try EffectContract.makeStore {
      Effect(on: SearchAction.self, .latest) { action, context in
        context.dispatch(ResultsAction.found(try await api.ask(action.query)))
      }
    }
    let older = store.dispatch(SearchAction(query: "a"))
    let request = await api.request("a")
    let newer = store.dispatch(SearchAction(query: "b"))
    await api.request("b").answer("b")
    try await newer.finish()
    request.answer("a")
    try await older.finish()
    #expect(store.found == ["b"])
  }

  @Test func `an array triggers per member, in order, with the state after the array`() async throws
  {
    let seen = Recorder<String>()
    let store = try EffectContract.makeStore {
      Effect<AppState>(on: SearchAction.self, .serial) { action, context in
        seen.append("\(action.query) of \(context.change.state.query)")
      }
    }
    try await store.dispatch(["a", "b"].map { SearchAction(query: $0) }).finish()
    #expect(seen.values == ["a of b", "b of b"])
  }

  @Test func `cancelling reaches work that is queued`() async throws {
    let store = try makeStore(.serial)
    let running = store.dispatch(SearchAction(query: "a"))
    let request = await api.request("a")
    let queued = store.dispatch(SearchAction(query: "b"))
    queued.cancel()
    request.answer("a")
    try await running.finish()
    await #expect(throws: CancellationError.self) { try await queued.finish() }
    #expect(api.questions == ["a"])
  }
}
