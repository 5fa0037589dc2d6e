import Lensed
import LensedTestSupport
import LensedTesting
import Testing

@Suite("An asynchronous reducer asks for state from above, by its type", .timeLimit(.minutes(30)))
struct GivenAsyncTests {
  typealias Shop = GivenShop
  typealias Row = GivenShop.Row
  typealias Settings = GivenShop.Settings
  typealias Reprice = GivenShop.Reprice
  enum Left {}

  private static let price = AsyncMutator(\Row.price) { (price: Int, action: Shop.SetFactor) in
    AsyncResult(value: price)
  }
  .on(Reprice.self, given: Settings.self) { price, _, settings in
    AsyncResult { price * settings.factor }
  }

  /// A feature that asks.
  private let row = Feature<Row> {
    Constant(\.id)
    price
  }

  @Test func `a value is given through every lift and tag, to each child its own`() async throws {
    let row = row
    let board = Feature<Shop.Board> {
      row.identified().lifted(\.cards, giving: \.settings)
    }
    let store = try Store(initialState: Shop(), coverage: .partial, onWarning: { _ in }) {
      row.lifted(action: Shop.Wide.reprice).lifted(\Shop.plain, giving: \.settings)
      row.identified().lifted(\.rows, giving: \.settings)
      row.tagged(Int.self).identified().lifted(\.entities, giving: \.doubled)
      row.keyed(by: String.self).lifted(\.byKey).giving(\.others).giving(\.settings)
      row.optional().tagged(Left.self).lifted(\.sheet).giving(Settings(factor: 5))
      row.matching(Shop.Screen.open).lifted(\.screen, giving: \.settings).tagged(Bool.self)
      board.identified().lifted(\.boards)
    }
    for action: any Action in [
      Shop.Wide.reprice(Reprice()), Shop.Wide.other, Reprice().element(8),
      Reprice().tagged(Int.self).element(3), Reprice().element("x"), Reprice().tagged(Left.self),
      Reprice().tagged(Bool.self), Reprice().element(2).element(1), Reprice().element(2).element(2),
    ] {
      try await store.dispatch(action).finish()
    }
    #expect(store.plain.price == 10)
    #expect(store.rows == [Row(id: 7), Row(id: 8, price: 10)])
    #expect(store.entities[id: 3]?.price == 20)
    // The nearest gives.
    #expect(store.byKey["x"]?.price == 7)
    #expect(store.sheet?.price == 5)
    #expect(store.screen == .open(Row(id: 4, price: 10)))
    #expect(store.boards.map { $0.cards.map(\.price) } == [[1, 100], [1, 200]])
  }

  @Test func `it is the current one when the turn of the event has come`() async throws {
    let (gate, began) = (Gate(), Gate())
    let waiting = Self.price.on(Shop.Wide.self) { price, _ in
      AsyncResult {
        began.open()
        try await gate.wait()
        return price
      }
    }
    let store = try Store(initialState: Shop(), coverage: .partial) {
      Shop.setting
      Feature { waiting }.lifted(\Shop.plain, giving: \.settings)
    }
    store.dispatch(Shop.Wide.other)
    let waits = store.dispatch(Reprice())
    try await began.wait()
    store.dispatch(Shop.SetFactor(factor: 3))
    gate.open()
    try await waits.finish()
    #expect(store.plain.price == 3)
  }

  @Test func `an event whose child has gone before its turn asks for nothing`() async throws {
    struct Remove: Action { var id: Int }
    let (gate, began) = (Gate(), Gate())
    let waiting = Self.price.on(Shop.Wide.self) { price, _ in
      AsyncResult {
        began.open()
        try? await gate.wait()
        return price
      }
    }
    let store = try Store(initialState: Shop(), coverage: .partial) {
      Mutator(\.rows) { (rows: inout [Row], action: Remove) in
        rows.removeAll { $0.id == action.id }
      }
      Feature { waiting }.identified().lifted(\Shop.rows, giving: \.settings)
    }
    store.dispatch(Shop.Wide.other.element(7))
    let waits = store.dispatch(Reprice().element(7))
    try await began.wait()
    store.dispatch(Remove(id: 7))
    gate.open()
    _ = try? await waits.finish()
    try await store.dispatch(Reprice().element(8)).finish()
    #expect(store.rows == [Row(id: 8, price: 10)])
  }

