import Lensed
import LensedPresenters
import LensedTestSupport
import Testing

/// A child that might become another, in each place that a scope leads to.
@Suite(
  "A scope of a child with an identity is that child's, and no other's", .timeLimit(.minutes(30)))
@MainActor
struct ScopeIdentityTests {
  fileprivate struct Item: Sendable, Equatable, Identifiable {
    let id: Int
    var text = ""
  }

  fileprivate struct Child: Sendable, Equatable, Identifiable {
    let id: Int
    var title: String
    var isDone = false
    var items: Entities<Item>

    init(id: Int, _ title: String) {
      (self.id, self.title) = (id, title)
      items = [Item(id: 1, text: title)]
    }
  }

  fileprivate enum Page: Sendable, Equatable {
    case empty
    case child(Child)
  }

  fileprivate struct Folder: Sendable, Equatable, Identifiable {
    let id: Int
    var sheet: Child?
  }

  fileprivate struct App: Sendable {
    var part = Child(id: 1, "a")
    var list = [Child(id: 1, "a")]
    var sheet: Child? = Child(id: 1, "a")
    var page = Page.child(Child(id: 1, "a"))
    var rows: Entities<Child> = [Child(id: 1, "a")]
    var sorted = SortedEntities([Child(id: 1, "a")]) { $0.title < $1.title }
    var byKey = ["key": Child(id: 1, "a")]
    var folders: Entities<Folder> = [Folder(id: 7, sheet: Child(id: 1, "a"))]
    var box: Folder? = Folder(id: 8, sheet: Child(id: 1, "a"))
  }

  private enum Edit: Action { case rename(String), finish }
  private struct Write: Action { let text: String }
  private struct Put: Action {
    let edit: @Sendable (inout App) -> Void
    init(_ edit: @escaping @Sendable (inout App) -> Void) { self.edit = edit }
  }

  nonisolated fileprivate static let child = Prism(Page.child) {
    if case .child(let child) = $0 { child } else { nil }
  }
  private static let shout = Derived(\Child.title) { $0.uppercased() }

  nonisolated private static let reducer = Reducer<Child>.combine(
    Reducer { (child: inout Child, action: Edit) in
      switch action {
      case .rename(let title): child.title = title
      case .finish: child.isDone = true
      }
    },
    Reducer { (item: inout Item, action: Write) in item.text = action.text }
      .identified().lifted(Lens(\Child.items)))

