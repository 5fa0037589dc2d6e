import Lensed
import LensedTestSupport
import Testing

@Suite("Scopes in an app with one wide action enum, of every kind", .timeLimit(.minutes(30)))
struct WideScopeTests {
  struct Profile: Sendable, Equatable, Identifiable {
    var id = 0
    var name = ""
  }

  enum Page: Sendable, Equatable { case none, editor(Profile) }

  struct App: Sendable, Equatable {
    var profile = Profile()
    var rows: Entities<Profile> = [Profile(id: 7), Profile(id: 8)]
    var sheet: Profile? = Profile(id: 1)
    var page = Page.editor(Profile(id: 2))
  }

  enum Rename: Action, Equatable { case to(String) }

  enum AppAction: Action {
    case profile(Rename)
    case row(ElementAction<Int, Rename>)
    case sheet(Rename)
    case page(Rename)
  }

  private enum Left {}

  private static let profileCase = Prism(AppAction.profile) {
    if case .profile(let action) = $0 { action } else { nil }
  }
  private static let rowCase = Prism(AppAction.row) {
    if case .row(let action) = $0 { action } else { nil }
  }
  private static let sheetCase = Prism(AppAction.sheet) {
    if case .sheet(let action) = $0 { action } else { nil }
  }
  private static let pageCase = Prism(AppAction.page) {
    if case .page(let action) = $0 { action } else { nil }
  }
  private static let editor = Prism(Page.editor) {
    if case .editor(let profile) = $0 { profile } else { nil }
  }

  private static let profile = Feature<Profile> {
    Constant(\.id)
    Mutator(\.name) { (name: inout String, action: Rename) in
      if case .to(let new) = action { name = new }
    }
  }

  private func makeStore() throws -> Store<App> {
    try Store(initialState: App(), coverage: .partial) {
      Self.profile.lifted(action: Self.profileCase).lifted(\.profile)
      Self.profile.identified().lifted(action: Self.rowCase).lifted(\.rows)
      Self.profile.optional().lifted(action: Self.sheetCase).lifted(\.sheet)
      Self.profile.matching(Self.editor).lifted(action: Self.pageCase).lifted(\.page)
    }
  }

  @Test func `of a store: a part, a lens, a row, an optional, a case of an enum`() throws {
    let store = try makeStore()
    let profile: ScopedStore<Profile> = store.scope(\.profile, actions: .case(Self.profileCase))
    profile.dispatch(Rename.to("a"))
    #expect((profile.name, store.profile.name) == ("a", "a"))
    store.scope(Lens(\.profile), actions: .case(Self.profileCase)).dispatch([
      Rename.to("b"), .to("c"),
    ])
    #expect(store.profile.name == "c")
    try #require(store.scope(\.rows, id: 8, actions: .case(Self.rowCase))).dispatch(Rename.to("8"))
    try #require(store.scope(\.sheet, actions: .case(Self.sheetCase))).dispatch(Rename.to("s"))
    try #require(store.scope(\.page, matching: Self.editor, actions: .case(Self.pageCase)))
      .dispatch(Rename.to("p"))
    #expect(store.rows.map(\.name) == ["", "8"])
    #expect(store.sheet?.name == "s")
    #expect(store.page == .editor(Profile(id: 2, name: "p")))
  }

  @Test func `in a scope, the wide actions are those of the scope`() throws {
    struct Root: Sendable { var app = App() }
    let store = try Store(initialState: Root(), coverage: .partial) {
      Feature<App> {
        Self.profile.lifted(action: Self.profileCase).lifted(\.profile)
        Self.profile.identified().lifted(action: Self.rowCase).lifted(\.rows)
      }
      .tagged(Left.self).lifted(\.app)
    }
    let app = store.scope(\.app, actions: .tagged(Left.self))
    app.scope(\.profile, actions: .case(Self.profileCase)).dispatch(Rename.to("a"))
    try #require(app.scope(\.rows, id: 7, actions: .case(Self.rowCase))).dispatch(Rename.to("7"))
    #expect((store.app.profile.name, store.app.rows[id: 7]?.name) == ("a", "7"))
  }