  @Test func `a type that nobody gives is an error that names who asks and where`() throws {
    let line: UInt = #line + 2
    let price = AsyncMutator(\Row.price) { (price: Int, _: Shop.SetFactor) in .init(value: price) }
      .on(Reprice.self, given: Settings.self) { price, _, _ in AsyncResult(value: price) }
    let fault = RegistrationError.Fault.notGiven(
      type: "Settings", asker: "the reducer of `price` of `Row`", site: "\(#fileID):\(line)")
    let row = Feature<Row> { price }
    func expectFault(@StoreBuilder<Shop> _ parts: () -> [StorePart<Shop>]) {
      let error = #expect(throws: RegistrationError.self) {
        try Store(initialState: Shop(), coverage: .partial, parts: parts)
      }
      #expect(error?.faults == [fault])
    }
    expectFault { row.lifted(\.plain) }
    expectFault { row.tagged(Left.self).identified().lifted(\.rows) }
    expectFault { row.lifted(action: Shop.Wide.reprice).lifted(\.plain, giving: \.plain.price) }
    expectFault { price.lifted(\Shop.plain) }
  }

  @Test func `alone it is given a constant, and who gives it is not warned`() async throws {
    let warnings = Recorder<StoreWarning>()
    let store = try Store(
      initialState: Row(), row.giving(Settings(factor: 4)), onWarning: { warnings.append($0) })
    try await store.dispatch([Reprice(), Reprice()]).finish()
    #expect(store.price == 16)
    #expect(warnings.values.map(\.kind) == [])
  }

  // MARK: In the place of another

  @Test func `a mutator that takes the place of another is given what that place is given`()
    async throws
  {
    let row = Feature<Row> {
      Constant(\.id)
      Mutator(\.price) { (price: inout Int, _: Shop.SetFactor) in price = 0 }
    }
    let store = try Store(initialState: Shop(), coverage: .partial, onWarning: { _ in }) {
      Feature { row.lifted(\Shop.plain, giving: \.settings) }.giving(\.others)
    }
    try store.replace(Shop.price.lifted(\Shop.plain))
    store.dispatch(Reprice())
    #expect(store.plain.price == 10)
    try store.replace(Self.price.lifted(\Shop.plain))
    try await store.dispatch(Reprice()).finish()
    #expect(store.plain.price == 100)
    // And back, with what asks for nothing in between.
    try store.replace(Mutator(\Shop.plain.price) { (price: inout Int, _: Reprice) in price = 2 })
    store.dispatch(Reprice())
    try store.replace(Shop.price.lifted(\Shop.plain))
    store.dispatch(Reprice())
    #expect(store.plain.price == 20)
  }

  @Test func `where the place is given no such value, it is refused, and nothing changes`() throws {
    let store = try Store(initialState: Shop(), coverage: .partial, onWarning: { _ in }) {
      Shop.setting
      Mutator(\Shop.plain.price) { (price: inout Int, _: Reprice) in price += 1 }
      Shop.row.identified().lifted(\Shop.rows, giving: \.settings)
    }
    let line: UInt = #line + 2
    let asking = Mutator(\Row.price) { (_: inout Int, _: Shop.SetFactor) in }
      .on(Reprice.self, given: Settings.self) { price, _, _ in price = 0 }
      .lifted(\Shop.plain)
    let fault = RegistrationError.Fault.notGiven(
      type: "Settings", asker: "the reducer of `price` of `Row`", site: "\(#fileID):\(line)")
    let error = #expect(throws: RegistrationError.self) { try store.replace(asking) }
    #expect(error?.faults == [fault])
    let other = #expect(throws: RegistrationError.self) {
      try store.replace(Self.price.lifted(\Shop.plain))
    }
    #expect(other?.faults.count == 1)
    store.dispatch(Reprice())
    #expect(store.plain.price == 2)
  }
}
