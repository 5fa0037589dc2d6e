import Lensed
import LensedTestSupport
import LensedTesting
import Testing

@Suite("What is derived asks for state from above, by its type", .timeLimit(.minutes(30)))
@MainActor
struct GivenDerivedTests {
  typealias Shop = GivenShop
  typealias Row = GivenShop.Row
  typealias Settings = GivenShop.Settings
  typealias Reprice = GivenShop.Reprice
  enum Left {}

  private let count = Recorder<Int>()

  private var total: Derived<Row, Int> {
    let count = count
    return Derived(\Row.price, .given(Settings.self)) { price, settings in
      count.append(price)
      return price * settings.factor
    }
  }

  private func makeStore() throws -> Store<Shop> {
    try Store(initialState: Shop(), coverage: .partial, onWarning: { _ in }) {
      Shop.setting
      Mutator(\Shop.others) { (_: inout Settings, _: Shop.Wide) in }
      Shop.row.identified().lifted(\.rows, giving: \.settings)
      Shop.row.tagged(Double.self).identified().lifted(\.entities, giving: \.doubled)
      Shop.row.optional().tagged(Left.self).lifted(\.sheet, giving: \.others)
      Shop.row.matching(Shop.Screen.open).tagged(Int.self).lifted(\.screen, giving: \.settings)
      Shop.row.tagged(Bool.self).lifted(\.plain).giving(Settings(factor: 1_000))
      Shop.boards
    }
  }

  @Test func `a scope gives it, by properties, ids, optionals and cases`() throws {
    let (store, total) = (try makeStore(), total)
    #expect(store.scope(\.rows, id: 7)?[total] == 10)
    #expect(store.scope(\.sheet)?[total] == 7)
    #expect(store.scope(\.screen, matching: Shop.Screen.open)?[total] == 10)
    #expect(store.scope(\.plain)[total] == 1_000)
    #expect(store[total.lifted(\Shop.plain)] == 1_000)
    let boards = [1, 2].compactMap { store.scope(\.boards, id: $0) }
    #expect(boards.map { $0.scope(\.cards, id: 2)?[total] } == [100, 200])
    #expect(store.scope(\.rows, id: 7)?[.given(Settings.self)] == Settings())
  }

  @Test func `it is the current one, and computed when an input was touched`() throws {
    let (store, total) = (try makeStore(), total)
    let row = try #require(store.scope(\.rows, id: 7))
    #expect(row[total] == 10)
    #expect(row[total] == 10)
    #expect(count.values.count == 1)
    store.dispatch(Shop.SetFactor(factor: 3))
    #expect(row[total] == 3)
    #expect(count.values.count == 2)
    // An equal value is none, and neither is what another row does.
    store.dispatch(Shop.SetFactor(factor: 3))
    store.dispatch(ElementAction(id: 8, action: Reprice()))
    store.dispatch(Shop.Wide.other)
    #expect(row[total] == 3)
    #expect(count.values.count == 2)
    row.dispatch(Reprice())
    #expect(row[total] == 9)
    #expect(store.scope(\.rows, id: 8)?[total] == 9)
  }

  @Test func `the nearest one is asked where a part begins where what holds it does`() throws {
    struct Page: Sendable {
      var row = Row()
      var near = Settings(factor: 3)
    }
    let total = total
    let both = Derived<Page, [Int]>(.given(Settings.self), total.lifted(\Page.row)) {
      [$0.factor, $1]
    }
    let store = try Store(
      initialState: Page(),
      Feature<Page> {
        Constant(\.near)
        Shop.row.lifted(\.row, giving: \.near)
      }
      .needing(Settings.self)
      .giving(Settings(factor: 100)))
    #expect(store[both] == [100, 3])
  }

  @Test func `its streams are woken by the owners of what is given`() throws {
    let (store, total) = (try makeStore(), total)
    let row = try #require(store.scope(\.rows, id: 7))
    let seen = Recorder<Int>()
    let subscription = row.states(total).subscribe { seen.append($0) }
    store.dispatch(Shop.SetFactor(factor: 3))
    store.dispatch(Shop.SetFactor(factor: 3))
    store.dispatch(ElementAction(id: 8, action: Reprice()))
    row.dispatch(Reprice())
    #expect(seen.values == [10, 3, 9])
    subscription.cancel()
  }

