import Lensed
import LensedTestSupport
import Testing

/// A feature with a mutator is refused by what it owns; one of effects alone owns nothing.
@Suite(
  "A feature of effects alone that is given twice is refused", .warnsOnPurpose,
  .timeLimit(.minutes(30)))
struct DoubledFeatureTests {
  private struct Item: Sendable, Equatable, Identifiable {
    let id: Int
    var title = ""
  }

  private struct App: Sendable, Equatable {
    var left = Item(id: 1)
    var right = Item(id: 2)
    var sheet: Item?
    var items: [Item] = []
    var page = Page.none
    enum Page: Sendable, Equatable { case none, item(Item), copy(Item) }
  }

  private struct Load: Action {}
  private struct Save: Action {}
  private enum Wide: Action { case load(Load) }
  private enum Left {}
  private enum Right {}

  private static let item = Prism<App.Page, Item>(App.Page.item) {
    if case .item(let item) = $0 { item } else { nil }
  }
  private static let copy = Prism<App.Page, Item>(App.Page.copy) {
    if case .copy(let item) = $0 { item } else { nil }
  }
  private static let wide = Prism(Wide.load) { if case .load(let load) = $0 { load } else { nil } }

  private let feature = Feature<Item> {
    Effect(on: Load.self) { _, _ in }.named("load")
    Feature("archive") { Effect(on: Save.self) { _, _ in }.named("save") }
  }

  private func faults(
    @StoreBuilder<App> _ parts: () -> [StorePart<App>]
  ) -> [RegistrationError.Fault] {
    do throws(RegistrationError) {
      _ = try Store(initialState: App(), coverage: .partial, parts: parts)
      return []
    } catch {
      return error.faults
    }
  }

  private static let effects = "the effect load, the effect archive/save"

  private func doubled(_ place: String) -> [RegistrationError.Fault] {
    [.doubledFeature(state: "App", place: place, effects: Self.effects)]
  }

  // MARK: Refused

