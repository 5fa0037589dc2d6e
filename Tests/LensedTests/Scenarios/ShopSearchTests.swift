import Lensed
import LensedTestSupport
import LensedTesting
import Testing

@Suite(
  "A search is asynchronous, waited for, and cancelled as a whole", .timeLimit(.minutes(30)))
struct ShopSearchTests {
  private let network = ShopNetwork()
  private let test: TestStore<ShopApp>

  init() throws {
    test = try TestStore { [network] in try ShopApp.makeStore(network: network) }
  }

  /// Dispatches a search, which asks the network.
  @discardableResult
  private func search(
    _ query: String, sourceLocation: SourceLocation = #_sourceLocation
  ) async -> DispatchTask {
    await test.dispatch(SearchAction.search(query), sourceLocation: sourceLocation) {
      ($0.search.query, $0.search.isLoading) = (query, true)
    }
  }

  private func receive(
    _ results: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    await test.receive(SearchAction.setResults(results), sourceLocation: sourceLocation) {
      ($0.search.results, $0.search.isLoading) = (results, false)
    }
  }

  @Test func `it fetches with the state after reduction, and answers through the store`() async {
    await search("cube")
    await network.request("cube").answer(["cube"])
    await receive(["cube"])
    await test.finish()
  }

  @Test func `awaiting the dispatch waits for all of it, and its action alone for no more`()
    async throws
  {
    let task = await search("cube")
    let finished = Gate()
    let waiting = Task { [test] in
      try await task.finish()
      finished.open()
      return test.store.search
    }
    let request = await network.request("cube")
    try await task.finish(.applied)
    #expect(!finished.isOpen)
    request.answer(["cube"])
    #expect(try await waiting.value == SearchState(query: "cube", results: ["cube"]))
    await receive(["cube"])
    await test.finish()
  }

  @Test func `a failure ends it too`() async {
    await search("cube")
    await network.request("cube").fail(Unreachable())
    await receive([])
    await test.finish()
  }

  private struct Unreachable: Error {}

  @Test func `cancelling the dispatch cancels the request, and nothing comes of it`() async throws {
    let task = await search("cube")
    let request = await network.request("cube")
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.finish() }
    #expect(request.isCancelled)
    #expect(task.isCancelled)
    // What was applied stays, and the store goes on.
    await search("dune")
    await network.request("dune").answer(["dune"])
    await receive(["dune"])
    await test.finish()
  }

  @Test func `cancelling whoever awaits it cancels it`() async throws {
    let task = await search("cube")
    let waiting = Task { try await task.finish() }
    let request = await network.request("cube")
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    #expect(request.isCancelled)
    await test.finish()
  }

  @Test(arguments: [true, false])
  func `a newer query wins, though the network answers the older one later`(
    heedsCancellation: Bool
  ) async throws {
    let network = ShopNetwork(heedsCancellation: heedsCancellation)
    let test = try TestStore { try ShopApp.makeStore(network: network) }
    await test.dispatch(SearchAction.search("cu")) {
      ($0.search.query, $0.search.isLoading) = ("cu", true)
    }
    let request = await network.request("cu")
    await test.dispatch(SearchAction.search("cube")) { $0.search.query = "cube" }
    await network.request("cube").answer(["cube"])
    await test.receive(SearchAction.setResults(["cube"])) {
      ($0.search.results, $0.search.isLoading) = (["cube"], false)
    }
    request.answer(["cuckoo"])
    await test.finish()
    #expect(request.isCancelled == heedsCancellation)
  }

  @Test func `shopping goes on meanwhile, and ends no search`() async {
    test.exhaustivity = .only(\.search)
    let task = await search("cube")
    let request = await network.request("cube")
    await withTaskGroup { [store = test.store] group in
      for _ in 0..<2 {
        group.addTask {
          for number in 0..<100 { store.dispatch(ShopAction.add("p\(number)")) }
        }
      }
    }
    #expect(test.state.shop.products.count == 200)
    request.answer(["p1"])
    await receive(["p1"])
    try? await task.finish()
    await test.finish()
  }
}
