import Lensed
import LensedTestSupport
import LensedTesting
import Testing

@Suite(
  "Asynchronous reducers: a page loads, and its bindings see each state",
  .timeLimit(.minutes(30)))
struct ProductPageLoadingTests {
  @Test
  func `bindings get the initial state at creation, in order, and then start, loading, product`()
    async throws
  {
    let shop = Warehouse()
    let store = try shop.store()
    let (log, absent) = (Recorder<String>(), nil as (@Sendable (ProductPage) -> Void)?)
    let bindings: [(@Sendable (ProductPage) -> Void)?] = [
      { log.append("a \($0)") }, absent, { log.append("b \($0)") },
    ]
    let subscriptions = bindings.compactMap { $0 }.map { store.states(\.page).subscribe($0) }
    #expect(log.values == ["a start", "b start"])
    shop.product.open()
    try await store.dispatch(ProductEvent.load).finish()
    #expect(
      log.values.dropFirst(2) == [
        "a loading", "b loading", "a product(\"product\")", "b product(\"product\")",
      ])
    for subscription in subscriptions { subscription.cancel() }
  }

  @Test func `a fetch that fails gives start, loading, failed`() async throws {
    let shop = Warehouse(failing: ["product"])
    let test = try TestStore { try shop.store() }
    await test.dispatch(ProductEvent.load)
    await test.receive(outcomeOf: \.page) { $0.page = .loading }
    shop.product.open()
    await test.receive(outcomeOf: \.page) { $0.page = .failed }
    await test.finish()
  }

  @Test func `the whole way: load, zip with the user, add to the cart`() async throws {
    let shop = Warehouse()
    let test = try TestStore { try shop.store() }
    await test.dispatch([ProductEvent.load, .addToCart])
    await test.receive(outcomeOf: \.page) { $0.page = .loading }
    shop.product.open()
    await test.receive(outcomeOf: \.page) { $0.page = .product("product") }
    await test.receive(outcomeOf: \.page) { $0.page = .loading }
    shop.user.open()
    shop.cart.open()
    await test.receive(outcomeOf: \.page) { $0.page = .inCart("product", "cart of user") }
    await test.finish()
  }
}

@Suite("Asynchronous reducers: events run one after another", .timeLimit(.minutes(30)))
struct ProductPageQueueTests {
  @Test func `first in, first out, each given the final state of the one before`() async throws {
    let shop = Warehouse()
    let test = try TestStore { try shop.store() }
    await test.dispatch(ProductEvent.load)
    await test.dispatch(ProductEvent.addToCart)
    await test.dispatch(ProductEvent.load)
    await test.receive(outcomeOf: \.page) { $0.page = .loading }
    #expect(shop.given.values == [.start])
    for gate in [shop.product, shop.user, shop.cart] { gate.open() }
    await test.receive(outcomeOf: \.page) { $0.page = .product("product") }
    await test.receive(outcomeOf: \.page) { $0.page = .loading }
    await test.receive(outcomeOf: \.page) { $0.page = .inCart("product", "cart of user") }
    await test.receive(outcomeOf: \.page) { $0.page = .loading }
    await test.receive(outcomeOf: \.page) { $0.page = .product("product") }
    await test.finish()
    #expect(shop.given.values == [.start, .product("product"), .inCart("product", "cart of user")])
  }

  @Test func `the event is a commit that is handled; loading and value are commits of their own`()
    async throws
  {
    let shop = Warehouse()
    let store = try shop.store()
    var changes = store.changes().makeAsyncIterator()
    shop.product.open()
    try await store.dispatch(ProductEvent.load).finish()
    var seen: [Change<Shopfront>] = []
    while seen.count < 3, let change = await changes.next() { seen.append(change) }
    #expect(seen.map(\.cause) == [.action, .placeholder, .asyncResult])
    #expect(seen.map(\.revision) == [1, 2, 3])
    #expect(seen.map(\.isHandled) == [true, true, true])
    #expect(seen.map { $0.touches(\.page) } == [false, true, true])
    #expect(seen.map(\.state.page) == [.start, .loading, .product("product")])
    #expect(seen[0].action as? ProductEvent == .load)
    #expect(seen[1].action == nil)
  }
}

@Suite("Asynchronous reducers: failure, and what follows each event", .timeLimit(.minutes(30)))
struct ProductPageFailureTests {
  @Test(.warnsOnPurpose)
  func `an unrecovered failure is reported, leaves the page as it was, and the next event runs`()
    async throws
  {
    let shop = Warehouse(failing: ["product"])
    let errors = Recorder<String>()
    let store = try shop.store(recovers: false, errors: errors)
    let pages = Recorder<ProductPage>()
    let subscription = store.states(\.page).subscribe { pages.append($0) }
    shop.product.open()
    try await store.dispatch(ProductEvent.load).finish()
    #expect(errors.count == 1)
    #expect(errors.last?.contains("`page`") == true)
    #expect(errors.last?.contains("load") == true)
    shop.fails.append([])
    try await store.dispatch(ProductEvent.load).finish()
    #expect(pages.values == [.start, .loading, .start, .loading, .product("product")])
    subscription.cancel()
  }

  @Test(.warnsOnPurpose)
  func `what follows each event is given its final state, before the next one runs`()
    async throws
  {
    let log = Recorder<String>()
    let store = try Store(initialState: Shopfront(), coverage: .partial) {
      AsyncMutator(\Shopfront.page) { (page: ProductPage, event: ProductEvent) in
        log.append("reduce \(event) in \(page)")
        return event == .load
          ? AsyncResult(value: .product("p")) : AsyncResult(error: ShopFailure(what: "cart"))
      }
      .afterEach { page, event in log.append("after \(event): \(page)") }
    }
    try await store.dispatch([ProductEvent.load, .addToCart, .load]).finish()
    #expect(
      log.values == [
        "reduce load in start", "after load: product(\"p\")",
        "reduce addToCart in product(\"p\")",
        "reduce load in product(\"p\")", "after load: product(\"p\")",
      ])
  }
}