  @Test func `an optional is a scope that is nil, with a tag and with a prism, by whatever path`()
    throws
  {
    let store = try makeStore()
    store.replaceState(App(sheet: nil))
    // Compiles for an optional scope alone.
    #expect(store.scope(\.sheet, actions: .case(Self.sheetCase))?.name == nil)
    #expect(store.scope(\.sheet, actions: .tagged(Left.self))?.name == nil)
    #expect(store.scope(\.self).scope(\.sheet, actions: .tagged(Left.self))?.name == nil)
    #expect(store.scope(\.self).scope(\.sheet, actions: .case(Self.sheetCase))?.name == nil)
  }

  @Test func `the changes of such a scope have its own actions`() async throws {
    let store = try makeStore()
    let profile = store.scope(\.profile, actions: .case(Self.profileCase))
    let row = try #require(store.scope(\.rows, id: 7, actions: .case(Self.rowCase)))
    var (changes, ofRow) = (
      profile.changes().makeAsyncIterator(), row.changes().makeAsyncIterator()
    )
    profile.dispatch(Rename.to("a"))
    row.dispatch(Rename.to("7"))
    store.dispatch([AppAction.profile(.to("b")), .sheet(.to("s"))])
    let (first, _, third) = (await changes.next(), await changes.next(), await changes.next())
    #expect(first?.action as? Rename == .to("a"))
    #expect((third?.action as? ActionList)?.actions.first as? Rename == .to("b"))
    #expect((third?.action as? ActionList)?.actions.last is AppAction)
    #expect(await ofRow.next()?.action is AppAction)
    #expect(await ofRow.next()?.action as? Rename == .to("7"))
  }

  @Test @MainActor func `of an observed store: a part, a row, an optional, a case of an enum`()
    throws
  {
    let app = ObservedStore(try makeStore())
    let profile = app.scope(\.profile, actions: .case(Self.profileCase))
    #expect(app.scope(\.profile, actions: .case(Self.profileCase)) === profile)
    #expect(app.scope(\.profile, actions: .case(Self.sheetCase)) !== profile)
    let (view, other) = (Onlooker { _ = profile.name }, Onlooker { _ = app.sheet })
    profile.dispatch(Rename.to("a"))
    #expect((profile.name, view.count, other.count) == ("a", 1, 0))
    let row = try #require(app.scope(\.rows, id: 7, actions: .case(Self.rowCase)))
    row.dispatch(Rename.to("7"))
    let sheet = try #require(app.scope(\.sheet, actions: .case(Self.sheetCase)))
    sheet.dispatch(Rename.to("s"))
    let editor = try #require(
      app.scope(\.page, matching: Self.editor, actions: .case(Self.pageCase)))
    editor.dispatch(Rename.to("p"))
    #expect((row.name, sheet.name, editor.name) == ("7", "s", "p"))
    #expect(app.state.rows.map(\.name) == ["7", ""])
    #expect(app.scope(\.rows, id: 9, actions: .case(Self.rowCase)) == nil)
  }

  @Test(.warnsOnPurpose) func `an array arrives as an array, through every step`() async throws {
    let store = try makeStore()
    let renames = [Rename.to("a"), .to("b")]
    let scopes: [(ScopedStore<Profile>, any Action.Type)] = [
      (store.scope(\.profile), [Rename].self),
      (store.scope(\.profile, actions: .case(Self.profileCase)), [AppAction].self),
      (store.scope(\.profile, actions: .tagged(Left.self)), [Tagged<Left, Rename>].self),
      (try #require(store.scope(\.rows, id: 7)), [ElementAction<Int, Rename>].self),
      (try #require(store.scope(\.rows, id: 7, actions: .case(Self.rowCase))), [AppAction].self),
      (try #require(store.scope(\.sheet, actions: .case(Self.sheetCase))), [AppAction].self),
      (
        try #require(store.scope(\.page, matching: Self.editor, actions: .case(Self.pageCase))),
        [AppAction].self
      ),
    ]
    for (scope, type) in scopes {
      var ofStore = store.changes().makeAsyncIterator()
      var ofScope = scope.changes().makeAsyncIterator()
      scope.dispatch(renames)
      let action = try #require(await ofStore.next()?.action)
      #expect(Swift.type(of: action) == type)
      if type != [Rename].self {
        #expect(await ofScope.next()?.action as? [Rename] == renames)
      }
    }
  }
}
