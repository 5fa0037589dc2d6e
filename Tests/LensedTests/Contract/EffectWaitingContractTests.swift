import Lensed
import LensedTestSupport
import Testing

/// Attacked in depth by `EffectTreeTests`; `EffectErrorTests` has the line on standard error.
@Suite("Waiting for a dispatch, and errors", .timeLimit(.minutes(30)))
struct EffectWaitingContractTests {
  typealias AppState = EffectContract.AppState
  typealias SearchAction = EffectContract.SearchAction

  private struct Broken: Error {}

  private let api = EffectContract.API()
  private let errors = Recorder<EffectError>()

  private func makeStore(
    @StoreBuilder<AppState> _ more: () -> [StorePart<AppState>]
  ) throws -> Store<AppState> {
    try EffectContract.makeStore(errors: errors, more)
  }

  @Test func `finish waits for effects of effects and queued events; finish(.applied) does not`()
    async throws
  {
    let store = Store(initialState: Desk(), coverage: .partial)
    try store.register(Desk.countMutator)
    try store.register(
      AsyncMutator(\.notes) { [api] (notes: [Int], _: NoteAction) in
        AsyncResult { notes + [try await api.ask("note").count] }
      })
    let installed = store.install(Effect(on: CountAction.self) { _, _ in NoteAction.append(0) })
    let task = store.dispatch(CountAction.add(1))
    let request = await api.request("note")
    try await task.finish(.applied)
    #expect(store.notes == [])
    request.answer("four")
    try await task.finish()
    #expect(store.notes == [4])
    installed.cancel()
  }

  @Test func `an error goes to onEffectError with effect and action, and finish does not throw it`()
    async throws
  {
    let store = try makeStore {
      Effect<AppState>(on: SearchAction.self) { _, _ in throw Broken() }.named("search")
    }
    try await store.dispatch(SearchAction(query: "a")).finish()
    let error = try #require(errors.last)
    #expect(error.effect.contains("search"))
    #expect(error.action as? SearchAction == SearchAction(query: "a"))
    #expect(error.underlying is Broken)
  }

  @Test func `cancellation is no error, and cancel reaches the whole tree`() async throws {
    let store = try makeStore {
      Effect(on: SearchAction.self) { _, _ in CountAction.add(1) }
      Effect<AppState>(on: CountAction.self) { [api] _, _ in _ = try await api.ask("inner") }
    }
    let task = store.dispatch(SearchAction())
    let request = await api.request("inner")
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.finish() }
    #expect(request.isCancelled)
    #expect(errors.count == 0)
  }

  @Test(arguments: [EffectPolicy.serial, .concurrent])
  func `waiting for oneself throws a typed error with a sentence`(_ policy: EffectPolicy)
    async throws
  {
    let tasks = Recorder<DispatchTask>()
    let store = try makeStore {
      Effect<AppState>(on: SearchAction.self, policy) { action, context in
        guard action.query == "outer" else { return }
        switch policy {
        // The queue that the waiter occupies.
        case .serial: try await context.dispatch(SearchAction(query: "inner")).finish()
        // An ancestor.
        default: try await tasks.waitForCount(1)[0].finish()
        }
      }
    }
    tasks.append(store.dispatch(SearchAction(query: "outer")))
    try await tasks.values[0].finish()
    let error = try #require(errors.last?.underlying as? DispatchDeadlock)
    #expect("\(error)".contains("cannot end before"))
  }
}
