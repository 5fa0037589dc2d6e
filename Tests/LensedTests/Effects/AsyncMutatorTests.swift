import LensedTestSupport
import Testing

@testable import Lensed

@Suite(
  "Asynchronous reducers: replacement, cancelling, registration, lifts", .timeLimit(.minutes(30)))
struct AsyncMutatorTests {
  @Test
  func `replacing the state cancels what runs and what waits, and no stale result is committed`()
    async throws
  {
    let shop = Warehouse()
    let errors = Recorder<String>()
    let store = try shop.store(recovers: false, errors: errors)
    let load = store.dispatch(ProductEvent.load)
    await shop.product.waitForWaiters()
    let waiting = store.dispatch(ProductEvent.addToCart)
    store.replaceState(Shopfront(page: .product("restored")))
    try? await load.finish()
    try? await waiting.finish()
    #expect(store.page == .product("restored"))
    #expect(shop.given.values == [.start])
    #expect(errors.values == [])
    for gate in [shop.user, shop.cart] { gate.open() }
    try await store.dispatch(ProductEvent.addToCart).finish()
    #expect(store.page == .inCart("restored", "cart of user"))
  }

  @Test func `work that ignores its cancellation commits nothing after a replacement`() async throws
  {
    let (gate, begun) = (Gate(), Gate())
    let store = try Store(initialState: Shopfront(), coverage: .partial) {
      AsyncMutator(\Shopfront.page) { (_: ProductPage, _: ProductEvent) in
        AsyncResult {
          begun.open()
          // A task of its own, which the cancellation does not reach.
          await Task { try? await gate.wait() }.value
          return .product("stale")
        }
      }
    }
    let task = store.dispatch(ProductEvent.load)
    try await begun.wait()
    store.replaceState(Shopfront(visits: 3))
    gate.open()
    try? await task.finish()
    #expect(store.state == Shopfront(visits: 3))
  }

  @Test func `cancelling the dispatch of an event gives the page back as it was`() async throws {
    let shop = Warehouse()
    let errors = Recorder<String>()
    let store = try shop.store(recovers: true, errors: errors)
    let load = store.dispatch(ProductEvent.load)
    await shop.product.waitForWaiters()
    #expect(store.page == .loading)
    load.cancel()
    await #expect(throws: CancellationError.self) { try await load.finish() }
    #expect(store.page == .start)
    #expect(errors.values == [])
  }

  @Test func `an event that was cancelled while it waited never runs`() async throws {
    let shop = Warehouse()
    let store = try shop.store()
    let load = store.dispatch(ProductEvent.load)
    await shop.product.waitForWaiters()
    let second = store.dispatch(ProductEvent.load)
    second.cancel()
    shop.product.open()
    try await load.finish()
    #expect(shop.given.values == [.start])
  }

  @Test(.warnsOnPurpose)
  func `unregistering cancels what runs, and its events are handled no more`() async throws {
    let shop = Warehouse()
    let store = try shop.store()
    let load = store.dispatch(ProductEvent.load)
    await shop.product.waitForWaiters()
    #expect(store.unregister(\.page))
    try? await load.finish()
    let other = store.dispatch(ProductEvent.load)
    try await other.finish()
    #expect(shop.given.values == [.start])
  }

