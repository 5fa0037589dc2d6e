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
