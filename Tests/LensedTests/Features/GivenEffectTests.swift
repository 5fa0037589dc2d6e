import Lensed
import LensedTestSupport
import LensedTesting
import Testing

@Suite("An effect asks for state from above, by its type", .timeLimit(.minutes(30)))
struct GivenEffectTests {
  typealias Shop = GivenShop
  typealias Row = GivenShop.Row
  typealias Settings = GivenShop.Settings
  typealias Reprice = GivenShop.Reprice
  enum Left {}
  struct Add: Action { var row: Row }
  struct Remove: Action { var id: Int }

  private let log = Recorder<String>()

  private var rows: Mutator<Shop, [Row]> {
    Mutator(\Shop.rows) { (rows: inout [Row], action: Add) in rows.append(action.row) }
      .on(Remove.self) { rows, action in rows.removeAll { $0.id == action.id } }
  }

  private func asking(_ body: @escaping @Sendable () async throws -> Void = {}) -> Effect<Row> {
    let log = log
    return Effect<Row>(on: Reprice.self, .concurrent) { _, context in
      try await body()
      log.append("\(context.state.id): \(context.given(Settings.self).factor)")
    }
  }

  private func watching(_ triggers: EffectTriggers = []) -> Effect<Row> {
    let log = log
    return Effect<Row>(whenChanged: .given(Settings.self), .serial, including: triggers) {
      settings, context in
      log.append("\(context.state.id): \(settings.factor)")
    }
  }

  // MARK: context.given

  @Test func `its context has the current value, in children of every kind`() async throws {
    let asking = asking()
    let store = try Store(initialState: Shop(), coverage: .partial) {
      Shop.setting
      Feature { asking }.lifted(\Shop.plain, giving: \.settings)
      Feature { asking }.identified().lifted(\Shop.rows, giving: \.settings)
      Feature { asking }.tagged(Int.self).identified().lifted(\Shop.entities, giving: \.doubled)
      Feature { asking }.keyed(by: String.self).lifted(\Shop.byKey, giving: \.others)
      Feature { asking }.optional().tagged(Left.self).lifted(\Shop.sheet, giving: \.settings)
      Feature<Row>("pay") { asking }.matching(Shop.Screen.open).tagged(Bool.self)
        .lifted(\Shop.screen)
        .giving(\.settings)
    }
    store.dispatch(Shop.SetFactor(factor: 3))
    try await store.dispatch(Reprice()).finish()
    try await store.dispatch(ElementAction(id: 8, action: Reprice())).finish()
    try await store.dispatch(ElementAction(id: 3, action: Reprice().tagged(Int.self))).finish()
    try await store.dispatch(ElementAction(id: "x", action: Reprice())).finish()
    try await store.dispatch(Reprice().tagged(Left.self)).finish()
    try await store.dispatch(Reprice().tagged(Bool.self)).finish()
    #expect(log.values == ["5: 3", "8: 3", "3: 6", "9: 7", "2: 3", "4: 3"])
  }

  @Test(.warnsOnPurpose) func `each board gives its cards its own, and the nearest gives`()
    async throws
  {
    let board = Feature<Shop.Board> {
      Feature { asking() }.identified().lifted(\.cards, giving: \.settings)
    }
    let store = try Store(initialState: Shop(), coverage: .partial) {
      board.identified().lifted(\Shop.boards, giving: \.settings)
    }
    for id in 1...2 {
      try await store.dispatch(
        ElementAction(id: id, action: ElementAction(id: 2, action: Reprice()))
      ).finish()
    }
    #expect(log.values == ["2: 100", "2: 200"])
  }

  @Test func `a run reads what came since it began, and once its child has gone what was there`()
    async throws
  {
    let (gate, began, never) = (Gate(), Gate(), Gate())
    let log = log
    let asking = Effect<Row>(on: Reprice.self) { _, context in
      log.append("\(context.given(Settings.self).factor)")
      began.open()
      try? await gate.wait()
      log.append("\(context.given(Settings.self).factor)")
    }
    let store = try Store(initialState: Shop(), coverage: .partial) {
      Shop.setting
      rows
      Feature { asking }.lifted(\Shop.plain, giving: \.settings)
      Feature {
        Effect<Row>(on: Reprice.self) { _, context in
          log.append("in the row")
          try? await never.wait()
          log.append("gone: \(context.given(Settings.self).factor)")
        }
      }
      .identified().lifted(\Shop.rows, giving: \.settings)
    }
    let run = store.dispatch(Reprice())
    try await began.wait()
    store.dispatch(Shop.SetFactor(factor: 5))
    gate.open()
    try await run.finish()
    #expect(log.values == ["10", "5"])
    store.dispatch(ElementAction(id: 7, action: Reprice()))
    await log.waitForCount(3)
    store.dispatch([Remove(id: 7), Shop.SetFactor(factor: 6)] as [any Action])
    await log.waitForCount(4)
    #expect(log.values.last == "gone: 5")
  }

