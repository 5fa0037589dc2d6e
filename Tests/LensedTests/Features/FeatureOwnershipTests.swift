import Lensed
import LensedTestSupport
import Testing

@Suite("Ownership inside of a child is proved, with names", .timeLimit(.minutes(30)))
struct FeatureOwnershipTests {
  struct Item: Sendable, Equatable, Identifiable {
    let id: Int
    var title = ""
    var tags: Tags = .init()
    struct Tags: Sendable, Equatable { var first = "" }
  }
  struct App: Sendable, Equatable {
    var items: [Item] = []
    var sheet: Item?
    var page = Page.none
    enum Page: Sendable, Equatable { case none, item(Item), copy(Item) }
  }
  struct Set: Action {}

  static func feature(
    @StoreBuilder<Item> _ parts: () -> [StorePart<Item>] = { [] }
  ) -> Feature<Item> {
    Feature {
      Constant(\.id)
      Mutator(\.title) { (title: inout String, _: Set) in title = "set" }
      parts()
    }
  }

  static let itemCase = Prism<App.Page, Item>(
    embed: App.Page.item, extract: { if case .item(let item) = $0 { item } else { nil } })
  static let copyCase = Prism<App.Page, Item>(
    embed: App.Page.copy, extract: { if case .copy(let item) = $0 { item } else { nil } })

  /// The sentences by which a store refuses parts.
  func refusal(
    _ state: App = App(), coverage: Coverage = .partial,
    @StoreBuilder<App> _ parts: () -> [StorePart<App>]
  ) -> String {
    do {
      _ = try Store(initialState: state, coverage: coverage, parts: parts)
      return ""
    } catch {
      return "\(error)"
    }
  }