  @Test func `one reducer for a property, whether it is asynchronous or not`() throws {
    let shop = Warehouse()
    let store = try shop.store()
    let error = #expect(throws: RegistrationError.self) {
      try store.register(Mutator(\Shopfront.page) { (_: inout ProductPage, _: CountAction) in })
    }
    #expect(error.map { "\($0)".contains("page") } == true)
    #expect(throws: RegistrationError.self) { try store.register(shop.mutator()) }
  }

  @Test func `an event in a dispatch with a focus traps with a sentence`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let store = try Warehouse().store()
      _ = store.dispatch(ProductEvent.load, focusingOn: \.page)
    }
    let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
    #expect(text.contains("focusingOn:"))
    #expect(text.contains("asynchronous reducer"))
  }

  @Test func `an event that waits for one behind it in the same line is told so`() async throws {
    let errors = Recorder<String>()
    let itself = WeakReference<Store<Shopfront>>()
    let store = try Store(
      initialState: Shopfront(), coverage: .partial, onEffectError: { errors.append("\($0)") }
    ) {
      AsyncMutator(\Shopfront.page) { (_: ProductPage, event: ProductEvent) in
        AsyncResult {
          if event == .load { try await itself.object?.dispatch(ProductEvent.addToCart).finish() }
          return .product("\(event)")
        }
      }
    }
    itself.refer(to: store)
    try await store.dispatch(ProductEvent.load).finish()
    #expect(errors.count == 1)
    #expect(errors.last?.contains("cannot end before") == true)
  }

  @Test(.warnsOnPurpose) func `lifted and tagged, two instances stay apart`() async throws {
    enum Left {}
    enum Right {}
    struct App: Sendable, Equatable {
      var left = Shopfront()
      var right = Shopfront()
    }
    let shop = Warehouse()
    shop.product.open()
    let store = try Store(initialState: App(), coverage: .partial) {
      shop.mutator().lifted(Lens(\App.left)).tagged(Left.self)
      shop.mutator().lifted(Lens(\App.right)).tagged(Right.self)
    }
    try await store.dispatch(ProductEvent.load.tagged(Left.self)).finish()
    #expect(store.left.page == .product("product"))
    #expect(store.right.page == .start)
    try await store.dispatch(ProductEvent.load).finish()
    #expect(store.right.page == .start)
  }

  @Test func `lifted to a wide action, and answering two types in one line`() async throws {
    enum Wide: Action { case product(ProductEvent), other }
    let prism = Prism<Wide, ProductEvent>(
      embed: Wide.product, extract: { if case .product(let event) = $0 { event } else { nil } })
    let shop = Warehouse()
    shop.product.open()
    let store = try Store(initialState: Shopfront(), coverage: .partial) {
      shop.mutator().on(TitleAction.self) { _, _ in AsyncResult(value: .failed) }
        .lifted(action: prism)
    }
    try await store.dispatch(Wide.product(.load)).finish()
    #expect(store.page == .product("product"))
    try await store.dispatch([Wide.other]).finish()
    #expect(store.page == .product("product"))
    try await store.dispatch(TitleAction.rename("x")).finish()
    #expect(store.page == .failed)
  }

  @Test func `a store that goes ends what runs`() async throws {
    let shop = Warehouse()
    var store: Store<Shopfront>? = try shop.store()
    let gone = WeakReference(store)
    let load = store?.dispatch(ProductEvent.load)
    await shop.product.waitForWaiters()
    store = nil
    try await load?.finish()
    #expect(gone.object == nil)
  }

  /// A text that calls a function the first time it is compared.
  private struct Compared: Sendable, Equatable {
    final class Comparison: Sendable {
      let call = Locked<(@Sendable () -> Void)?>(nil)
    }

    var text = ""
    /// Not compared, so that equal ones may differ in their bytes.
    var writes = 0
    let comparison: Comparison

    static func == (left: Compared, right: Compared) -> Bool {
      left.comparison.call.withLock { $0.take() }?()
      return left.text == right.text
    }
  }

  @Test(arguments: [false, true])
  func `a failure keeps what another owner wrote while it compared the part with the placeholder`(
    _ isOfThisRow: Bool
  ) async throws {
    struct Row: Sendable, Identifiable {
      let id: Int
      var page: Compared
    }
    struct Write: Action {
      var id = 1
      var text = "loading"
    }
    struct Failure: Error {}
    let (gate, comparison) = (Gate(), Compared.Comparison())
    struct App: Sendable { var rows: [Row] }
    let app = App(
      rows: [0, 1].map { Row(id: $0, page: Compared(text: "old", comparison: comparison)) })
    let store = try Store(initialState: app, coverage: .partial, onEffectError: { _ in }) {
      Mutator(\App.rows) { (rows: inout [Row], write: Write) in
        rows[write.id].page.text = write.text
        rows[write.id].page.writes += 1
      }
      Feature<Row> {
        AsyncMutator(\Row.page) { (page: Compared, _: ProductEvent) in
          AsyncResult {
            try await gate.wait()
            throw Failure()
          }
          .whileLoading(changed(page) { $0.text = "loading" })
        }
      }
      .identified().lifted(\App.rows)
    }
    let load = store.dispatch(ProductEvent.load.element(1))
    await gate.waitForWaiters()
    store.dispatch(Write())
    comparison.call.withLock {
      $0 = { [weak store] in store?.dispatch(Write(id: isOfThisRow ? 1 : 0, text: "new")) }
    }
    gate.open()
    try? await load.finish()
    #expect(comparison.call.withLock { $0 == nil })
    // What was written to another row is no reason to keep the placeholder.
    #expect(store.rows.map(\.page.text) == (isOfThisRow ? ["old", "new"] : ["new", "old"]))
  }

  @Test(arguments: [false, true])
  func `a failure looks once, however often others rows are written`(
    _ isReplaced: Bool
  ) async throws {
    struct Row: Sendable, Identifiable {
      let id: Int
      var page: Compared
    }
    struct Write: Action {
      var id = 0
    }
    struct Failure: Error {}
    struct App: Sendable { var rows: [Row] }
    let (gate, comparison, count) = (Gate(), Compared.Comparison(), Counter())
    let app = App(
      rows: [0, 1].map { Row(id: $0, page: Compared(text: "old", comparison: comparison)) })
    let store = try Store(initialState: app, coverage: .partial, onEffectError: { _ in }) {
      Mutator(\App.rows) { (rows: inout [Row], write: Write) in rows[write.id].page.writes += 1 }
      Feature<Row> {
        AsyncMutator(\Row.page) { (page: Compared, _: ProductEvent) in
          AsyncResult {
            try await gate.wait()
            throw Failure()
          }
          .whileLoading(changed(page) { $0.text = "loading" })
        }
      }
      .identified().lifted(\App.rows)
    }
    let load = store.dispatch(ProductEvent.load.element(1))
    await gate.waitForWaiters()
    // The placeholder has other bytes now, so that it is compared by `==`.
    store.dispatch(Write(id: 1))
    if isReplaced { store.replaceState(store.state) }
    @Sendable func rearm() {
      comparison.call.withLock {
        $0 = { [weak store] in
          count.increment()
          store?.dispatch(Write())
          if count.value < 100 { rearm() }
        }
      }
    }
    rearm()
    gate.open()
    try? await load.finish()
    #expect(count.value == (isReplaced ? 0 : 1))
    #expect(store.rows.map(\.page.text) == ["old", isReplaced ? "loading" : "old"])
  }
}
