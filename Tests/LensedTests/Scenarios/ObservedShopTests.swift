import Lensed
import LensedTestSupport
import Observation
import Testing

@Suite("The store works with Observation; a binding reads a part and writes it by an action")
@MainActor
struct FlowObservationTests {
  private struct Shop: Sendable, Equatable {
    var products: [String] = []
    var query = ""

    var found: [String] { products.filter { query.isEmpty || $0.contains(query) } }
  }

  private enum ShopAction: Action, Hashable {
    case add(String)
    case remove(String)
  }

  private enum SearchAction: Action, Hashable {
    case search(String)
  }

  /// A view with a list and a search field.
  @MainActor
  private struct ShopView {
    @Bindable var store: ObservedStore<Shop>

    var list: [String] { store.found }
    var field: Bindable<ObservedStore<Shop>>.Binding<String> {
      $store[\.query, send: .action("query", SearchAction.search)]
    }
  }

  private let store: Store<Shop>
  private let view: ShopView

  init() throws {
    store = try Store(initialState: Shop(products: ["alien", "brazil"])) {
      Mutator(\.products) { (products: inout [String], action: ShopAction) in
        switch action {
        case .add(let product): products.append(product)
        case .remove(let product): products.removeAll { $0 == product }
        }
      }
      Mutator(\.query) { (query: inout String, action: SearchAction) in
        if case .search(let text) = action { query = text }
      }
    }
    view = ShopView(store: ObservedStore(store))
  }

  @Test func `a view is drawn anew for what it read, and for nothing else`() {
    let (lists, fields) = (
      Onlooker { [view] in _ = view.list }, Onlooker { [view] in _ = view.field.value }
    )
    view.store.dispatch(ShopAction.add("cube"))
    #expect(lists.count == 1)
    #expect(fields.count == 0)
    lists.look()
    view.store.dispatch(SearchAction.search(""))
    #expect(lists.count == 1, "the same query finds the same")
    #expect(fields.count == 0)
  }

  @Test func `a two-way binding writes by an action, and reads what became of it`() async {
    let field = view.field
    var changes = store.changes().makeAsyncIterator()
    field.value = "alien"
    #expect(field.value == "alien")
    #expect(view.list == ["alien"])
    #expect(await changes.next()?.action as? SearchAction == .search("alien"))
    store.dispatch(SearchAction.search("b"))
    await look { field.value == "b" }
    #expect(view.list == ["brazil"])
  }
}
