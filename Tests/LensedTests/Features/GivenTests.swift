import Lensed
import LensedTestSupport
import LensedTesting
import Testing

/// A shop whose rows ask for its settings, at each kind of place.
struct GivenShop: Sendable, Equatable {
  struct Settings: Sendable, Equatable { var factor = 10 }

  struct Row: Sendable, Equatable, Identifiable {
    var id = 1
    var price = 1
  }

  enum Screen: Sendable, Equatable {
    case closed, open(Row)
    static let open = Prism<Screen, Row>(
      embed: { .open($0) }, extract: { if case .open(let row) = $0 { row } else { nil } })
  }

  struct Board: Sendable, Equatable, Identifiable {
    var id = 1
    var settings = Settings(factor: 100)
    var cards = [Row(id: 1), Row(id: 2)]
  }

  struct Reprice: Action {}
  struct SetFactor: Action { var factor: Int }
  enum Wide: Action {
    case reprice(Reprice), other
    static let reprice = Prism(Wide.reprice) {
      if case .reprice(let action) = $0 { action } else { nil }
    }
  }

  var settings = Settings()
  var others = Settings(factor: 7)
  var rows = [Row(id: 7), Row(id: 8)]
  var entities = (try? Entities([Row(id: 3)])) ?? Entities()
  var byKey = ["x": Row(id: 9)]
  var sheet: Row? = Row(id: 2)
  var screen = Screen.open(Row(id: 4))
  var plain = Row(id: 5)
  var boards = [Board(id: 1), Board(id: 2, settings: Settings(factor: 200))]

  var doubled: Settings { Settings(factor: 2 * settings.factor) }

  static let price = Mutator(\Row.price) { (price: inout Int, action: SetFactor) in }
    .on(Reprice.self, given: Settings.self) { price, _, settings in price *= settings.factor }

  /// A feature that asks.
  static let row = Feature<Row> {
    Constant(\.id)
    price
  }

  static let setting = Mutator(\GivenShop.settings) {
    (settings: inout Settings, action: SetFactor) in
    settings.factor = action.factor
  }
}

@Suite("A reducer asks for state from above, by its type", .timeLimit(.minutes(30)))
struct GivenTests {
  typealias Shop = GivenShop
  typealias Row = GivenShop.Row
  typealias Settings = GivenShop.Settings
  typealias Reprice = GivenShop.Reprice
  enum Left {}

  // MARK: Who gives

  @Test func `a value is given through every lift and tag`() throws {
    let row = Shop.row
    let store = try Store(initialState: Shop(), coverage: .partial) {
      row.lifted(action: Shop.Wide.reprice).lifted(\Shop.plain, giving: \.settings)
      row.identified().lifted(\.rows, giving: \.settings)
      row.tagged(Int.self).identified().lifted(\.entities, giving: \.settings)
      row.keyed(by: String.self).lifted(\.byKey, giving: \.settings)
      row.optional().tagged(Left.self).lifted(\.sheet, giving: \.settings)
      row.matching(Shop.Screen.open).lifted(\.screen, giving: \.settings).tagged(Bool.self)
      row.tagged(Double.self).offset().lifted(
        Lens(name: "boards", get: { $0.boards[0].cards }) {
          $1(&$0.boards[0].cards)
        }
      ).giving(\.doubled)
    }
    store.dispatch(Shop.Wide.reprice(Reprice()))
    store.dispatch(Shop.Wide.other)
    store.dispatch(ElementAction(id: 8, action: Reprice()))
    store.dispatch(ElementAction(id: 3, action: Reprice().tagged(Int.self)))
    store.dispatch(ElementAction(id: "x", action: Reprice()))
    store.dispatch(Reprice().tagged(Left.self))
    store.dispatch(Reprice().tagged(Bool.self))
    store.dispatch(ElementAction(id: 1, action: Reprice().tagged(Double.self)))
    #expect(store.plain.price == 10)
    #expect(store.rows == [Row(id: 7), Row(id: 8, price: 10)])
    #expect(store.entities[id: 3]?.price == 10)
    #expect(store.byKey["x"]?.price == 10)
    #expect(store.sheet?.price == 10)
    #expect(store.screen == .open(Row(id: 4, price: 10)))
    #expect(store.boards[0].cards.map(\.price) == [1, 20])
  }

  @Test func `two levels deep the nearest gives, and each parent its own`() throws {
    let board = Feature<Shop.Board> {
      Mutator(\.settings) { (_: inout Settings, _: Shop.SetFactor) in }
      Constant(\.id)
      Shop.row.identified().lifted(\.cards, giving: \.settings)
    }
    let far = Feature<Shop.Board> {
      Shop.row.tagged(Left.self).identified().lifted(\.cards)
    }
    let store = try Store(initialState: Shop(), coverage: .partial, onWarning: { _ in }) {
      board.identified().lifted(\.boards)
    }
    let other = try Store(initialState: Shop(), coverage: .partial) {
      far.identified().lifted(\.boards, giving: \.settings)
    }
    for id in 1...2 {
      store.dispatch(ElementAction(id: id, action: ElementAction(id: 2, action: Reprice())))
      other.dispatch(
        ElementAction(id: id, action: ElementAction(id: 2, action: Reprice().tagged(Left.self))))
    }
    #expect(store.boards.map { $0.cards.map(\.price) } == [[1, 100], [1, 200]])
    #expect(other.boards.map { $0.cards.map(\.price) } == [[1, 10], [1, 10]])
  }

