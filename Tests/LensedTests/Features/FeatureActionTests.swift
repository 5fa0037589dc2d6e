import Lensed
import LensedTestSupport
import Testing

@Suite("A feature sees its actions in its own terms", .timeLimit(.minutes(30)))
struct FeatureActionTests {
  struct Item: Sendable, Equatable, Identifiable {
    let id: Int
    var saves = 0
  }
  struct App: Sendable, Equatable {
    var item = Item(id: 1)
    var sheet: Item? = Item(id: 2)
    var rows: Entities<Item> = [Item(id: 7), Item(id: 8)]
    var byKey = ["a": Item(id: 9)]
    var boxes = [Box(id: 5)]
    var others = 0
    struct Box: Sendable, Equatable, Identifiable {
      let id: Int
      var rows = [Item(id: 7), Item(id: 8)]
    }
  }
  struct Save: Action, Equatable { var number = 0 }
  struct Other: Action, Equatable {}
  enum Wide: Action {
    case save(Save), row(ElementAction<Int, Save>), left(Tagged<Left, Save>), other
  }
  enum Left {}
  enum Right {}

  static let save = Prism<Wide, Save>(Wide.save) {
    if case .save(let save) = $0 { save } else { nil }
  }
  static let row = Prism<Wide, ElementAction<Int, Save>>(Wide.row) {
    if case .row(let row) = $0 { row } else { nil }
  }
  static let left = Prism<Wide, Tagged<Left, Save>>(Wide.left) {
    if case .left(let left) = $0 { left } else { nil }
  }

  /// Each way to hold the feature: how it is lifted, how its actions arrive, and actions that are for others.
  enum Place: CaseIterable {
    case whole, tagged, taggedTwice, optional, identified, keyed, nested
    case taggedIdentified, identifiedTagged, prism, prismIdentified, identifiedPrism, taggedPrism,
      prismTagged

    func lift(_ feature: Feature<Item>) -> Feature<App> {
      switch self {
      case .whole: feature.lifted(\.item)
      case .tagged: feature.tagged(Left.self).lifted(\.item)
      case .taggedTwice: feature.tagged(Left.self).lifted(\.item).tagged(Right.self)
      case .optional: feature.optional().tagged(Left.self).lifted(\.sheet)
      case .identified: feature.identified().lifted(\.rows)
      case .keyed: feature.keyed().lifted(\.byKey)
      case .nested:
        feature.identified().tagged(Left.self).lifted(\App.Box.rows).identified().lifted(\.boxes)
      case .taggedIdentified: feature.tagged(Left.self).identified().lifted(\.rows)
      case .identifiedTagged: feature.identified().tagged(Left.self).lifted(\.rows)
      case .prism: feature.lifted(action: save).lifted(\.item)
      case .prismIdentified: feature.lifted(action: save).identified().lifted(\.rows)
      case .identifiedPrism: feature.identified().lifted(action: row).lifted(\.rows)
      case .taggedPrism: feature.tagged(Left.self).lifted(action: left).lifted(\.item)
      case .prismTagged: feature.lifted(action: save).tagged(Left.self).lifted(\.item)
      }
    }

    func action(_ own: Save) -> any Action {
      switch self {
      case .whole: own
      case .tagged, .optional: own.tagged(Left.self)
      case .taggedTwice: own.tagged(Left.self).tagged(Right.self)
      case .identified: ElementAction(id: 7, action: own)
      case .keyed: ElementAction(id: "a", action: own)
      case .nested:
        ElementAction(id: 5, action: ElementAction(id: 7, action: own).tagged(Left.self))
      case .taggedIdentified: ElementAction(id: 7, action: own.tagged(Left.self))
      case .identifiedTagged: ElementAction(id: 7, action: own).tagged(Left.self)
      case .prism: Wide.save(own)
      case .prismIdentified: ElementAction(id: 7, action: Wide.save(own))
      case .identifiedPrism: Wide.row(ElementAction(id: 7, action: own))
      case .taggedPrism: Wide.left(own.tagged(Left.self))
      case .prismTagged: Wide.save(own).tagged(Left.self)
      }
    }

