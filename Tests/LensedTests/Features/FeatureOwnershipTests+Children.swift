import Lensed
import LensedTestSupport
import Testing

extension FeatureOwnershipTests {
  @Test func `a reducer of every action in elements is refused`() {
    let every = Feature<Item> {
      Mutator(lens: Lens(\Item.title), everyAction: { item, _ in item.title })
    }
    #expect(
      refusal { every.identified().lifted(\.items) }
        .contains("The elements of `items` are reduced by a reducer of every action"))
  }

  @Test func `effects in children are called by their names in messages`() async throws {
    struct Failure: Error {}
    let errors = Recorder<String>()
    let failing = Effect<Item>(on: Set.self) { _, _ -> Void in throw Failure() }.named("Reload")
    let store = try Store(
      initialState: App(items: [Item(id: 7)], sheet: Item(id: 1)), coverage: .partial,
      onEffectError: { errors.append($0.effect) }
    ) {
      Feature { failing }.identified().lifted(\.items)
      Feature { failing }.optional().lifted(\.sheet)
    }
    try await store.dispatch(ElementAction(id: 7, action: Set())).finish()
    try await store.dispatch(Set()).finish()
    #expect(errors.values == ["the effect Reload of `items[7]`", "the effect Reload of `sheet`"])
  }

  // MARK: Warnings

  @Test func `an id of another type than the collection's is reported by both types`() throws {
    let warnings = Recorder<StoreWarning>()
    let store = try Store(
      initialState: App(items: [Item(id: 7)]), coverage: .partial,
      onWarning: { warnings.append($0) }
    ) { Self.feature().identified().lifted(\.items) }
    for _ in 0..<2 { store.dispatch(ElementAction(id: "7", action: Set())) }
    store.dispatch(ElementAction(id: 7, action: Set()))
    #expect(warnings.values.map(\.kind) == [.foreignElement])
    let sentence = warnings.values.first?.description ?? ""
    #expect(sentence.contains("`ElementAction<String, Set>` was dispatched"))
    #expect(sentence.contains("`items` takes such actions for elements with ids of type `Int`"))
  }

  @Test func `a lifted feature given twice, and an overlap in a child of a child, are refused`() {
    struct Outer: Sendable { var app = App() }
    let overlapping = Self.feature {
      Mutator(\.tags) { (tags: inout Item.Tags, _: Set) in tags.first = "" }
      Mutator(\.tags.first) { (first: inout String, _: Set) in first = "" }
    }
    let app = Feature<App> {
      overlapping.identified().lifted(\.items)
      Mutator(\.sheet) { (_: inout Item?, _: Set) in }
    }
    do {
      _ = try Store(initialState: Outer(), coverage: .partial) {
        app.lifted(\.app)
        app.lifted(\.app)
      }
      Issue.record("it was taken")
    } catch {
      let sentences = "\(error)"
      #expect(sentences.contains("`app.items[…].tags` and `app.items[…].tags.first` overlap"))
      #expect(sentences.contains("`app.sheet` has two reducers"))
      #expect(sentences.contains("Two features own the same children of `app.items`"))
    }
  }

  @Test func `a child that appears in a child with uncovered properties is named from the root`()
    async
  {
    await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      struct Outer: Sendable { var app: App? = App() }
      struct Add: Action {}
      let app = Feature<App> {
        Mutator(\.items) { (items: inout [Item], _: Add) in items.append(Item(id: 3)) }
        Self.feature().identified().lifted(\.items)
        Constant(\.sheet)
        Constant(\.page)
      }
      let store = try Store(initialState: Outer()) { app.optional().lifted(\.app) }
      store.dispatch(Add())
      store.dispatch(ElementAction(id: 3, action: Set()))
    }
    .map { #expect($0.message.contains("`app.items[3].tags`")) }
  }
}