  @Test func `of two that give one type, the nearest does`() throws {
    let inner = Shop.row.lifted(\Shop.plain, giving: \.others)
    let store = try Store(initialState: Shop(), coverage: .partial, onWarning: { _ in }) {
      inner.giving(\.settings)
    }
    store.dispatch(Reprice())
    #expect(store.plain.price == 7)
  }

  @Test func `two features ask two givers of one type, each its own`() throws {
    let store = try Store(initialState: Shop(), coverage: .partial) {
      Shop.row.lifted(\Shop.plain, giving: \.settings)
      Shop.row.optional().lifted(\Shop.sheet).giving(Lens(\Shop.others)).tagged(Left.self)
    }
    store.dispatch(Reprice())
    store.dispatch(Reprice().tagged(Left.self))
    #expect(store.plain.price == 10 && store.sheet?.price == 7)
  }

  @Test func `several types are given by several givers`() throws {
    struct Discount: Sendable { var less = 1 }
    struct App: Sendable {
      var settings = Settings()
      var discount = Discount()
      var row = Row()
    }
    let row = Feature<Row> {
      Shop.price.on(Shop.Reprice.self, given: Discount.self) { price, _, discount in
        price -= discount.less
      }
    }
    let store = try Store(initialState: App(), coverage: .partial) {
      row.lifted(\App.row).giving(\.settings).giving(\.discount)
    }
    store.dispatch(Reprice())
    #expect(store.row.price == 9)
  }

  // MARK: When it is read

  @Test(arguments: [true, false])
  func `it is as it was before the action, and before each member of an array`(_ isFirst: Bool)
    throws
  {
    struct Both: Action {}
    let setting = Shop.setting.on(Both.self) { settings, _ in settings.factor += 1 }
    let price = Mutator(\Row.price) { (_: inout Int, _: Shop.SetFactor) in }
      .on(Both.self, given: Settings.self) { price, _, settings in price = settings.factor }
    let row = Feature<Row> { price }
    let store = try Store(initialState: Shop(), coverage: .partial) {
      if isFirst { setting }
      row.lifted(\Shop.plain, giving: \.settings)
      if !isFirst { setting }
    }
    store.dispatch(Both())
    #expect(store.plain.price == 10 && store.settings.factor == 11)
    store.dispatch([Both(), Both()])
    #expect(store.plain.price == 12 && store.settings.factor == 13)
    store.dispatch([Shop.SetFactor(factor: 50), Both(), Shop.SetFactor(factor: 1)] as [any Action])
    #expect(store.plain.price == 50 && store.settings.factor == 1)
  }

  @Test func `a child that is not there asks for nothing, and nothing is left over`() throws {
    let store = try Store(initialState: Shop(), coverage: .partial, onWarning: { _ in }) {
      Shop.setting
      Shop.row.identified().lifted(\.rows, giving: \.settings)
    }
    store.dispatch(ElementAction(id: 1, action: Reprice()))
    store.dispatch(Shop.SetFactor(factor: 3))
    store.dispatch(ElementAction(id: 7, action: Reprice()))
    #expect(store.rows == [Row(id: 7, price: 3), Row(id: 8)])
  }

