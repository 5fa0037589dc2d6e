import Lensed
import LensedTestSupport
import Testing

@Suite(
  "Of an identity that occurs twice in a plain array the first element is meant, however deep",
  .timeLimit(.minutes(30)))
struct DoubledIdentityTests {
  struct Item: Sendable, Equatable, Identifiable {
    let id: String
    var title = ""
  }

  struct Box: Sendable, Equatable, Identifiable {
    let id: Int
    var items: [Item] = []
    var lid: Lid?
    struct Lid: Sendable, Equatable { var items: [Item] = [] }
  }

  enum Page: Sendable, Equatable { case none, box(Box) }

  struct Shelf: Sendable, Equatable {
    var boxes: [Box] = []
    var byKey: [String: Box] = [:]
    var sheet: Box?
    var page = Page.none
    var plain = Box(id: 0)
  }

  private struct Name: Action {}
  private enum Wide: Action { case name(Name), other }
  private struct Put: Action { let shelf: Shelf }
  private enum Tag {}

  private static let boxCase = Prism(Page.box) { if case .box(let box) = $0 { box } else { nil } }
  private static let nameCase = Prism(Wide.name) {
    if case .name(let action) = $0 { action } else { nil }
  }

  /// What a feature of an item is made of.
  enum Parts: CaseIterable { case reducer, effect, asynchronously, wideReducer, wideEffect }

  private static func item(_ parts: Parts, _ begun: Recorder<Int> = Recorder()) -> Feature<Item> {
    let naming = Mutator(\Item.title) { (title: inout String, _: Name) in title = "named" }
    let effect = Effect<Item>(on: Name.self) { _, _ in begun.append(1) }
    return switch parts {
    case .reducer: Feature { naming }
    case .effect: Feature { effect }
    case .asynchronously:
      Feature {
        AsyncMutator(\Item.title) { (_: String, _: Name) in AsyncResult(value: "named") }
      }
    case .wideReducer: Feature { naming }.lifted(action: nameCase)
    case .wideEffect: Feature { effect }.lifted(action: nameCase)
    }
  }

  private static func address(_ parts: Parts) -> any Action {
    switch parts {
    case .reducer, .effect, .asynchronously: Name()
    case .wideReducer, .wideEffect: Wide.name(Name())
    }
  }

  /// A place of items: how a feature of an item gets there, a state with two of one identity, and an action for it.
  struct Place: Sendable {
    let name: String
    let lift: @Sendable (Feature<Item>) -> Feature<Shelf>
    let shelf: @Sendable ([Item]) -> Shelf
    let action: @Sendable (any Action) -> any Action
  }

  private static func element<ID: Hashable & Sendable>(_ id: ID, _ action: any Action) -> any Action
  {
    func address<A: Action>(_ action: A) -> any Action { ElementAction(id: id, action: action) }
    return address(action)
  }

  private static func tagged(_ action: any Action) -> any Action {
    func tag<A: Action>(_ action: A) -> any Action { action.tagged(Tag.self) }
    return tag(action)
  }

  static let places: [Place] = [
    Place(
      name: "plain.items", lift: { $0.identified().lifted(\Box.items).lifted(\Shelf.plain) },
      shelf: { Shelf(plain: Box(id: 0, items: $0)) }, action: { element("a", $0) }),
    Place(
      name: "plain.items",
      lift: { $0.identified().lifted(\Box.items).tagged(Tag.self).lifted(\.plain) },
      shelf: { Shelf(plain: Box(id: 0, items: $0)) }, action: { tagged(element("a", $0)) }),
    Place(
      name: "plain.items",
      lift: { $0.tagged(Tag.self).identified().lifted(\Box.items).lifted(\.plain) },
      shelf: { Shelf(plain: Box(id: 0, items: $0)) }, action: { element("a", tagged($0)) }),
    Place(
      name: "plain.lid.items",
      lift: {
        $0.identified().lifted(\Box.Lid.items).optional().lifted(\Box.lid).lifted(\Shelf.plain)
      },
      shelf: { Shelf(plain: Box(id: 0, lid: Box.Lid(items: $0))) }, action: { element("a", $0) }),
    Place(
      name: "sheet.items", lift: { $0.identified().lifted(\Box.items).optional().lifted(\.sheet) },
      shelf: { Shelf(sheet: Box(id: 0, items: $0)) }, action: { element("a", $0) }),
    Place(
      name: "page.items",
      lift: { $0.identified().lifted(\Box.items).matching(boxCase).lifted(\Shelf.page) },
      shelf: { Shelf(page: .box(Box(id: 0, items: $0))) }, action: { element("a", $0) }),
    Place(
      name: "boxes[2].items",
      lift: { $0.identified().lifted(\Box.items).identified().lifted(\Shelf.boxes) },
      shelf: { Shelf(boxes: [Box(id: 1), Box(id: 2, items: $0)]) },
      action: { element(2, element("a", $0)) }),
    Place(
      name: "boxes[1].items",
      lift: { $0.identified().lifted(\Box.items).offset().lifted(\Shelf.boxes) },
      shelf: { Shelf(boxes: [Box(id: 1), Box(id: 2, items: $0)]) },
      action: { element(1, element("a", $0)) }),
    Place(
      name: "byKey[k].lid.items",
      lift: {
        $0.identified().lifted(\Box.Lid.items).optional().lifted(\Box.lid).keyed().lifted(
          \Shelf.byKey)
      },
      shelf: { Shelf(byKey: ["k": Box(id: 1, lid: Box.Lid(items: $0))]) },
      action: { element("k", element("a", $0)) }),
  ]

