import Lensed
import LensedTestSupport
import Testing

@Suite("The state can be read and not written")
struct FlowReadOnlyTests {
  // That `store.state = …` and `store.products = …` do not compile is a fact of compile time. Its
  // trace at run time is that none of the ways to the state is a writable key path.
  @Test func `no way to the state is writable`() throws {
    let ways: [PartialKeyPath<Store<ShopState>>] = [
      \.state, \.state.products, \.products, \.products.count, \.asScope,
    ]
    for way in ways {
      #expect(!(way is ReferenceWritableKeyPath<Store<ShopState>, ShopState>), "\(way)")
      #expect(!(way is ReferenceWritableKeyPath<Store<ShopState>, [String]>), "\(way)")
      #expect(!"\(type(of: way))".contains("Writable"), "\(way)")
    }
    let control: PartialKeyPath<ShopState> = \.products
    #expect("\(type(of: control))".contains("Writable"), "the check can fail")
  }

  @Test func `what was read is a value, and only actions change the store's`() throws {
    let store = try Store(initialState: ShopState(products: ["p1"])) {
      Mutator(\.self, ShopState.reducer)
    }
    var copy = store.state
    copy.products.append("mine")
    #expect(store.products == ["p1"])
    store.dispatch(ShopAction.add("p2"))
    #expect(store.products == ["p1", "p2"])
    #expect(copy.products == ["p1", "mine"])
  }
}

@Suite("A reducer is tested alone")
struct FlowReducerTests {
  @Test func `remove p1 from p1 gives nothing, and no store is needed`() {
    var shop = ShopState(products: ["p1"])
    ShopState.reducer.reduce(&shop, ShopAction.remove("p1"))
    #expect(shop == ShopState(products: []))
  }

  @Test func `add, and remove of what is not there`() {
    var shop = ShopState()
    ShopState.reducer.reduce(&shop, [ShopAction.add("p1"), .remove("p2"), .add("p3")])
    #expect(shop == ShopState(products: ["p1", "p3"]))
  }
}

@Suite("A store is made from any initial state, for a preview")
struct FlowPreviewTests {
  private static let states = [
    SearchState(), SearchState(results: [], isLoading: true),
    SearchState(results: ["a", "b"], isLoading: false),
    SearchState(results: (0..<1000).map(String.init), isLoading: true),
  ]

  @Test(arguments: Self.states)
  private func `it is in that state, shows it, and works, with nothing mocked`(
    _ state: SearchState
  ) async throws {
    let store = try Store(initialState: state) { Mutator(\.self, SearchState.reducer) }
    var shown = store.states.makeAsyncIterator()
    #expect(store.state == state)
    #expect(await shown.next() == state)
    store.dispatch(SearchAction.setResults(["c"]))
    #expect(await shown.next() == SearchState(results: ["c"]))
  }
}

@Suite("A store per feature, or features in one store")
struct FlowModularTests {
  private struct App: Sendable, Equatable {
    var shop = ShopState()
    var search = SearchState()
  }

  /// What a feature of its own module would offer.
  private static let shopMutator = Mutator(\ShopState.self, ShopState.reducer)
  private static let searchMutator = Mutator(\SearchState.self, SearchState.reducer)

  private static let script: [any Action] = [
    ShopAction.add("p1"), SearchAction.search("p"), ShopAction.add("p2"),
    SearchAction.setResults(["p1"]), ShopAction.remove("p1"),
  ]

  @Test(.warnsOnPurpose) func `a store per feature, each deaf to the other's actions`() throws {
    let shop = try Store(initialState: ShopState()) { Self.shopMutator }
    let search = try Store(initialState: SearchState()) { Self.searchMutator }
    shop.dispatch(Self.script)
    search.dispatch(Self.script)
    #expect(shop.state == ShopState(products: ["p2"]))
    #expect(search.state == SearchState(query: "p", results: ["p1"]))
  }

