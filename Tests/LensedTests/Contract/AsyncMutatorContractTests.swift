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

/// Attacked in depth by `AsyncMutatorTests`, `AsyncResultTests` and the product page.
@Suite("Contract 8: asynchronous reducers as written", .timeLimit(.minutes(1)))
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
        if let error = error as? EffectError { errors.append(error) }
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

@Suite("Contract 8: results as written", .timeLimit(.minutes(1)))
struct AsyncResultContractTests {
  private struct Failure: Error, Equatable {}

  @Test func `init, init(value:), map, flatMap, mapError, recover`() async throws {
    #expect(try await AsyncResult { 1 }.map { $0 + 1 }.value() == 2)
    #expect(try await AsyncResult(value: 1).flatMap { AsyncResult(value: $0 + 1) }.value() == 2)
    #expect(try await AsyncResult(value: 1).flatMap { AsyncResult(value: "\($0)") }.value() == "1")
    let failing = AsyncResult<Int> { throw URLError(.badURL) }.mapError { _ in Failure() }
    await #expect(throws: Failure()) { try await failing.value() }
    #expect(try await failing.recover { _ in 7 }.value() == 7)
  }

  @Test func `zip of two to five, and all`() async throws {
    let one = AsyncResult(value: 1)
    #expect(try await AsyncResult.zip(one, one).map { $0 + $1 }.value() == 2)
    #expect(try await AsyncResult.zip(one, one, one).map { $0 + $1 + $2 }.value() == 3)
    #expect(try await AsyncResult.zip(one, one, one, one).map { $0 + $1 + $2 + $3 }.value() == 4)
    #expect(
      try await AsyncResult.zip(one, one, one, one, one).map { $0 + $1 + $2 + $3 + $4 }.value()
        == 5)
    #expect(try await AsyncResult.all([one, one, one]).value() == [1, 1, 1])
  }

  @Test func `what stands in survives all that keeps the type, and is given anew after a zip`()
    async throws
  {
    let slow = AsyncResult(value: 1).whileLoading(0)
    let shown = Recorder<Int>()
    let results: [AsyncResult<Int>] = [
      slow.recover { _ in 9 }, slow.mapError { $0 }, slow.map { $0 + 10 },
      slow.flatMap { AsyncResult(value: $0 + 20) },
      AsyncResult.zip(slow, slow).map { $0 + $1 + 30 },
      AsyncResult.zip(slow, slow).map { $0 + $1 + 40 }.whileLoading(-1),
    ]
    let store = try Store(initialState: [100]) {
      AsyncMutator(\.self) { (numbers: [Int], action: CountAction) in
        guard case .add(let index) = action else { return AsyncResult(value: numbers) }
        return results[index].map { [$0] }
      }
    }
    let subscription = store.states.subscribe { shown.append($0[0]) }
    for index in results.indices { try await store.dispatch(CountAction.add(index)).finish() }
    #expect(shown.values.dropFirst() == [0, 1, 0, 1, 10, 11, 0, 21, 32, -1, 42])
    subscription.cancel()
  }
}