    /// Actions that look like those of the feature, and are for something else.
    var foreign: [any Action] {
      switch self {
      case .whole: [Other(), Save().tagged(Left.self)]
      case .tagged, .optional: [Save().tagged(Right.self), Other()]
      case .taggedTwice: [Save().tagged(Left.self), Other().tagged(Right.self)]
      case .identified:
        [ElementAction(id: 8, action: Save()), ElementAction(id: "7", action: Save())]
      case .keyed: [ElementAction(id: "b", action: Save()), ElementAction(id: 7, action: Save())]
      case .nested:
        [
          ElementAction(id: 6, action: ElementAction(id: 7, action: Save()).tagged(Left.self)),
          ElementAction(id: 5, action: ElementAction(id: 8, action: Save()).tagged(Left.self)),
          ElementAction(id: 7, action: Save()),
        ]
      case .taggedIdentified:
        [ElementAction(id: 8, action: Save().tagged(Left.self)), Save().tagged(Left.self)]
      case .identifiedTagged:
        [
          ElementAction(id: 8, action: Save()).tagged(Left.self),
          ElementAction(id: 7, action: Save()),
        ]
      case .prism: [Wide.other, Other()]
      case .prismIdentified: [ElementAction(id: 8, action: Wide.save(Save())), Wide.save(Save())]
      case .identifiedPrism: [Wide.row(ElementAction(id: 8, action: Save())), Wide.other]
      case .taggedPrism: [Wide.other, Wide.save(Save())]
      case .prismTagged: [Wide.save(Save()), Wide.save(Save()).tagged(Right.self)]
      }
    }
  }

  private func makeStore(_ feature: Feature<Item>, _ place: Place) throws -> Store<App> {
    try Store(initialState: App(), coverage: .partial) {
      place.lift(feature)
      Mutator(\.others) { (others: inout Int, _: Other) in others += 1 }
    }
  }

  private static let saves = Mutator(\Item.saves) { (saves: inout Int, _: Save) in saves += 1 }