  @Test func `the features' mutators lifted into one app store give the same`() throws {
    let app = try Store(initialState: App()) {
      Self.shopMutator.lifted(Lens(\.shop))
      Self.searchMutator.lifted(Lens(\.search))
    }
    app.dispatch(Self.script)
    #expect(
      app.state
        == App(
          shop: ShopState(products: ["p2"]), search: SearchState(query: "p", results: ["p1"])))
  }

  @Test func `a feature's view takes a scope of the app's store as it takes a store`() throws {
    func buy(_ product: String, in shop: some StateObserving<ShopState>) -> Int {
      shop.dispatch(ShopAction.add(product))
      return shop.products.count
    }
    let app = try Store(initialState: App()) {
      Self.shopMutator.lifted(Lens(\.shop))
      Self.searchMutator.lifted(Lens(\.search))
    }
    let shop = try Store(initialState: ShopState()) { Self.shopMutator }
    #expect(buy("p1", in: app.scope(\.shop)) == 1)
    #expect(buy("p1", in: shop) == 1)
    #expect(app.shop == shop.state)
  }
}

@Suite("Reducers lift, combine, and have an identity")
struct FlowCompositionTests {
  private struct Mall: Sendable, Equatable {
    var main = ShopState(products: ["p1"])
    var popUp: ShopState?
    var byCity = ["Rome": ShopState(), "Oslo": ShopState()]
    var byFloor = [ShopState(), ShopState()]
    var entrance = Entrance.closed
  }

  private enum Entrance: Sendable, Equatable {
    case closed
    case open(ShopState)

    static let open = Prism<Entrance, ShopState>(
      embed: Entrance.open, extract: { if case .open(let shop) = $0 { shop } else { nil } })
  }

  private static let mall = Reducer<Mall>.combine(
    .identity,
    ShopState.reducer.lifted(Lens(\.main)),
    ShopState.reducer.optional().lifted(Lens(\.popUp)),
    ShopState.reducer.keyed(by: String.self).lifted(Lens(\.byCity)),
    ShopState.reducer.offset().lifted(Lens(\.byFloor)),
    ShopState.reducer.matching(Entrance.open).lifted(Lens(\.entrance)))

  @Test func `through a key path and a prism, over an optional, a dictionary and an array`() {
    var mall = Mall(popUp: ShopState(), entrance: .open(ShopState()))
    Self.mall.reduce(&mall, ShopAction.add("p2"))
    Self.mall.reduce(&mall, ElementAction(id: "Oslo", action: ShopAction.add("p3")))
    Self.mall.reduce(&mall, ElementAction(id: 1, action: ShopAction.add("p4")))
    #expect(
      mall
        == Mall(
          main: ShopState(products: ["p1", "p2"]), popUp: ShopState(products: ["p2"]),
          byCity: ["Rome": ShopState(), "Oslo": ShopState(products: ["p3"])],
          byFloor: [ShopState(), ShopState(products: ["p4"])],
          entrance: .open(ShopState(products: ["p2"]))))
  }

  @Test func `a nil and another case are left untouched`() {
    var mall = Mall()
    Self.mall.reduce(&mall, ShopAction.remove("p1"))
    #expect(mall == Mall(main: ShopState()))
  }

  @Test func `a missing key and an offset out of range leave the state untouched`() {
    var mall = Mall()
    Self.mall.reduce(&mall, ElementAction(id: "Paris", action: ShopAction.add("p")))
    Self.mall.reduce(&mall, ElementAction(id: 2, action: ShopAction.add("p")))
    Self.mall.reduce(&mall, ElementAction(id: -1, action: ShopAction.add("p")))
    #expect(mall == Mall())
  }

  @Test(.warnsOnPurpose) func `the same holds in a store, where nobody is woken`() throws {
    let store = try Store(initialState: Mall()) { Mutator(\.self, Self.mall) }
    let heard = Recorder<Mall>()
    let subscription = store.states.subscribe { heard.append($0) }
    store.dispatch([
      ElementAction(id: "Paris", action: ShopAction.add("p")),
      ElementAction(id: 2, action: ShopAction.add("p")),
    ])
    #expect(heard.values == [Mall()])
    store.dispatch(ShopAction.remove("p1"))
    #expect(heard.values == [Mall(), Mall(main: ShopState())])
    subscription.cancel()
  }
}