  @Test(.enabled(if: countsAllocations))
  func `who asks copies the value, and not what has it`() async {
    await #expect(processExitsWith: .success) {
      struct App: Sendable {
        var numbers = Array(repeating: 0, count: 100_000)
        var settings = GivenShop.Settings()
        var row = GivenShop.Row()
      }
      let store = try Store(initialState: App(), coverage: .partial) {
        Mutator(\App.numbers) { (numbers: inout [Int], _: GivenShop.Reprice) in numbers[0] += 1 }
        GivenShop.row.lifted(\App.row, giving: \.settings)
      }
      store.dispatch(GivenShop.Reprice())
      #expect(allocatedBytes { store.dispatch(GivenShop.Reprice()) } < 10_000)
      #expect(store.numbers[0] == 2)
      #expect(store.row.price == 100)
    }
  }

  // MARK: Alone

  @Test func `alone, a feature is given a constant`() async throws {
    let store = try Store(initialState: Row(), Shop.row.giving(Settings(factor: 4)))
    store.dispatch([Reprice(), Reprice()])
    #expect(store.price == 16)
    let test = try TestStore(initialState: Row(), Shop.row.giving(Settings(factor: 3)))
    await test.dispatch(Reprice()) { $0.price = 3 }
    await test.finish()
  }

  @Test func `stores of one blueprint do not share what they are given`() async throws {
    let feature = Feature<Shop> {
      Shop.setting
      Shop.row.lifted(\.plain, giving: \.settings)
    }
    let blueprint = try StoreBlueprint<Shop>(coverage: .partial, feature)
    await withTaskGroup { group in
      for number in 1...4 {
        group.addTask {
          let store = blueprint.makeStore(initialState: Shop())
          store.dispatch(Shop.SetFactor(factor: number))
          for _ in 0..<5 { store.dispatch(Reprice()) }
          #expect(store.plain.price == (0..<5).reduce(1) { price, _ in price * number })
        }
      }
    }
  }

  @Test func `a feature that is registered later brings what it is given`() throws {
    let store = Store(initialState: Shop(), coverage: .partial)
    #expect(throws: RegistrationError.self) { try store.register(Shop.row.lifted(\Shop.plain)) }
    try store.register(Shop.row.lifted(\Shop.plain, giving: \.settings))
    store.dispatch(Reprice())
    #expect(store.plain.price == 10)
    store.unregister(\.plain.price)
    try store.register(Feature { Shop.price }.lifted(\Shop.plain, giving: \.others))
    store.dispatch(Reprice())
    #expect(store.plain.price == 70)
  }

  // MARK: Proof

  private func faults(_ body: () throws -> Void) -> [RegistrationError.Fault] {
    do {
      try body()
      return []
    } catch {
      return (error as? RegistrationError)?.faults ?? []
    }
  }

  @Test func `a type that nobody gives is an error that names who asks and where`() throws {
    let line: UInt = #line + 2
    let price = Mutator(\Row.price) { (_: inout Int, _: Shop.SetFactor) in }
      .on(Reprice.self, given: Settings.self) { _, _, _ in }
    let row = Feature<Row> { price }
    let fault = RegistrationError.Fault.notGiven(
      type: "Settings", asker: "the reducer of `price` of `Row`", site: "\(#fileID):\(line)")
    func expectFault(@StoreBuilder<Shop> _ parts: () -> [StorePart<Shop>]) {
      #expect(
        faults { _ = try Store(initialState: Shop(), coverage: .partial, parts: parts) } == [fault])
      #expect(faults { _ = try StoreBlueprint(coverage: .partial, parts: parts) } == [fault])
    }
    expectFault { row.lifted(\.plain) }
    expectFault { row.identified().lifted(\.rows) }
    expectFault { row.optional().tagged(Left.self).lifted(\.sheet, giving: \.plain.price) }
    expectFault { price.lifted(\Shop.plain) }
    let text =
      "\(RegistrationError.Fault.notGiven(type: "S", asker: "the effect e", site: "A/B.swift:3"))"
    #expect(text.contains("A given `S` is asked for by the effect e, written at A/B.swift:3"))
    #expect(text.contains("giving: \\.value"))
  }

  @Test func `what says that it needs a value is refused without one`() throws {
    let plain = Feature<Row> { Constant(\.price) }
    let line: UInt = #line + 1
    let needing = plain.needing(Settings.self)
    let effect: UInt = #line + 1
    let asking = Effect<Row>(on: Reprice.self) { _, _ in }.named("asks").needing(Settings.self)
    let found = faults {
      _ = try Store(initialState: Shop(), coverage: .partial) {
        needing.lifted(\.plain)
        asking.lifted(\Shop.plain)
      }
    }
    #expect(
      found == [
        .notGiven(type: "Settings", asker: "a feature of `Row`", site: "\(#fileID):\(line)"),
        .notGiven(type: "Settings", asker: "the effect asks", site: "\(#fileID):\(effect)"),
      ])
    _ = try Store(initialState: Shop(), coverage: .partial) {
      Feature {
        needing.identified().lifted(\Shop.rows)
        asking.identified().lifted(\Shop.rows)
      }
      .giving(\.settings)
    }
  }

  @Test func `who gives what nothing can ask for is warned, once, with the place`() throws {
    let warnings = Recorder<StoreWarning>()
    let plain = Feature<Row> { Constant(\.price) }
    let line: UInt = #line + 2
    _ = try Store(initialState: Shop(), coverage: .partial, onWarning: { warnings.append($0) }) {
      plain.lifted(\.plain, giving: \.settings)
      plain.needing(Settings.self).identified().lifted(\.rows, giving: \.settings)
      Shop.row.optional().lifted(\.sheet, giving: \.settings)
      Feature<Row> { Effect(on: Reprice.self) { _, _ in } }.identified()
        .lifted(\.entities, giving: \.settings)
    }
    #expect(warnings.values.map(\.kind) == [.unneededGiven])
    let text = warnings.values.first.map { "\($0)" } ?? ""
    #expect(text.contains("a `Settings` is given to the feature of `plain` at \(#fileID):\(line)"))
  }
}
