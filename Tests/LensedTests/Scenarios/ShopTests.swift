import Foundation
import Lensed
import LensedTestSupport
import Testing

@Suite("Debugging: a log, a history, and the state as JSON", .timeLimit(.minutes(30)))
struct ShopDebuggingTests {
  private let network = ShopNetwork()
  private let log = Recorder<String>()
  private let history = History<ShopApp>()
  private let store: Store<ShopApp>

  init() throws {
    let logger = ActionLogger<ShopApp> { [log] in log.append($0) }
    store = try ShopApp.makeStore(network: network, middleware: [logger, history])
  }

  /// Two searches, of which the second fails, and some shopping meanwhile.
  private func play() async throws {
    let search = store.dispatch(SearchAction.search("cube"), fileID: "Shop/View.swift", line: 1)
    store.dispatch([ShopAction.add("cube"), .add("dune")], fileID: "Shop/View.swift", line: 2)
    await network.request("cube").answer(["cube", "cube 2"])
    try await search.finish()
    let failing = store.dispatch(SearchAction.search("?"), fileID: "Shop/View.swift", line: 3)
    await network.request("?").fail(URLError(.badURL))
    try await failing.finish()
    store.dispatch(ShopAction.remove("cube"), fileID: "Shop/View.swift", line: 4)
  }

  @Test func `the log misses no change, also none that nobody dispatched by hand`() async throws {
    try await play()
    let lines = log.values.map { text in
      // Where the line in an effect is, is none of this test's business.
      text.replacing(#/ at Lensed.*/#, with: "").replacing(#/ in .*/#, with: "")
    }
    #expect(
      lines == [
        """
        #1 SearchAction.search("cube") at Shop/View.swift:1
          search.query: "" → "cube"
          search.isLoading: false → true
        """,
        """
        #2 ShopAction.add("cube") at Shop/View.swift:2
        #2 ShopAction.add("dune") at Shop/View.swift:2
          shop.products: [] → ["cube", "dune"]
        """,
        """
        #3 SearchAction.setResults(["cube", "cube 2"]) by the effect search of `search`
          search.results: [] → ["cube", "cube 2"]
          search.isLoading: true → false
        """,
        """
        #4 SearchAction.search("?") at Shop/View.swift:3
          search.query: "cube" → "?"
          search.isLoading: false → true
        """,
        """
        #5 SearchAction.setResults([]) by the effect search of `search`
          search.results: ["cube", "cube 2"] → []
          search.isLoading: true → false
        """,
        """
        #6 ShopAction.remove("cube") at Shop/View.swift:4
          shop.products: ["cube", "dune"] → ["dune"]
        """,
      ])
  }

  @Test func `the history tells which actions led to a state`() async throws {
    try await play()
    let entries = history.entries
    #expect(entries.count == 7)
    for (index, entry) in entries.enumerated() {
      // The features' reducers alone are enough to come there.
      var app = ShopApp()
      for action in entries[...index].flatMap(\.actions) {
        ShopState.reducer.lifted(Lens(\ShopApp.shop)).reduce(&app, action)
        SearchState.reducer.lifted(Lens(\ShopApp.search)).reduce(&app, action)
      }
      #expect(app == entry.state, "entry \(index)")
    }
  }

  @Test func `back in time and forth again, without a request`() async throws {
    try await play()
    #expect(history.jump(to: 1))
    #expect(store.state == ShopApp(search: SearchState(query: "cube", isLoading: true)))
    #expect(history.jump(to: 6))
    #expect(store.state == ShopApp(shop: .init(products: ["dune"]), search: .init(query: "?")))
    #expect(network.questions == ["cube", "?"])
  }

  @Test func `state to JSON and back is the same state`() async throws {
    try await play()
    for entry in history.entries {
      let data = try JSONEncoder().encode(entry.state)
      let state = try JSONDecoder().decode(ShopApp.self, from: data)
      #expect(state == entry.state)
      store.replaceState(state)
      #expect(store.state == entry.state)
    }
  }
}
