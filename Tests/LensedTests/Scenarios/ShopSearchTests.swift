import Lensed
import LensedTestSupport
import Testing

@Suite(
  "A search is asynchronous, waited for, and cancelled as a whole", .timeLimit(.minutes(5)))
struct ShopSearchTests {
  private let network = ShopNetwork()
  private let store: Store<ShopApp>

  init() throws {
    store = try ShopApp.makeStore(network: network)
  }

  private func search(_ query: String) -> DispatchTask {
    store.dispatch(SearchAction.search(query))
  }

  @Test func `it fetches with the state after reduction, and answers through the store`()
    async throws
  {
    let searches = Recorder<SearchState>()
    let subscription = store.states(\.search).subscribe { searches.append($0) }
    let task = search("cube")
    #expect(store.search == SearchState(query: "cube", isLoading: true))
    await network.request("cube").answer(["cube"])
    try await task.finish()
    #expect(
      searches.values == [
        SearchState(), SearchState(query: "cube", isLoading: true),
        SearchState(query: "cube", results: ["cube"]),
      ])
    subscription.cancel()
  }

  @Test func `awaiting the dispatch waits for all of it, and its action alone for no more`()
    async throws
  {
    let task = search("cube")
    let finished = Gate()
    let waiting = Task {
      try await task.finish()
      finished.open()
      return store.search
    }
    let request = await network.request("cube")
    try await task.finish(.applied)
    #expect(!finished.isOpen)
    #expect(store.search.isLoading)
    request.answer(["cube"])
    #expect(try await waiting.value == SearchState(query: "cube", results: ["cube"]))
  }

  @Test func `a failure ends it too`() async throws {
    let task = search("cube")
    await network.request("cube").fail(Unreachable())
    try await task.finish()
    #expect(store.search == SearchState(query: "cube"))
  }

  private struct Unreachable: Error {}

  @Test func `cancelling the dispatch cancels the request, and nothing comes of it`() async throws {
    let task = search("cube")
    let request = await network.request("cube")
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.finish() }
    #expect(request.isCancelled)
    #expect(task.isCancelled)
    #expect(store.search == SearchState(query: "cube", isLoading: true), "what was applied stays")
    // The store goes on.
    let next = search("dune")
    await network.request("dune").answer(["dune"])
    try await next.finish()
    #expect(store.search == SearchState(query: "dune", results: ["dune"]))
  }

  @Test func `cancelling whoever awaits it cancels it`() async throws {
    let task = search("cube")
    let waiting = Task { try await task.finish() }
    let request = await network.request("cube")
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    #expect(request.isCancelled)
  }

  @Test(arguments: [true, false])
  func `a newer query wins, though the network answers the older one later`(
    heedsCancellation: Bool
  ) async throws {
    let network = ShopNetwork(heedsCancellation: heedsCancellation)
    let store = try ShopApp.makeStore(network: network)
    let results = Recorder<[String]>()
    let subscription = store.states(\.search.results).subscribe { results.append($0) }
    let older = store.dispatch(SearchAction.search("cu"))
    let request = await network.request("cu")
    let newer = store.dispatch(SearchAction.search("cube"))
    await network.request("cube").answer(["cube"])
    try await newer.finish()
    request.answer(["cuckoo"])
    try await older.finish()
    #expect(request.isCancelled == heedsCancellation)
    #expect(results.values == [[], ["cube"]])
    #expect(store.search == SearchState(query: "cube", results: ["cube"]))
    subscription.cancel()
  }

  @Test func `shopping goes on meanwhile, and ends no search`() async throws {
    let task = search("cube")
    let request = await network.request("cube")
    await withTaskGroup { group in
      for _ in 0..<2 {
        group.addTask {
          for number in 0..<100 { store.dispatch(ShopAction.add("p\(number)")) }
        }
      }
    }
    #expect(store.shop.products.count == 200)
    #expect(store.search.isLoading)
    request.answer(["p1"])
    try await task.finish()
    #expect(store.search.results == ["p1"])
  }
}
