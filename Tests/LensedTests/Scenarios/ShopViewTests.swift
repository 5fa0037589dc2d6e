import Lensed
import LensedTestSupport
import Testing

@Suite("Several features in one app, and a view of them", .timeLimit(.minutes(30)))
@MainActor
struct ShopViewTests {
  /// A view with a search field, a list of what was found, and a spinner.
  @MainActor
  private struct SearchView {
    @Bindable var store: ObservedStore<ShopApp>

    var field: Bindable<ObservedStore<ShopApp>>.Binding<String> {
      $store[\.search.query, send: .action("query", SearchAction.search)]
    }
    var list: [String] { store[\.search.results] }
    var isSpinning: Bool { store[\.search.isLoading] }
    var shelf: [String] { store[\.shop.products] }
  }

  private let network = ShopNetwork()

  @Test func `typing searches, what is found is shown, and each part is drawn for itself`()
    async throws
  {
    let store = try ShopApp.makeStore(network: network)
    let view = SearchView(store: ObservedStore(store))
    let shelves = Onlooker { [view] in _ = view.shelf }
    let lists = Onlooker { [view] in _ = view.list }
    var changes = store.changes().makeAsyncIterator()
    view.field.value = "cube"
    #expect(view.field.value == "cube")
    #expect(view.isSpinning)
    #expect(lists.count == 0, "nothing was found yet")
    #expect(await changes.next()?.action as? SearchAction == .search("cube"))
    await network.request("cube").answer(["cube"])
    await look { !view.isSpinning }
    #expect(view.list == ["cube"])
    #expect(lists.count == 1)
    #expect(shelves.count == 0)
    view.store.dispatch(ShopAction.add("cube"))
    #expect(view.shelf == ["cube"])
    #expect(shelves.count == 1)
  }

  @Test func `the search works in a store of its own as it does in the app`() async throws {
    let feature = try Store(initialState: SearchState(), SearchState.feature(of: network))
    let app = try ShopApp.makeStore(network: network)
    let tasks = [
      feature.dispatch(SearchAction.search("cube")),
      app.scope(\.search).dispatch(SearchAction.search("cube")),
    ]
    for number in 1...2 { await network.request("cube", number: number).answer(["cube"]) }
    for task in tasks { try await task.finish() }
    #expect(feature.state == SearchState(query: "cube", results: ["cube"]))
    #expect(app.state == ShopApp(search: feature.state))
  }
}
