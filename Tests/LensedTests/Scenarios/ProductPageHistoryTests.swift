import Lensed
import LensedTestSupport
import Testing

@Suite("The history of all states, bounded", .timeLimit(.minutes(30)))
struct ProductPageHistoryTests {
  /// A page whose commits are kept, and whose answers have all come.
  private func page(
    limit: Int, failing: Set<String> = [], recovers: Bool = true
  ) throws -> (store: Store<Shopfront>, shop: Warehouse, history: History<Shopfront>) {
    let (shop, history) = (Warehouse(failing: failing), History<Shopfront>(limit: limit))
    for gate in [shop.product, shop.user, shop.cart] { gate.open() }
    return (try shop.store(recovers: recovers, middleware: [history]), shop, history)
  }

  @Test func `the initial state and final states, in order, and no loading states`() async throws {
    let (store, _, history) = try page(limit: 100)
    try await store.dispatch(ProductEvent.load).finish()
    try await store.dispatch(ProductEvent.addToCart).finish()
    let entries = history.entries
    #expect(
      entries.map(\.state.page) == [
        .start,
        .start, .product("product"),
        .product("product"), .inCart("product", "cart of user"),
      ])
    // An event is a commit too: it leaves the page to what it queued.
    #expect(
      entries.map(\.cause) == [
        .replacement,
        .action, .asyncResult,
        .action, .asyncResult,
      ])
    #expect(
      entries.map { $0.action as? ProductEvent } == [nil, .load, nil, .addToCart, nil])
    #expect(entries.map(\.revision) == [0, 1, 3, 4, 6])
  }

  @Test func `with a failure that was recovered, and with one that nobody recovered`() async throws
  {
    for recovers in [true, false] {
      let (store, _, history) = try page(limit: 100, failing: ["product"], recovers: recovers)
      try await store.dispatch(ProductEvent.load).finish()
      #expect(
        history.entries.map(\.state.page)
          == (recovers ? [.start, .start, .failed] : [.start, .start]))
    }
  }

  @Test(arguments: 1...4)
  func `the limit keeps the newest, and the state that they begin with`(_ limit: Int) async throws {
    let (whole, bounded) = (try page(limit: 100), try page(limit: limit))
    for store in [whole.store, bounded.store] {
      try await store.dispatch(ProductEvent.load).finish()
      try await store.dispatch(ProductEvent.addToCart).finish()
    }
    let (all, kept) = (whole.history.entries, bounded.history.entries)
    #expect(kept.count == limit + 1)
    #expect(kept.map(\.state) == all.suffix(limit + 1).map(\.state))
    #expect(kept.map(\.revision) == all.suffix(limit + 1).map(\.revision))
  }

  @Test func `undone, a loaded page is as it was before, and the next event begins from there`()
    async throws
  {
    let (store, shop, history) = try page(limit: 100)
    try await store.dispatch(ProductEvent.load).finish()
    #expect(history.undo())
    #expect(store.page == .start)
    #expect(shop.given.values == [.start], "no reducer ran again")
    try await store.dispatch(ProductEvent.load).finish()
    #expect(shop.given.values == [.start, .start])
    #expect(
      history.entries.map(\.state.page) == [
        .start, .start, .start, .product("product"),
      ])
  }

  @Test func `undone while it runs, an event commits nothing any more`() async throws {
    let (shop, history) = (Warehouse(), History<Shopfront>(limit: 100))
    let store = try shop.store(middleware: [history])
    let load = store.dispatch(ProductEvent.load)
    await shop.product.waitForWaiters()
    #expect(history.jump(to: 0))
    shop.product.open()
    try? await load.finish()
    #expect(store.page == .start)
    #expect(history.entries.map(\.state.page) == [.start, .start])
    #expect(history.position == 0)
  }

  @Test func `replayed, it gives each state again, and asks nobody`() async throws {
    let (store, _, history) = try page(limit: 100)
    try await store.dispatch([ProductEvent.load, .addToCart]).finish()
    let session = try #require(RecordedSession(history))
    let fresh = try page(limit: 100)
    var pages: [ProductPage] = []
    fresh.store.replay(session) { _, state in pages.append(state.page) }
    #expect(pages == history.entries.dropFirst().map(\.state.page))
    #expect(fresh.store.state == store.state)
    #expect(fresh.shop.given.values == [])
  }

  @Test func `nor does an event run that is the last of what is replayed`() async throws {
    let (store, _, history) = try page(limit: 100)
    try await store.dispatch([ProductEvent.load, .addToCart]).finish()
    #expect(history.jump(to: 1))
    let session = try #require(RecordedSession(history))
    let fresh = try page(limit: 100)
    fresh.store.replay(session)
    // Had the events been queued, they would have run before this one.
    try await fresh.store.dispatch(ProductEvent.load).finish()
    #expect(fresh.shop.given.values == [.start])
  }
}
