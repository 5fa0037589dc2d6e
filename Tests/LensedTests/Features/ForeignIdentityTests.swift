import Lensed
import LensedTestSupport
import Testing

@Suite(
  "An id of another type than the collection's is reported by both types", .timeLimit(.minutes(30)))
struct ForeignIdentityTests {
  private struct Item: Sendable, Identifiable {
    let id: Int
    var title = ""
  }

  private struct Box: Sendable, Identifiable {
    let id: Int
    var items: [Item] = []
    var first: Item? {
      get { items.first }
      set { items = newValue.map { [$0] } ?? [] }
    }
  }

  private struct Shelf: Sendable {
    var boxes: [Box] = []
    var byKey: [Int: Box] = [:]
  }

  private struct Name: Action {}
  private struct Other: Action {}
  private enum Left {}
  private enum Right {}

  private enum Parts: CaseIterable {
    case reducer, effect, asynchronously

    var item: Feature<Item> {
      switch self {
      case .reducer:
        Feature { Mutator(\Item.title) { (title: inout String, _: Name) in title = "named" } }
      case .effect: Feature { Effect<Item>(on: Name.self) { _, _ in } }
      case .asynchronously:
        Feature {
          AsyncMutator(\Item.title) { (_: String, _: Name) in AsyncResult(value: "named") }
        }
      }
    }
  }

  /// What a store with one feature says about an action, the first time and once more.
  private func warnings(
    _ feature: Feature<Shelf>, _ action: any Action
  ) async throws -> [StoreWarning] {
    let warnings = Recorder<StoreWarning>()
    let store = try Store(
      initialState: Shelf(), coverage: .partial, onWarning: { warnings.append($0) }
    ) { feature }
    for _ in 0..<2 { store.dispatch(action) }
    try await store.settled()
    return warnings.values
  }

  private func element<ID: Hashable & Sendable, A: Action>(
    _ id: ID, _ action: A
  ) -> ElementAction<ID, A> {
    ElementAction(id: id, action: action)
  }

  private func check(
    _ feature: Feature<Shelf>, _ action: any Action, _ sentence: String
  ) async throws {
    let found = try await warnings(feature, action)
    #expect(found.map(\.kind) == [.foreignElement])
    let said = found.first?.description ?? ""
    #expect(said.contains("`\(type(of: action))` was dispatched"), "\(said)")
    #expect(said.contains(sentence + ": nothing has changed."), "\(said)")
  }

  @Test func `whatever the feature has: reducers, effects alone, asynchronous mutators`()
    async throws
  {
    for parts in Parts.allCases {
      try await check(
        parts.item.identified().lifted(\Box.items).identified().lifted(\.boxes),
        element("7", element(1, Name())),
        "`boxes` takes such actions for elements with ids of type `Int`, and in these `Int`")
      try await check(
        Feature { parts.item.optional().lifted(\Box.first) }.identified().lifted(\.boxes),
        element("7", Name()), "`boxes` takes such actions for elements with ids of type `Int`")
    }
  }

  @Test func `an inner id, and both`() async throws {
    for parts in Parts.allCases {
      let feature = parts.item.identified().lifted(\Box.items).keyed().lifted(\Shelf.byKey)
      let sentence =
        "`byKey` takes such actions for elements with ids of type `Int`, and in these `Int`"
      try await check(feature, element(7, element("1", Name())), sentence)
      try await check(feature, element("7", element("1", Name())), sentence)
    }
  }

  @Test func `behind tags, before them, and between`() async throws {
    for parts in Parts.allCases {
      let outside = parts.item.identified().lifted(\Box.items).tagged(Left.self).offset()
        .tagged(Right.self).lifted(\Shelf.boxes)
      try await check(
        outside, element(7, element("1", Name()).tagged(Left.self)).tagged(Right.self),
        "`boxes` takes such actions for elements with ids of type `Int`, and in these `Int`")
      let inside = Feature { parts.item.tagged(Left.self).optional().lifted(\Box.first) }
        .identified().lifted(\Shelf.boxes)
      try await check(
        inside, element("7", Name().tagged(Left.self)),
        "`boxes` takes such actions for elements with ids of type `Int`")
    }
  }

  @Test func `what differs in more than ids is simply unhandled`() async throws {
    for parts in Parts.allCases {
      let feature = parts.item.identified().lifted(\Box.items).tagged(Left.self).identified()
        .lifted(\Shelf.boxes)
      let strays: [any Action] = [
        Name(), element("7", Name()), element("7", element(1, Name())),
        element("7", element(1, Name()).tagged(Right.self)),
        element("7", element(1, Other()).tagged(Left.self)),
      ]
      for stray in strays {
        let found = try await warnings(feature, stray)
        #expect(found.map(\.kind) == [.unhandledAction], "\(stray)")
      }
    }
  }

  @Test func `all collections that it might have been meant for, each with the type of its ids`()
    async throws
  {
    for parts in Parts.allCases {
      let both = Feature {
        Feature { parts.item.optional().lifted(\Box.first) }.identified().lifted(\Shelf.boxes)
        Feature { parts.item.optional().lifted(\Box.first) }.keyed().lifted(\Shelf.byKey)
      }
      try await check(
        both, element("7", Name()),
        "`boxes` takes such actions for elements with ids of type `Int`; "
          + "`byKey` takes such actions for elements with ids of type `Int`")
      #expect(try await warnings(both, element("7", Name())).first?.property == "`boxes`, `byKey`")
    }
  }
}