  @Test func `with the names of its effects, and the part that it is given for`() throws {
    let faults = faults {
      feature.lifted(\.left)
      feature.lifted(\.left)
    }
    #expect(faults == doubled("left"))
    #expect(
      faults.first?.description == """
        A feature of `App` is given twice for `left`, so that each of its effects would run twice: the \
        effect load, the effect archive/save. Give it once; tag it, or lift it elsewhere, where another instance is \
        meant.
        """)
  }

  @Test func `in children, under a tag, and by a prism of actions`() {
    #expect(
      faults {
        feature.identified().lifted(\.items)
        feature.identified().lifted(\.items)
      } == doubled("items[…]"))
    #expect(
      faults {
        feature.optional().lifted(\.sheet)
        feature.optional().lifted(\.sheet)
      } == doubled("sheet"))
    #expect(
      faults {
        feature.matching(Self.item).lifted(\.page)
        feature.matching(Self.item).lifted(\.page)
      } == doubled("page"))
    // A tag and a lift are the same in either order.
    #expect(
      faults {
        feature.tagged(Left.self).lifted(\.left)
        feature.lifted(\.left).tagged(Left.self)
      } == doubled("left"))
    #expect(
      faults {
        feature.lifted(action: Self.wide).lifted(\.left)
        feature.lifted(action: Self.wide).lifted(\.left)
      } == doubled("left"))
  }

  @Test func `in a store of its own, whose state it knows`() throws {
    let error = #expect(throws: RegistrationError.self) {
      try Store(initialState: Item(id: 1), coverage: .partial) {
        feature
        feature
      }
    }
    #expect(
      error?.description.contains(
        "- A feature of `Item` is given twice, so that each of its effects would run twice") == true
    )
  }

  @Test func `in a feature that holds it, and in parts that a function makes`() {
    let outer = Feature<Item> {
      feature
      feature
    }
    #expect(
      faults { outer.lifted(\.left) } == [
        .doubledFeature(state: "Item", place: "", effects: Self.effects)
      ])
    let doubledItem: [RegistrationError.Fault] = [
      .doubledFeature(state: "Item", place: "", effects: Self.effects)
    ]
    #expect(faults { [feature, feature].identified().lifted(\.items) } == doubledItem)
    #expect(faults { [feature, feature].optional().lifted(\.sheet) } == doubledItem)
    @StoreBuilder<App> func parts() -> [StorePart<App>] { feature.lifted(\.right) }
    #expect(
      faults {
        parts()
        feature.lifted(\.right)
      } == doubled("right"))
  }

  @Test(.warnsOnPurpose) func `by a blueprint, and by register(), which then adds nothing`()
    async throws
  {
    #expect(throws: RegistrationError.self) {
      try StoreBlueprint<App>(coverage: .partial) {
        feature.lifted(\.left)
        feature.lifted(\.left)
      }
    }
    let begun = Recorder<Int>()
    let noting = Feature<Item> { Effect(on: Load.self) { _, _ in begun.append(1) } }
    let store = Store(initialState: App(), coverage: .partial)
    #expect(throws: RegistrationError.self) {
      try store.register(
        Feature {
          noting.lifted(\.left)
          noting.lifted(\.left)
        })
    }
    store.dispatch(Load())
    try await store.settled()
    #expect(begun.count == 0)
    try store.register(noting.lifted(\.left))
    store.dispatch(Load())
    try await store.settled()
    #expect(begun.count == 1)
  }

  @Test func `if it owns something, by that alone`() {
    let owning = Feature<Item> {
      Mutator(\.title) { (title: inout String, _: Load) in title = "" }
      feature
    }
    #expect(
      faults {
        owning.lifted(\.left)
        owning.lifted(\.left)
      } == [.twoReducers(property: "left.title")])
    #expect(
      faults {
        owning.optional().lifted(\.sheet)
        owning.optional().lifted(\.sheet)
      } == [.twoFeatures(property: "sheet")])
  }

  // MARK: Legal

  @Test func `what is another instance is taken`() {
    let unnamed = Lens<App, Item>(
      get: { $0.left },
      set: { app, item in
        var app = app
        app.left = item
        return app
      })
    #expect(
      faults {
        feature.lifted(\.left)
        feature.lifted(\.right)
        feature.tagged(Left.self).lifted(\.left)
        feature.tagged(Right.self).lifted(\.left)
        feature.lifted(action: Self.wide).lifted(\.left)
        feature.optional().lifted(\.sheet)
        feature.identified().lifted(\.items)
        feature.identified().tagged(Left.self).lifted(\.items)
        feature.tagged(Left.self).identified().lifted(\.items)
        feature.offset().lifted(\.items)
        feature.matching(Self.item).lifted(\.page)
        feature.matching(Self.copy).lifted(\.page)
        // Nothing tells whether these are one part.
        feature.lifted(unnamed)
        feature.lifted(unnamed)
      } == [])
  }

  @Test func `parts of one property, by lenses that have its name, are taken`() {
    func item(at index: Int) -> Lens<App, Item> {
      Lens(name: "items", get: { $0.items[index] }, modify: { $1(&$0.items[index]) })
    }
    let (left, right) = (
      Lens(name: "page", \App.left), Lens(name: "page", \App.right)
    )
    #expect(
      faults {
        feature.lifted(item(at: 0))
        feature.lifted(item(at: 1))
        feature.lifted(left)
        feature.lifted(right)
      } == [])
  }

  @Test func `in a feature that owns something, once`() {
    let outer = Feature<Item> {
      Mutator(\.title) { (title: inout String, _: Load) in title = "" }
      feature
      feature
    }
    #expect(
      faults { outer.lifted(\.left) } == [
        .doubledFeature(state: "Item", place: "", effects: Self.effects)
      ])
    #expect(
      faults {
        Feature<App> {
          Mutator(\.left.title) { (title: inout String, _: Load) in title = "" }
          feature.lifted(\.right)
          feature.lifted(\.right)
        }
      } == doubled("right"))
  }

  @Test func `features that were made apart, and features without parts, are taken`() {
    func make() -> Feature<Item> { Feature { Effect(on: Load.self) { _, _ in } } }
    let empty = Feature<Item> {}
    #expect(
      faults {
        make().lifted(\.left)
        make().lifted(\.left)
        empty.lifted(\.left)
        empty.lifted(\.left)
      } == [])
  }

  /// An effect is installed as often as it is given: it has no state that it could be doubled in.
  @Test func `one effect may be installed twice`() async throws {
    let begun = Recorder<Int>()
    let effect = Effect<App>(on: Load.self) { _, _ in begun.append(1) }
    let store = try Store(initialState: App(), coverage: .partial) {
      effect
      effect
    }
    let installed = [store.install(effect), store.install(effect)]
    store.dispatch(Load())
    try await store.settled()
    #expect(begun.count == 4)
    for installed in installed { installed.cancel() }
  }
}