  @Test func `two reducers of a property of a child are refused by the name of the property`() {
    let twice = Self.feature { Mutator(\.title) { (title: inout String, _: Set) in title = "" } }
    #expect(
      refusal { twice.identified().lifted(\.items) }.contains("`items[…].title` has two reducers"))
    #expect(refusal { twice.optional().lifted(\.sheet) }.contains("`sheet.title` has two reducers"))
  }

  @Test func `parts of a child that overlap are refused by their names`() {
    let overlapping = Self.feature {
      Mutator(\.tags) { (tags: inout Item.Tags, _: Set) in tags.first = "" }
      Mutator(\.tags.first) { (first: inout String, _: Set) in first = "" }
    }
    #expect(
      refusal { overlapping.identified().lifted(\.items) }
        .contains("`items[…].tags` and `items[…].tags.first` overlap"))
  }

  @Test func `a feature given twice is refused`() {
    let feature = Self.feature()
    #expect(
      refusal {
        feature.identified().lifted(\.items)
        feature.identified().lifted(\.items)
      }.contains("Two features own the same children of `items`, or one was given twice"))
    #expect(
      refusal {
        feature.matching(Self.itemCase).lifted(\.page)
        feature.matching(Self.itemCase).lifted(\.page)
      }.contains("Two features own the same children of `page`"))
  }

  @Test func `features of two cases of an enum stand side by side`() throws {
    let store = try Store(initialState: App(page: .copy(Item(id: 1))), coverage: .partial) {
      Self.feature().matching(Self.itemCase).lifted(\.page)
      Self.feature().matching(Self.copyCase).lifted(\.page)
    }
    store.dispatch(Set())
    #expect(store.page == .copy(Item(id: 1, title: "set")))
  }

  struct Larger: Sendable, Equatable {
    var app = App()
    var other = App()
  }

  @Test(.warnsOnPurpose)
  func `the owner of a larger part stands beside features of children in it`() throws {
    struct Add: Action {}
    let store = try Store(initialState: Larger()) {
      Self.feature { Constant(\.tags) }.identified().lifted(\Larger.app.items)
      Mutator(\Larger.app) { (app: inout App, _: Add) in
        app.items.append(Item(id: app.items.count))
        app.sheet = Item(id: 7)
      }
      Self.feature { Constant(\.tags) }.optional().lifted(\Larger.app.sheet)
      Constant(\Larger.other)
    }
    let rows = Recorder<Item?>()
    let row = store.states(\.app.items, id: 1).subscribe { rows.append($0) }
    store.dispatch([Add(), Add()])
    store.dispatch(ElementAction(id: 1, action: Set()))
    store.dispatch(ElementAction(id: 0, action: Set()))
    store.dispatch(Set())
    #expect(store.app.items == [Item(id: 0, title: "set"), Item(id: 1, title: "set")])
    #expect(store.app.sheet == Item(id: 7, title: "set"))
    #expect(rows.values == [nil, Item(id: 1), Item(id: 1, title: "set")])
    row.cancel()
    #expect(store.unregister(\.app))
    store.dispatch([Add()])
    store.dispatch(ElementAction(id: 1, action: RowAction.rename("late")))
    #expect(store.app.items.count == 2, "what owned them has gone, with the features in it")
    try store.register(
      Mutator(\Larger.app.items) { (items: inout [Item], _: Add) in items = [] })
    store.dispatch(Add())
    #expect(store.app.items == [])
  }

  @Test func `beside features of children, parts are compared as before`() {
    func refusal(@StoreBuilder<Larger> _ parts: () -> [StorePart<Larger>]) -> String {
      do {
        _ = try Store(initialState: Larger(), coverage: .partial, parts: parts)
        return ""
      } catch {
        return "\(error)"
      }
    }
    let items = Self.feature().identified().lifted(\Larger.app.items)
    let app = Mutator(\Larger.app) { (_: inout App, _: Set) in }
    let sheet = Mutator(\Larger.app.sheet) { (_: inout Item?, _: Set) in }
    #expect(
      refusal {
        app; items
      } == "")
    #expect(
      refusal {
        items; app
      } == "")
    #expect(
      refusal {
        app; items; sheet
      }.contains("`app` and `app.sheet` overlap"))
    #expect(
      refusal {
        items; sheet; app
      }.contains("`app.sheet` and `app` overlap"))
    #expect(
      refusal {
        Constant(\Larger.app); items
      }.contains("`app.items` is `Constant`"))
    #expect(
      refusal {
        app; items; items
      }.contains("Two features own the same children"))
    let whole = Mutator(lens: Lens(name: "everything", \Larger.self)) {
      (_: inout Larger, _: Set) in
    }
    #expect(
      refusal {
        app; items; whole
      } != "")
    #expect(
      refusal {
        items; whole
      }.contains("overlap"), "its name leads elsewhere")
  }

  @Test func `an Constant property with a feature of its children is refused`() {
    #expect(
      refusal {
        Constant(\App.items)
        Self.feature().identified().lifted(\.items)
      }.contains("`items` is `Constant`"))
  }

  @Test func `a prism of actions that fits nothing in a feature is refused`() {
    struct Wide: Action {}
    struct Narrow: Action {}
    let prism = Prism<Wide, Narrow>(embed: { _ in Wide() }, extract: { _ in Narrow() })
    #expect(
      refusal { Self.feature().lifted(action: prism).identified().lifted(\.items) }
        .contains(
          """
          The reducer of `items[…].title` was lifted by a prism from `Wide` to `Narrow`, and handles no `Narrow`
          """))
    let several = Self.feature { Mutator(\.self) { (_: inout Item, _: Set) in } }
    #expect(
      refusal { several.lifted(action: prism).identified().lifted(\.items) }
        .contains("nothing in it is of `Narrow`"))
  }

  @Test func `a property of a child without an owner is named when the store has such a child`() {
    let complete = { (state: App) in
      refusal(state, coverage: .complete) {
        Self.feature().identified().lifted(\.items)
        Self.feature { Mutator(\.tags) { (_: inout Item.Tags, _: Set) in } }
          .optional().lifted(\.sheet)
        Constant(\App.page)
      }
    }
    #expect(
      complete(App(items: [Item(id: 7)], sheet: Item(id: 1))).contains(
        "`items[7].tags` has no reducer"))
    #expect(complete(App()) == "")
  }

  @Test func `a child that appears with uncovered properties traps once it is reduced`() async {
    await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      struct Add: Action {}
      let store = try Store(initialState: App()) {
        Mutator(\App.items) { (items: inout [Item], _: Add) in items.append(Item(id: 3)) }
        Self.feature().identified().lifted(\.items)
        Constant(\App.sheet)
        Constant(\App.page)
      }
      store.dispatch(Add())
      store.dispatch(ElementAction(id: 3, action: Set()))
    }
    .map {
      #expect(
        $0.message.contains(
          "a child appeared that its feature does not fit:\n- `items[3].tags` has no reducer."))
    }
  }

  @Test func `children that appear in one commit are named in one message`() async {
    await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      struct Add: Action {}
      let store = try Store(initialState: App()) {
        Mutator(\App.items) { (items: inout [Item], _: Add) in items.append(Item(id: 3)) }
        Mutator(\App.sheet) { (sheet: inout Item?, _: Add) in sheet = Item(id: 4) }
        Self.feature().identified().lifted(\.items)
        Self.feature().optional().lifted(\.sheet)
        Constant(\App.page)
      }
      store.dispatch(Add())
      store.dispatch([ElementAction(id: 3, action: Set()), Set()] as [any Action])
    }
    .map {
      #expect($0.message.contains("- `items[3].tags` has no reducer."))
      #expect($0.message.contains("- `sheet.tags` has no reducer."))
    }
  }
}