  @Test func `the scope of a row of Entities gives it, and follows both`() throws {
    let (store, total) = (try makeStore(), total)
    let row = try #require(store.scope(\.entities, id: 3))
    let seen = Recorder<Int>()
    let subscription = row.states(total).subscribe { seen.append($0) }
    #expect(row[.given(Settings.self)] == Settings(factor: 20))
    store.dispatch(Shop.SetFactor(factor: 4))
    store.dispatch(Reprice().element(7))
    store.dispatch(Reprice().tagged(Double.self).element(3))
    #expect(row[total] == 64)
    #expect(seen.values == [20, 8, 64])
    subscription.cancel()
  }

  // MARK: In a change

  @Test func `the change of an effect gives it as its commit left it`() async throws {
    let (total, seen) = (total, Recorder<Int>())
    let effect = Effect<Row>(
      on: Reprice.self, .serial, when: { _, change in change[total] > 0 }
    ) { _, context in
      seen.append(context.change[total])
      context.dispatch(Shop.Wide.other)
      seen.append(context.change[.given(Settings.self)].factor)
    }
    let store = try Store(initialState: Shop(), coverage: .partial, onWarning: { _ in }) {
      Shop.setting
      Feature<Row> {
        Shop.row
        effect
      }
      .identified().lifted(\.rows, giving: \.settings)
      Feature<Row> {
        Shop.row
        effect
      }
      .lifted(\.plain).giving(Settings(factor: 100)).tagged(Left.self)
    }
    try await store.dispatch([Reprice().element(8), Shop.SetFactor(factor: 3)] as [any Action])
      .finish()
    try await store.dispatch(Reprice().tagged(Left.self)).finish()
    #expect(seen.values == [30, 3, 10_000, 100])
  }

  @Test func `what is given is touched with it, in the change of an effect`() async throws {
    struct Look: Action {}
    struct Raise: Action {}
    let (total, seen) = (total, Recorder<Bool>())
    let rate = Derived<Row, Settings>.given(Settings.self)
    let effect = Effect<Row>(on: Look.self, .serial) { _, context in
      seen.append(context.change.touches(total))
      seen.append(context.change.touches(rate))
    }
    let watch = Effect<Row>(
      whenChanged: total, .serial, when: { _, change in change.touches(rate) }
    ) { _, context in seen.append(context.change.touches(rate)) }
    let store = try Store(initialState: Shop(), coverage: .partial, onWarning: { _ in }) {
      Shop.setting.on(Raise.self) { settings, _ in settings.factor += 1 }
      Feature<Row> {
        Shop.row
        effect
        watch
      }
      .lifted(\.plain, giving: \.settings)
      Mutator(\Shop.others) { (_: inout Settings, _: Look) in }
    }
    for actions: [any Action] in [[Look()], [Look(), Raise()], [Look(), Reprice()]] {
      try await store.dispatch(actions).finish()
    }
    #expect(seen.values == [false, false, true, true, true, true, false])
  }

