import Foundation
import Lensed
import LensedTestSupport
import Testing

private struct AppState: Sendable, Equatable {
  var page = Page.start
}

private enum Page: Sendable, Equatable {
  case start, loading, failed
  case product(String)
}

private enum PageEvent: Action, Equatable {
  case loadProduct
  case append(String)
}

/// Attacked in depth by `AsyncMutatorTests` and the product page.
@Suite("Asynchronous reducers run one event at a time", .timeLimit(.minutes(30)))
struct AsyncMutatorContractTests {
  private let network = GatedNetwork<String, String>()
  private let given = Recorder<Page>()
  private let tracked = Recorder<Page>()
  private let errors = Recorder<EffectError>()

  /// The contract's mutator, with a second event that nobody recovers.
  private var mutator: AsyncMutator<AppState, Page> {
    let (api, analytics, given) = (network, tracked, given)
    return AsyncMutator(\.page) { (page: Page, event: PageEvent) -> AsyncResult<Page> in
      given.append(page)
      return switch event {
      case .loadProduct:
        AsyncResult { try await api.ask("product") }
          .map(Page.product).whileLoading(.loading).recover { _ in .failed }
      case .append(let text):
        AsyncResult { try await api.ask(text) }.map { .product("\(page) \($0)") }
      }
    }
    .afterEach { page, event in analytics.append(page) }
  }

  private func makeStore() throws -> Store<AppState> {
    try Store(
      initialState: AppState(),
      onEffectError: { [errors] error in
        errors.append(error)
      }
    ) { mutator }
  }

  @Test func `loading is committed when the work starts, the value when it ends`() async throws {
    let store = try makeStore()
    let pages = Recorder<Page>()
    let subscription = store.states(\.page).subscribe { pages.append($0) }
    let task = store.dispatch(PageEvent.loadProduct)
    #expect(await pages.waitForCount(2) == [.start, .loading])
    await network.request("product").answer("p")
    try await task.finish()
    #expect(pages.values == [.start, .loading, .product("p")])
    #expect(tracked.values == [.product("p")])
    subscription.cancel()
  }

  @Test func `a failure that was recovered`() async throws {
    let store = try makeStore()
    let task = store.dispatch(PageEvent.loadProduct)
    await network.request("product").fail(URLError(.badURL))
    try await task.finish()
    #expect(store.page == .failed)
    #expect(errors.count == 0)
  }

  @Test func `a failure that nobody recovered goes to onEffectError, and the next event runs`()
    async throws
  {
    let store = try makeStore()
    let task = store.dispatch([PageEvent.append("?"), .loadProduct])
    await network.request("?").fail(URLError(.badURL))
    await network.request("product").answer("p")
    try await task.finish()
    #expect(store.page == .product("p"))
    #expect(errors.last?.underlying is URLError)
    #expect(errors.last?.action as? PageEvent == .append("?"))
    #expect(tracked.values == [.product("p")], "a failed event has no final state")
  }

  @Test func `events wait in line, each given the final state of the one before`() async throws {
    let store = try makeStore()
    let first = store.dispatch(PageEvent.loadProduct)
    let second = store.dispatch(PageEvent.loadProduct)
    let request = await network.request("product")
    #expect(network.questions.count == 1)
    request.answer("a")
    await network.request("product", number: 2).answer("b")
    try await first.finish()
    try await second.finish()
    #expect(given.values == [.start, .product("a")])
  }

  @Test func `its reducer does not run inside dispatch, but on another thread`() async throws {
    let threads = Recorder<ObjectIdentifier>()
    let store = try Store(initialState: AppState()) {
      AsyncMutator(\.page) { (_: Page, _: PageEvent) in
        threads.append(ObjectIdentifier(Thread.current))
        return AsyncResult(value: .product("p"))
      }
    }
    let dispatching = Recorder<ObjectIdentifier>()
    // A thread that ends only when the reducer has run, so that no other can have its identity.
    let isOver = ThreadGate()
    _ = Threads.start {
      store.dispatch(PageEvent.loadProduct)
      dispatching.append(ObjectIdentifier(Thread.current))
      isOver.wait()
    }
    let (reducer, dispatcher) = (await threads.waitForCount(1), await dispatching.waitForCount(1))
    #expect(reducer != dispatcher)
    isOver.open()
  }

  @Test func `replaceState cancels what runs and what waits`() async throws {
    let store = try makeStore()
    let task = store.dispatch([PageEvent.loadProduct, .append("x")])
    let request = await network.request("product")
    store.replaceState(AppState(page: .product("restored")))
    try? await task.finish()
    #expect(request.isCancelled)
    #expect(store.page == .product("restored"))
    #expect(given.count == 1)
    #expect(errors.count == 0)
  }

  @Test func `it owns its sub-state like any mutator`() throws {
    let store = try makeStore()
    let error = #expect(throws: RegistrationError.self) {
      try store.register(Mutator(\AppState.page) { (_: inout Page, _: PageEvent) in })
    }
    #expect(error.map { "\($0)".contains("page") } == true)
  }
}