  private let twice = [Item(id: "a"), Item(id: "b"), Item(id: "a")]

  @Test func `in the initial state, whatever the feature has and wherever the list is`()
    async throws
  {
    for place in Self.places {
      for parts in Parts.allCases {
        let about: Comment = "\(place.name), \(parts)"
        let (begun, warnings) = (Recorder<Int>(), Recorder<StoreWarning>())
        let store = try Store(
          initialState: place.shelf(twice), coverage: .partial,
          onWarning: { warnings.append($0) }
        ) { place.lift(Self.item(parts, begun)) }
        for _ in 0..<2 {
          try await store.dispatch(place.action(Self.address(parts))).finish()
        }
        let edited = [Item(id: "a", title: "named"), Item(id: "b"), Item(id: "a")]
        let isEffect = parts == .effect || parts == .wideEffect
        #expect(store.state == place.shelf(isEffect ? twice : edited), about)
        #expect(begun.count == (isEffect ? 2 : 0), about)
        #expect(warnings.count == 0, about)
      }
    }
  }

  @Test func `in the state at registration, and in one that comes later`() throws {
    for place in Self.places {
      let warnings = Recorder<StoreWarning>()
      let store = try StoreBlueprint<Shelf>(coverage: .partial) {}.makeStore(
        initialState: place.shelf(twice), onWarning: { warnings.append($0) })
      try store.register(place.lift(Self.item(.reducer)))
      let action = place.action(Self.address(.reducer))
      let edited = place.shelf([Item(id: "a", title: "named"), Item(id: "b"), Item(id: "a")])
      store.dispatch(action)
      #expect(store.state == edited, "\(place.name)")
      store.replaceState(place.shelf(twice))
      store.dispatch([action, action])
      #expect(store.state == edited, "\(place.name)")
      #expect(warnings.count == 0, "\(place.name)")
    }
  }

  @Test func `of an array of actions, each`() throws {
    let store = try Store(initialState: Shelf(), coverage: .partial) {
      Self.item(.reducer).identified().lifted(\Box.items).lifted(\Shelf.plain)
    }
    store.replaceState(Shelf(plain: Box(id: 0, items: twice)))
    store.dispatch(["b", "a"].map { ElementAction(id: $0, action: Name()) })
    #expect(store.plain.items.map(\.title) == ["named", "named", ""])
  }

  @Test func `an action that does not touch the list is no reason to look through it`() throws {
    let compared = Recorder<Int>()
    struct Counted: Sendable, Identifiable {
      struct ID: Hashable, Sendable {
        let number: Int
        let compared: Recorder<Int>
        static func == (one: ID, two: ID) -> Bool {
          one.compared.append(two.number)
          return one.number == two.number
        }
        func hash(into hasher: inout Hasher) { hasher.combine(number) }
      }
      let id: ID
      var title = ""
    }
    struct Root: Sendable {
      var rows: [Counted] = []
      var count = 0
    }
    enum All: Action { case row(ElementAction<Counted.ID, Name>), count }
    let row = Prism(All.row) { if case .row(let action) = $0 { action } else { nil } }
    let ids = (0..<3).map { Counted.ID(number: $0, compared: compared) }
    let store = try Store(
      initialState: Root(rows: ids.map { Counted(id: $0) }), coverage: .partial, onWarning: { _ in }
    ) {
      Feature<Counted> {
        Mutator(\.title) { (title: inout String, _: Name) in title = "named" }
      }
      .identified().lifted(\.rows).lifted(action: row)
      Mutator(\.count) { (count: inout Int, action: All) in if case .count = action { count += 1 } }
    }
    let before = compared.count
    store.dispatch(All.count)
    #expect(compared.count == before)
    store.dispatch(All.row(ElementAction(id: ids[1], action: Name())))
    #expect(compared.count > before)
  }
}