  #if os(Linux) || os(macOS)
    @Test func `a change of a stream cannot tell whether it was touched`() async throws {
      let result = try await #require(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        let total = Derived(\GivenShop.Row.price, .given(GivenShop.Settings.self)) {
          $0 * $1.factor
        }
        let store = try Store(initialState: GivenShop(), coverage: .partial) {
          GivenShop.setting
          GivenShop.row.lifted(\.plain, giving: \.settings)
        }
        var changes = store.scope(\.plain).changes().makeAsyncIterator()
        store.dispatch(GivenShop.SetFactor(factor: 3))
        if let change = await changes.next() { _ = change.touches(total) }
      }
      #expect(result.message.contains("was asked of a change, which has the state of its own part"))
    }

    @Test func `a change of a stream has none, and says where to ask`() async throws {
      let result = try await #require(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        let total = Derived(\GivenShop.Row.price, .given(GivenShop.Settings.self)) {
          $0 * $1.factor
        }
        let store = try Store(initialState: GivenShop(), coverage: .partial) {
          GivenShop.row.lifted(\.plain, giving: \.settings)
        }
        var changes = store.scope(\.plain).changes().makeAsyncIterator()
        store.dispatch(GivenShop.Reprice())
        if let change = await changes.next() { _ = change[total] }
      }
      #expect(result.message.contains("the derived `Int` made at "))
      #expect(result.message.contains("was asked of a change, which has the state of its own part"))
      #expect(result.message.contains("Ask the scope of that part, `scope[derived]`"))
    }

    @Test func `whether it differs is not told by a change, which says what does`() async throws {
      let result = try await #require(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        let total = Derived(\GivenShop.Row.price, .given(GivenShop.Settings.self)) {
          $0 * $1.factor
        }
        let store = try Store(initialState: GivenShop(), coverage: .partial) {
          GivenShop.row.lifted(\.plain, giving: \.settings)
        }
        let changes = store.scope(\.plain).changes(keepingPrevious: true)
        var iterator = changes.makeAsyncIterator()
        store.dispatch(GivenShop.Reprice())
        if let change = await iterator.next() { _ = change.didChange(total) }
      }
      #expect(result.message.contains("what was given before the commit is not kept"))
      #expect(result.message.contains("`Effect(whenChanged: derived)`"))
    }
  #endif

  // MARK: Observed, and far away

  @Test func `an observed store shows it`() throws {
    let (store, total) = (try makeStore(), total)
    let row = try #require(store.scope(\.rows, id: 7))
    let observed = ObservedStore(row)
    #expect(observed[total] == 10)
    observed.dispatch(Reprice())
    #expect(observed[total] == 100)
  }

  @Test func `what is derived of what asks, asks too`() throws {
    let store = try makeStore()
    let text = Derived(total, \Row.id) { "\($1): \($0)" }
    let both = Derived(
      text.lifted(\Shop.plain), total.lifted(\Shop.plain), \Shop.settings
    ) { "\($0) \($1) \($2.factor)" }
    #expect(store.scope(\.rows, id: 8)?[text] == "8: 10")
    #expect(store[both] == "5: 1000 1000 10")
    store.dispatch([Shop.SetFactor(factor: 2)])
    #expect(store.scope(\.rows, id: 8)?[text] == "8: 2")
    #expect(store[both] == "5: 1000 1000 2")
  }

  @Test func `a scope whose child has gone shows what was there`() throws {
    let (store, total) = (try makeStore(), total)
    let card = try #require(store.scope(\.boards, id: 2)?.scope(\.cards, id: 2))
    #expect(card[total] == 200)
    store.dispatch(Shop.Clear())
    #expect(card[total] == 200)
    #expect(store.scope(\.boards, id: 2) == nil)
  }

  @Test func `with a giver registered anew, it is the new one's`() throws {
    let (store, total) = (Store(initialState: Shop(), coverage: .partial), total)
    try store.register(Shop.row.lifted(\Shop.plain, giving: \.settings))
    #expect(store.scope(\.plain)[total] == 10)
    store.unregister(\.plain.price)
    store.unregister(\.plain.id)
    try store.register(Shop.row.lifted(\Shop.plain, giving: \.others))
    #expect(store.scope(\.plain)[total] == 7)
  }

  #if os(Linux) || os(macOS)
    @Test func `where several lifts lead to a part, it traps and names them`() async throws {
      let result = try await #require(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        let store = try Store(initialState: GivenShop(), coverage: .partial) {
          Feature<GivenShop.Row> { GivenShop.price }.lifted(\.plain, giving: \.settings)
          Feature<GivenShop.Row> { Effect(on: GivenShop.Reprice.self) { _, _ in } }
            .lifted(\.plain, giving: \.others)
        }
        _ = store.scope(\.plain)[.given(GivenShop.Settings.self)]
      }
      #expect(result.message.contains("asks for a given `Settings`"))
      #expect(result.message.contains("in `plain`, and several lifts give one there"))
      #expect(result.message.ranges(of: "GivenDerivedTests.swift:").count == 3)
    }

    @Test func `where nothing gives one, it traps and says what to do`() async throws {
      let result = try await #require(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        let store = try Store(initialState: GivenShop(), coverage: .partial) {
          GivenShop.row.lifted(\.plain, giving: \.settings)
        }
        _ = store.scope(\.rows, id: 7)?[.given(GivenShop.Settings.self)]
      }
      #expect(result.message.contains("in `rows`, and no feature gives one there"))
    }
  #endif
}

extension GivenShop {
  struct Clear: Action {}

  /// Boards that give their cards their own settings.
  @StoreBuilder<GivenShop> fileprivate static var boards: [StorePart<GivenShop>] {
    Mutator(\GivenShop.boards) { (boards: inout [Board], _: Clear) in boards = [] }
    Feature<Board> { row.tagged(String.self).identified().lifted(\.cards, giving: \.settings) }
      .identified().lifted(\.boards)
  }
}