  @Test(.warnsOnPurpose, arguments: Place.allCases)
  func `in the condition of an effect, in its context, and in the commits since its trigger`(
    _ place: Place
  ) async throws {
    let (asked, triggers, since) = (Recorder<String>(), Recorder<String>(), Recorder<String>())
    let gate = Gate()
    let feature = Feature<Item> {
      Self.saves
      Effect<Item>(
        on: Save.self, .serial,
        when: { _, change in
          asked.append("\(String(describing: change.action)) \(change.previous?.saves ?? -1)")
          return change.action as? Save == Save(number: 1)
        }
      ) { _, context in
        try await gate.wait()
        triggers.append("\(String(describing: context.change.action))")
        for await change in context.changes() {
          since.append("\(change.action.map { "\($0)" } ?? "none")")
          if change.action == nil { return }
        }
      }
      .keepingChanges()
    }
    let store = try makeStore(feature, place)
    let task = store.dispatch(place.action(Save(number: 1)))
    store.dispatch(place.action(Save(number: 2)))
    for foreign in place.foreign { store.dispatch(foreign) }
    store.dispatch([place.action(Save(number: 3)), place.action(Save(number: 4))])
    store.dispatch([Other(), place.action(Save(number: 5))] as [any Action])
    store.dispatch([Other(), Other()])
    store.replaceState(store.state)
    gate.open()
    try await task.finish()
    let (one, two) = (Save(number: 1), Save(number: 2))
    #expect(
      asked.values.prefix(2) == [
        "\(String(describing: one as (any Action)?)) 0",
        "\(String(describing: two as (any Action)?)) 1",
      ])
    #expect(triggers.values == ["\(String(describing: one as (any Action)?))"])
    // What was dispatched as a list of `any Action` stays one, where the store knows the actions by one type.
    let list: [any Action] = [Save(number: 3), Save(number: 4)]
    let lists = ["\(ActionList(list))", "\(list)"]
    let mixed = ActionList([Other(), Save(number: 5)])
    #expect(since.values.first == "\(two)")
    #expect(
      Array(since.values.dropFirst().prefix(place.foreign.count)) == place.foreign.map { "\($0)" })
    let rest = Array(since.values.dropFirst(1 + place.foreign.count))
    try #require(rest.count == 4)
    #expect(lists.contains(rest[0]))
    #expect(rest[1] == "\(mixed)")
    #expect(rest[2] == "\([Other(), Other()])")
    #expect(rest[3] == "none")
  }

  @Test(.warnsOnPurpose, arguments: Place.allCases)
  func `in the condition of an effect of a changed value`(_ place: Place) async throws {
    let asked = Recorder<String>()
    let feature = Feature<Item> {
      Self.saves
      Effect<Item>(
        whenChanged: \.saves,
        when: { saves, change in
          asked.append("\(saves) \(change.action.map { "\($0)" } ?? "none")")
          return false
        }
      ) { _, _ in }
    }
    let store = try makeStore(feature, place)
    store.dispatch(place.action(Save(number: 4)))
    for foreign in place.foreign { store.dispatch(foreign) }
    store.dispatch(Other())
    #expect(asked.values.first == "1 \(Save(number: 4))")
  }

  @Test func `an array stays an array, of its own actions`() async throws {
    let seen = Recorder<String>()
    let feature = Feature<Item> {
      Self.saves
      Effect<Item>(on: Save.self) { _, context in
        seen.append("\(context.change.action is [Save])")
      }
    }
    for place in [Place.tagged, .identified, .identifiedTagged, .prism] {
      let store = try makeStore(feature, place)
      switch place {
      case .tagged:
        try await store.dispatch([Save(), Save()].tagged(Left.self)).finish()
        try await store.dispatch([Save().tagged(Left.self)]).finish()
      case .identified:
        try await store.dispatch(ElementAction(id: 7, action: [Save()])).finish()
        try await store.dispatch([ElementAction(id: 7, action: Save())]).finish()
      case .identifiedTagged:
        try await store.dispatch([ElementAction(id: 7, action: Save()).tagged(Left.self)]).finish()
      default:
        try await store.dispatch([Wide.save(Save())]).finish()
      }
    }
    #expect(seen.count == 7)
    #expect(Set(seen.values) == ["true"])
  }

  @Test func `a scope with a prism of actions sees the narrow ones`() async throws {
    let store = try Store(initialState: App(), coverage: .partial) {
      Feature { Self.saves }.lifted(action: Self.save).optional().lifted(Lens(\App.sheet))
      Feature { Self.saves }.identified().lifted(action: Self.row).lifted(Lens(\App.rows))
    }
    let sheet = try #require(store.scope(\.sheet, actions: .case(Self.save)))
    let row = try #require(store.scope(\.rows, id: 7, actions: .case(Self.row)))
    var sheets = sheet.changes(keepingPrevious: true).makeAsyncIterator()
    var rows = row.changes(keepingPrevious: true).makeAsyncIterator()
    sheet.dispatch(Save(number: 1))
    row.dispatch(Save(number: 2))
    store.dispatch(Wide.row(ElementAction(id: 8, action: Save(number: 3))))
    sheet.dispatch([Save(number: 4), Save(number: 5)])
    store.dispatch(Wide.other)
    var change = await sheets.next()
    #expect(change?.action as? Save == Save(number: 1))
    #expect(change?.state.saves == 1)
    #expect(await sheets.next()?.action is Wide)
    #expect(await sheets.next()?.action is Wide)
    let list = await sheets.next()?.action
    #expect(list as? [Save] == [Save(number: 4), Save(number: 5)])
    #expect(await sheets.next()?.action is Wide)
    #expect(await rows.next()?.action is Wide)
    change = await rows.next()
    #expect(change?.action as? Save == Save(number: 2))
    #expect(change?.previous?.saves == 0)
    #expect(await rows.next()?.action is Wide)
  }

  /// The rows that an action names are found by the action as the store knows it.
  @Test func `a change in its terms still knows which rows were touched`() async throws {
    let store = try Store(initialState: App(), coverage: .partial) {
      Feature { Self.saves }.identified().tagged(Left.self).lifted(Lens(\App.rows))
    }
    let scope = store.scope(\.self, actions: .tagged(Left.self))
    var changes = scope.changes(keepingPrevious: true).makeAsyncIterator()
    scope.dispatch(ElementAction(id: 8, action: Save()))
    let change = try #require(await changes.next())
    #expect(change.action is ElementAction<Int, Save>)
    let compared = Recorder<Int>()
    let difference = change.difference(of: \.rows) { newer, older in
      compared.append(newer.id)
      return newer == older
    }
    #expect(difference.edited == [8])
    #expect(compared.values == [8])
  }
}