  /// A place of a child, and what there is to be asked for.
  struct Place: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Whether the scope is bound to the identity of the child.
    var isBound = true
    /// Whether a child with another identity stands in the same place, rather than in another.
    var isReplaced = true
    fileprivate let put: @Sendable (inout App, Child?) -> Void
    fileprivate let scope: @Sendable (Store<App>, Int) -> ScopedStore<Child>?
    fileprivate let observed:
      @MainActor @Sendable (ObservedStore<App>, Int) -> ObservedStore<Child>?
  }

  nonisolated static let places = [
    Place(
      testDescription: "a lens", isBound: false, put: { if let child = $1 { $0.part = child } },
      scope: { store, _ in store.scope(\.part) }, observed: { app, _ in app.scope(\.part) }),
    Place(
      testDescription: "an offset", isBound: false,
      put: { if let child = $1 { $0.list = [child] } },
      scope: { store, _ in store.scope(Lens(\.list[0])) },
      observed: { app, _ in
        app.reflecting { ObservedStore($0.scope(Lens(\.list[0]))) }
      }),
    Place(
      testDescription: "an optional", put: { $0.sheet = $1 },
      scope: { store, _ in store.scope(\.sheet) }, observed: { app, _ in app.scope(\.sheet) }),
    Place(
      testDescription: "a case", put: { $0.page = $1.map { .child($0) } ?? .empty },
      scope: { store, _ in store.scope(\.page, matching: child) },
      observed: { app, _ in app.scope(\.page, matching: child) }),
    Place(
      testDescription: "a row in an array", isReplaced: false,
      put: { $0.list = $1.map { [$0] } ?? [] }, scope: { $0.scope(\.list, id: $1) },
      observed: { $0.scope(\.list, id: $1) }),
    Place(
      testDescription: "a row in entities", isReplaced: false,
      put: { $0.rows = $1.map { [$0] } ?? [] }, scope: { $0.scope(\.rows, id: $1) },
      observed: { $0.scope(\.rows, id: $1) }),
    Place(
      testDescription: "a row in sorted entities", isReplaced: false,
      put: { app, child in
        app.sorted = SortedEntities(child.map { [$0] } ?? []) { $0.title < $1.title }
      },
      scope: { $0.scope(\.sorted, id: $1) }, observed: { $0.scope(\.sorted, id: $1) }),
    Place(
      testDescription: "the value of a key", put: { $0.byKey["key"] = $1 },
      scope: { store, _ in store.scope(\.byKey, id: "key") },
      observed: { app, _ in app.scope(\.byKey, id: "key") }),
    Place(
      testDescription: "an optional in a row", put: { $0.folders[id: 7]?.sheet = $1 },
      scope: { store, _ in store.scope(\.folders, id: 7)?.scope(\.sheet) },
      observed: { app, _ in app.scope(\.folders, id: 7)?.scope(\.sheet) }),
    Place(
      testDescription: "an optional in an optional", put: { $0.box?.sheet = $1 },
      scope: { store, _ in store.scope(\.box)?.scope(\.sheet) },
      observed: { app, _ in app.scope(\.box)?.scope(\.sheet) }),
  ]

  private let warnings = Recorder<StoreWarning>()
  private let store: Store<App>

  init() throws {
    let reducer = Self.reducer
    let reducers: [Reducer<App>] = [
      Reducer { (app: inout App, put: Put) in put.edit(&app) },
      reducer.lifted(Lens(\.part)),
      Reducer { (app: inout App, edit: Edit) in
        if !app.list.isEmpty { reducer.reduce(&app.list[0], edit) }
      },
      Reducer { (app: inout App, write: ElementAction<Int, Write>) in
        if !app.list.isEmpty { reducer.reduce(&app.list[0], write) }
      },
      reducer.identified().lifted(Lens(\.list)), reducer.optional().lifted(Lens(\.sheet)),
      reducer.matching(Self.child).lifted(Lens(\.page)), reducer.identified().lifted(Lens(\.rows)),
      reducer.identified().lifted(Lens(\.sorted)), reducer.keyed().lifted(Lens(\.byKey)),
      reducer.optional().lifted(Lens(\Folder.sheet)).identified().lifted(Lens(\.folders)),
      reducer.optional().lifted(Lens(\Folder.sheet)).optional().lifted(Lens(\.box)),
    ]
    store = try Store(
      initialState: App(), coverage: .partial, onWarning: { [warnings] in warnings.append($0) }
    ) {
      Mutator(\.self, Reducer.combine(reducers))
    }
  }

  private func put(_ child: Child?, in place: Place) {
    store.dispatch(Put { place.put(&$0, child) })
  }

  @Test(arguments: places)
  func `a scope of a store shows the child that it was made for, and writes to no other`(
    _ place: Place
  ) throws {
    let old = try #require(place.scope(store, 1))
    old.dispatch(Edit.rename("b"))
    #expect((old.id, old.title) == (1, "b"))
    put(Child(id: 2, "other"), in: place)
    guard place.isBound else {
      #expect((old.id, old.title) == (2, "other"))
      old.dispatch(Edit.rename("c"))
      #expect(place.scope(store, 2)?.title == "c")
      return #expect(warnings.count == 0)
    }
    #expect(old.state == Child(id: 1, "a"), "as it was made")
    #expect(place.scope(store, 1)?.id == (place.isReplaced ? 2 : nil))
    old.dispatch(Edit.rename("late"))
    old.dispatch([Edit.rename("late"), .finish])
    #expect(old.dispatch(Edit.rename("late"), focusingOn: \.title) == "a")
    let new = try #require(place.scope(store, 2))
    #expect(new.state == Child(id: 2, "other"))
    #expect(Set(warnings.values.map(\.kind)) == [.departedScope])
    let text = try #require(warnings.values.first?.description)
    #expect(text.contains("made for the child `1`, and `2` is in its place") == place.isReplaced)
    new.dispatch(Edit.rename("c"))
    #expect((old.title, new.title) == ("a", "c"))
    // It is the child's again when that is back.
    put(Child(id: 1, "back"), in: place)
    old.dispatch(Edit.finish)
    #expect((old.title, old.isDone, new.title) == ("back", true, "other"))
  }

  @Test(arguments: places)
  func `an observed child shows the child that it was made for, and another object the next one`(
    _ place: Place
  ) throws {
    let app = ObservedStore(store)
    let old = try #require(place.observed(app, 1))
    #expect(old.title == "a")
    old.dispatch(Edit.rename("b"))
    app.dispatch(Put { place.put(&$0, Child(id: 2, "other")) })
    let new = try #require(place.observed(app, 2))
    guard place.isBound else {
      old.dispatch(Edit.finish)
      return #expect((old.id, old.title, new.isDone) == (2, "other", true))
    }
    #expect(old !== new)
    var last = Child(id: 1, "a")
    last.title = "b"
    // The title was shown, all else was not: it is of the same commit.
    #expect((old.title, old.state, old.isDone) == ("b", last, false))
    #expect(new.state == Child(id: 2, "other"))
    old.dispatch(Edit.rename("late"))
    #expect((old.title, new.title) == ("b", "other"))
    new.dispatch(Edit.rename("c"))
    #expect((old.title, new.title, place.scope(store, 2)?.title) == ("b", "c", "c"))
    #expect(place.observed(app, 2) === new)
  }

  @Test(arguments: places)
  func `a derived value is that of the child`(_ place: Place) throws {
    let app = ObservedStore(store)
    let (old, shown) = (try #require(place.scope(store, 1)), try #require(place.observed(app, 1)))
    #expect((old[Self.shout], shown[Self.shout]) == ("A", "A"))
    shown.dispatch(Edit.rename("b"))
    #expect((old[Self.shout], shown[Self.shout]) == ("B", "B"))
    let heard = Recorder<String>()
    let subscription = old.states(Self.shout).subscribe { heard.append($0) }
    app.dispatch(Put { place.put(&$0, Child(id: 2, "other")) })
    let new = try #require(place.observed(app, 2))
    #expect(new[Self.shout] == "OTHER")
    #expect(try #require(place.scope(store, 2))[Self.shout] == "OTHER")
    #expect(
      (old[Self.shout], shown[Self.shout]) == (place.isBound ? ("A", "B") : ("OTHER", "OTHER")))
    new.dispatch(Edit.rename("c"))
    #expect((new[Self.shout], shown[Self.shout]) == ("C", place.isBound ? "B" : "C"))
    #expect(heard.values == (place.isBound ? ["B"] : ["B", "OTHER", "C"]))
    subscription.cancel()
  }

  @Test(arguments: places)
  func `a row in the child is that of the child`(_ place: Place) throws {
    let app = ObservedStore(store)
    let (old, shown) = (try #require(place.scope(store, 1)), try #require(place.observed(app, 1)))
    let row = try #require(old.scope(\.items, id: 1))
    let shownRow = try #require(shown.scope(\.items, id: 1))
    row.dispatch(Write(text: "b"))
    app.reflecting { _ in }
    #expect((row.text, shownRow.text, shown[\.items, id: 1]?.text) == ("b", "b", "b"))
    app.dispatch(Put { place.put(&$0, Child(id: 2, "other")) })
    let new = try #require(place.observed(app, 2))
    #expect(new.scope(\.items, id: 1)?.text == "other")
    guard place.isBound else {
      return #expect(
        (row.text, shownRow.text, shown[\.items, id: 1]?.text) == ("other", "other", "other"))
    }
    #expect((row.text, old[\.items, id: 1]?.text) == ("a", "a"), "as they were made")
    #expect((shownRow.text, shownRow.id, shown[\.items, id: 1]?.text) == ("b", 1, "b"))
    row.dispatch(Write(text: "late"))
    shownRow.dispatch(Write(text: "late"))
    #expect(place.scope(store, 2)?.items[id: 1]?.text == "other")
    #expect(Set(warnings.values.map(\.kind)) == [.departedScope])
  }

  @Test(arguments: places)
  func `streams and changes of the scope are those of the child`(_ place: Place) throws {
    let old = try #require(place.scope(store, 1))
    let (titles, states) = (Recorder<String>(), Recorder<Int>())
    let subscriptions = [
      old.states(\.title).subscribe { titles.append($0) },
      old.states.subscribe { states.append($0.id) },
    ]
    old.dispatch(Edit.rename("b"))
    put(Child(id: 2, "other"), in: place)
    place.scope(store, 2)?.dispatch(Edit.rename("c"))
    put(nil, in: place)
    if place.isBound {
      put(Child(id: 1, "back"), in: place)
      #expect(titles.values == ["a", "b", "back"])
      #expect(Set(states.values) == [1])
      put(Child(id: 2, "other"), in: place)
      let late = Recorder<String>()
      let subscription = old.states(\.title).subscribe { late.append($0) }
      place.scope(store, 2)?.dispatch(Edit.rename("c"))
      #expect(late.values == ["a"], "what it was made with comes first, and then nothing")
      subscription.cancel()
    } else {
      #expect(titles.values == ["a", "b", "other", "c"])
    }
    for subscription in subscriptions { subscription.cancel() }
  }

  @Test(arguments: places)
  func `commands of one child are not those of another`(_ place: Place) throws {
    let old = Dispatcher(try #require(place.scope(store, 1)))
    let again = Dispatcher(try #require(place.scope(store, 1)))
    store.dispatch(Put { place.put(&$0, Child(id: 2, "other")) })
    let new = Dispatcher(try #require(place.scope(store, 2)))
    struct Touch: Action, Hashable {}
    #expect(old.command(Touch()) == again.command(Touch()))
    #expect((old.command(Touch()) == new.command(Touch())) == !place.isBound)
  }
}