  #if os(Linux) || os(macOS)
    @Test
    func `a context that is given nothing traps, and names the effect, the type and the line`()
      async throws
    {
      let result = try await #require(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        let store = try Store(initialState: GivenShop(), coverage: .partial) {
          Effect<GivenShop>(on: GivenShop.Reprice.self) { _, context in
            _ = context.given(GivenShop.Settings.self)
          }
          .named("asks")
        }
        try await store.dispatch(GivenShop.Reprice()).finish()
      }
      #expect(result.message.contains("the effect asks asked for a given `Settings` at "))
      #expect(result.message.contains("GivenEffectTests.swift:"))
    }
  #endif

  // MARK: whenChanged

  @Test func `a given value that changes runs once for each child that is there`() async throws {
    let store = try Store(initialState: Shop(), coverage: .partial) {
      Shop.setting
      rows
      Shop.row.identified().lifted(\.rows, giving: \.settings)
      watching().identified().lifted(\Shop.rows).giving(\.settings)
    }
    try await store.dispatch(Shop.SetFactor(factor: 10)).finish()
    #expect(log.values == [])
    try await store.dispatch(Shop.SetFactor(factor: 2)).finish()
    #expect(log.values.sorted() == ["7: 2", "8: 2"])
    // Its own actions are none of the given value's.
    try await store.dispatch(ElementAction(id: 7, action: Reprice())).finish()
    // One that comes later has seen no change; from then on it is watched.
    try await store.dispatch(Add(row: Row(id: 9))).finish()
    #expect(log.values.count == 2)
    try await store.dispatch([Remove(id: 7), Shop.SetFactor(factor: 3)] as [any Action]).finish()
    #expect(log.values.dropFirst(2).sorted() == ["8: 3", "9: 3"])
    try await store.dispatch([Shop.SetFactor(factor: 4), Shop.SetFactor(factor: 3)]).finish()
    #expect(log.values.count == 4)
  }

  @Test func `in what is always there, and including the installation`() async throws {
    let store = try Store(initialState: Shop(), coverage: .partial) {
      Shop.setting
      watching(.installation).lifted(\Shop.plain).giving(\.settings)
    }
    await log.waitForCount(1)
    try await store.dispatch(Shop.SetFactor(factor: 2)).finish()
    try await store.dispatch(Shop.SetFactor(factor: 2)).finish()
    #expect(log.values == ["5: 10", "5: 2"])
    store.replaceState(Shop(settings: Settings(factor: 9)))
    try await store.dispatch(Shop.SetFactor(factor: 9)).finish()
    #expect(log.values.count == 2)
  }

  @Test func `a condition and what is derived of it are given the value, too`() async throws {
    let total = Derived(\Row.price, .given(Settings.self)) { $0 * $1.factor }
    let log = log
    let effect = Effect<Row>(
      whenChanged: total, .serial, when: { value, change in change[total] == value && value > 10 }
    ) { value, context in
      log.append("\(context.state.id): \(value) \(context[total])")
    }
    let store = try Store(initialState: Shop(), coverage: .partial) {
      Shop.setting
      Shop.row.identified().lifted(\.rows, giving: \.settings)
      effect.identified().lifted(\Shop.rows).giving(\.settings)
    }
    try await store.dispatch(ElementAction(id: 7, action: Reprice())).finish()
    #expect(log.values == ["7: 100 100"])
    try await store.dispatch(Shop.SetFactor(factor: 2)).finish()
    #expect(log.values == ["7: 100 100", "7: 20 20"])
  }

  @Test func `an element that an action names is not the only one whose given value changes`()
    async throws
  {
    struct App: Sendable {
      var tables = [1: Settings(factor: 1)]
      var rows = [Row(id: 1), Row(id: 2)]
      var first: Settings { tables[1] ?? Settings() }
    }
    let table = Feature<Settings> {
      Mutator(\.factor) { (factor: inout Int, action: Shop.SetFactor) in factor = action.factor }
    }
    for isStored in [true, false] {
      let log = Recorder<String>()
      let watch = Effect<Row>(whenChanged: .given(Settings.self), .serial) { settings, context in
        log.append("\(context.state.id): \(settings.factor)")
      }
      let store = try Store(initialState: App(), coverage: .partial) {
        table.keyed(by: Int.self).lifted(\App.tables)
        if isStored {
          watch.identified().lifted(\App.rows)
            .giving(Lens(name: "tables", get: { $0.first }, set: { app, _ in app }))
        } else {
          watch.identified().lifted(\App.rows).giving(\.first)
        }
      }
      try await store.dispatch(ElementAction(id: 1, action: Shop.SetFactor(factor: 4))).finish()
      #expect(log.values.sorted() == ["1: 4", "2: 4"])
    }
  }

  @Test func `a trigger that is given nothing is an error that names the effect`() throws {
    let line: UInt = #line + 1
    let effect = Effect<Row>(whenChanged: .given(Settings.self), .latest) { _, _ in }.named("w")
    let fault = RegistrationError.Fault.notGiven(
      type: "Settings", asker: "the effect w", site: "\(#fileID):\(line)")
    let error = #expect(throws: RegistrationError.self) {
      try Store(initialState: Shop(), coverage: .partial) { effect.identified().lifted(\.rows) }
    }
    #expect(error?.faults == [fault])
  }
}
