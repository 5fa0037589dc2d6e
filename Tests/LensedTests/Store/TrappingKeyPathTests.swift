import Lensed
import LensedTestSupport
import Testing

@Suite(
  "A key path that would trap in some states is refused with a sentence where it is given",
  .timeLimit(.minutes(30)))
struct TrappingKeyPathTests {
  struct Row: Sendable, Equatable, Identifiable {
    let id: Int
    var title = ""
    var note: String?
    var page = Page.none
  }

  enum Page: Sendable, Equatable { case none, text(String) }

  struct Sheet: Sendable, Equatable {
    var title = ""
    var inner: Row?
    var rows: [Row] = []
    var byKey: [String: Row] = [:]
    var page = Page.none
  }

  struct App: Sendable, Equatable {
    var sheet: Sheet? = Sheet(inner: Row(id: 1), rows: [Row(id: 1)])
    var rows = [Row(id: 1), Row(id: 2)]
    var slice: ArraySlice<Row> = [Row(id: 1)]
    var list: ContiguousArray<Row> = [Row(id: 1)]
    var plain = Sheet()
    var computed: Row {
      get { rows[0] }
      set { rows[0] = newValue }
    }
  }

  private struct Name: Action {}
  private enum Wide: Action { case name(Name), row(ElementAction<Int, Name>) }
  private enum Tag {}

  private static let text = Prism(Page.text) { if case .text(let text) = $0 { text } else { nil } }
  private static let wide = Prism(Wide.name) { if case .name(let name) = $0 { name } else { nil } }
  private static let wideRow = Prism(Wide.row) { if case .row(let row) = $0 { row } else { nil } }

  private static func makeStore() -> Store<App> { Store(initialState: App(), coverage: .partial) }

  /// A way to give such a key path: its name, the key path in the message, what it would trap for, and the remedy.
  struct Entry: Sendable {
    let name: String
    let path: String
    let remedy: String
    let give: @MainActor @Sendable () -> Void

    init(
      _ name: String, _ path: String, _ remedy: String,
      _ give: @escaping @MainActor @Sendable () -> Void
    ) {
      (self.name, self.path, self.remedy, self.give) = (name, path, remedy, give)
    }
  }

  private static let ofOptional = "Write scope(…) of the optional itself"
  private static let ofArray = "Write scope(_:id:) of the array itself"
  private static let liftOptional =
    "Make what is lifted optional(), and lift that to the optional itself."
  private static let liftArray = "Make it identified() or offset(), for the array itself."
  private static let question = "Write `?` in place of `!`"
  private static let withID = "Write the array itself with `id:`"

  static let entries: [Entry] = scopes + childScopes + observed + lifts + others

  private static let scopes: [Entry] = [
    Entry("the scope", "sheet!", ofOptional) { _ = makeStore().scope(\.sheet!) },
    Entry("the scope", "sheet!.title", ofOptional) { _ = makeStore().scope(\.sheet!.title) },
    Entry("the scope", "sheet!", ofOptional) {
      _ = makeStore().scope(\.sheet!, actions: .tagged(Tag.self))
    },
    Entry("the scope", "sheet!", ofOptional) {
      _ = makeStore().scope(\.sheet!, actions: .case(wide))
    },
    Entry("the scope", "inner!", ofOptional) { _ = makeStore().scope(\.plain).scope(\.inner!) },
    Entry("the scope", "inner!", ofOptional) {
      _ = makeStore().scope(\.plain).scope(\.inner!, actions: .tagged(Tag.self))
    },
    Entry("the scope", "rows", ofArray) { _ = makeStore().scope(\.rows[3]) },
    Entry("the scope", "rows", ofArray) { _ = makeStore().scope(\.rows[1].title) },
    Entry("the scope", "slice", ofArray) { _ = makeStore().scope(\.slice[0]) },
    Entry("the scope", "list", ofArray) { _ = makeStore().scope(\.list[0]) },
    Entry("the scope", "plain.rows", ofArray) { _ = makeStore().scope(\.plain.rows[0]) },
    Entry("the scope", "rows", ofArray) { _ = makeStore().scope(\.plain).scope(\.rows[0]) },
  ]

  private static let childScopes: [Entry] = [
    Entry("the scope", "sheet!.inner", ofOptional) {
      let inner: ScopedStore<Row>? = makeStore().scope(\.sheet!.inner)
      _ = inner
    },
    Entry("the scope", "sheet!.inner", ofOptional) {
      let inner: ScopedStore<Row>? = makeStore().scope(\.sheet!.inner, actions: .tagged(Tag.self))
      _ = inner
    },
    Entry("the scope", "sheet!.inner", ofOptional) {
      let inner: ScopedStore<Row>? = makeStore().scope(\.sheet!.inner, actions: .case(wide))
      _ = inner
    },
    Entry("the scope", "inner!.note", ofOptional) {
      let note: ScopedStore<String>? = makeStore().scope(\.plain).scope(\.inner!.note)
      _ = note
    },
    Entry("the scope", "rows", ofArray) {
      let note: ScopedStore<String>? = makeStore().scope(\.rows[0].note)
      _ = note
    },
    Entry("the scope", "sheet!.rows", ofOptional) { _ = makeStore().scope(\.sheet!.rows, id: 1) },
    Entry("the scope", "sheet!.rows", ofOptional) {
      _ = makeStore().scope(\.sheet!.rows, id: 1, actions: .tagged(Tag.self))
    },
    Entry("the scope", "sheet!.rows", ofOptional) {
      _ = makeStore().scope(\.sheet!.rows, id: 1, actions: .case(wideRow))
    },
    Entry("the scope", "sheet!.page", ofOptional) {
      _ = makeStore().scope(\.sheet!.page, matching: text)
    },
    Entry("the scope", "sheet!.page", ofOptional) {
      _ = makeStore().scope(\.sheet!.page, matching: text, actions: .tagged(Tag.self))
    },
    Entry("the scope", "rows", ofArray) {
      _ = makeStore().scope(\.rows[0].page, matching: text, actions: .case(wide))
    },
  ]

  private static let observed: [Entry] = [
    Entry("the scope", "sheet!", ofOptional) { _ = ObservedStore(makeStore()).scope(\.sheet!) },
    Entry("the scope", "sheet!", ofOptional) {
      _ = ObservedStore(makeStore()).scope(\.sheet!, actions: .tagged(Tag.self))
    },
    Entry("the scope", "sheet!", ofOptional) {
      _ = ObservedStore(makeStore()).scope(\.sheet!, actions: .case(wide))
    },
    Entry("the scope", "sheet!.inner", ofOptional) {
      let inner: ObservedStore<Row>? = ObservedStore(makeStore()).scope(\.sheet!.inner)
      _ = inner
    },
    Entry("the scope", "sheet!.rows", ofOptional) {
      _ = ObservedStore(makeStore()).scope(\.sheet!.rows, id: 1)
    },
    Entry("the scope", "rows", ofArray) {
      _ = ObservedStore(makeStore()).scope(\.rows[0].page, matching: text)
    },
    Entry("the stream", "sheet!.rows", question) {
      _ = ObservedStore(makeStore())[\.sheet!.rows, id: 1]
    },
  ]

  private static let sheet = Feature<Sheet> { Constant(\.page) }
  private static let naming = Mutator(\Row.title) { (title: inout String, _: Name) in title = "x" }

  private static let lifts: [Entry] = [
    Entry("the lift", "sheet!", liftOptional) { _ = sheet.lifted(\App.sheet!) },
    Entry("the lift", "rows", liftArray) { _ = naming.lifted(\App.rows[0]) },
    Entry("the lift", "sheet!.inner!", liftOptional) { _ = naming.lifted(\App.sheet!.inner!) },
    Entry("the lift", "sheet!", liftOptional) {
      _ = Effect<Sheet>(on: Name.self) { _, _ in }.lifted(\App.sheet!)
    },
    Entry("the lift", "sheet!", liftOptional) {
      _ = Feature<Sheet>("s") { Effect(on: Name.self) { _, _ in } }.lifted(\App.sheet!)
    },
    Entry("the lift", "rows", liftArray) {
      _ = Reducer { (row: inout Row, _: Name) in row.title = "" }.lifted(\App.rows[1])
    },
    Entry("the lift", "sheet!.inner!", liftOptional) {
      _ = AsyncMutator(\Row.title) { (title: String, _: Name) in AsyncResult(value: title) }
        .lifted(\App.sheet!.inner!)
    },
    Entry("the lift", "sheet!", liftOptional) {
      _ = Derived(\Sheet.title) { title in title.count }.lifted(\App.sheet!)
    },
  ]

  private static let others: [Entry] = [
    Entry("the mutator", "sheet!.title", "Write a mutator of the optional itself") {
      _ = Mutator(\App.sheet!.title) { (title: inout String, _: Name) in title = "" }
    },
    Entry("the mutator", "rows", liftArray) {
      _ = Mutator(\App.rows[0], Reducer { (row: inout Row, _: Name) in row.title = "" })
    },
    Entry("the mutator", "sheet!.title", "Write a mutator of the optional itself") {
      _ = AsyncMutator(\App.sheet!.title) { (title: String, _: Name) in AsyncResult(value: title) }
    },
    Entry("the stream", "sheet!.title", question) { _ = makeStore().states(\.sheet!.title) },
    Entry("the stream", "rows", withID) { _ = makeStore().states(\.rows[0].title) },
    Entry("the stream", "rows", withID) { _ = makeStore().states(\.rows[0..<1]) },
    Entry("the input", "slice", withID) { _ = Derived(\App.slice[0...1]) { $0.count } },
    Entry("the stream", "sheet!.rows", question) { _ = makeStore().states(\.sheet!.rows, id: 1) },
    Entry("the effect", "sheet!.title", question) {
      _ = Effect<App>(whenChanged: \.sheet!.title, .latest) { _, _ in }
    },
    Entry("the effect", "sheet!.inner", question) {
      _ = Effect<App>(on: Name.self) { _, _ in }.tied(to: \.sheet!.inner)
    },
    Entry("the input", "sheet!.title", question) { _ = Derived(\App.sheet!.title) { $0.count } },
    Entry("the input", "rows", withID) {
      _ = Mutator(\App.plain) { (_: inout Sheet, _: Name) in }
        .on(Wide.self, reading: \.rows[0]) { _, _, _ in }
    },
    Entry("the history", "sheet!.title", "Record the optional itself.") {
      _ = History(\App.sheet!.title, limit: 3)
    },
  ]

  @Test(arguments: 0..<entries.count) func `with the key path, the reason and the remedy`(
    number: Int
  ) async {
    let entry = Self.entries[number]
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [number = number as Int] in
      await TrappingKeyPathTests.entries[number].give()
    }
    let said = result?.message ?? ""
    let reason =
      entry.path.contains("!") ? "the optional in it is nil" : "the array in it is too short"
    #expect(said.contains("Lensed: \(entry.name) of \\"), "\(said)")
    #expect(said.contains(".\(entry.path)"), "\(said)")
    #expect(said.contains(" would trap whenever \(reason). \(entry.remedy)"), "\(said)")
  }

  /// The index of `Entities` looks as a computed property does.
  @Test func `an index of Entities traps when the rows get fewer, and says how to observe a row`()
    async
  {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      struct List: Sendable { var rows: Entities<Row> = [Row(id: 7), Row(id: 8)] }
      let store = try Store(initialState: List()) {
        Mutator(\.rows) { (rows: inout Entities<Row>, _: Name) in rows[id: 8] = nil }
      }
      let reading = store.states(\.rows[1]).subscribe { _ in }
      store.dispatch(Name())
      reading.cancel()
    }
    let said = result?.message ?? ""
    #expect(said.contains("1 is no position in an `Entities<Row>` of 1"), "\(said)")
    #expect(said.contains("`\\.rows[1]`, traps when the rows get fewer"), "\(said)")
    #expect(said.contains("as `states(\\.rows, id: 7)`."), "\(said)")
  }

  @Test func `what cannot trap is taken, and so is a lens, whose author knows better`() throws {
    let store = try Store(initialState: App(), coverage: .partial) {
      Mutator(lens: Lens(\App.rows[1]), reducer: { (row: inout Row, _: Name) in row.title = "x" })
    }
    let second = store.scope(Lens(\.rows[1]))
    second.dispatch(Name())
    #expect(second.title == "x")
    #expect(store.scope(\.computed).id == 1)
    let title: ScopedStore<String>? = store.scope(\.sheet)?.scope(\.title)
    #expect(title?.state == "")
    let keyed: ScopedStore<Row>? = store.scope(\.plain.byKey["a"])
    #expect(keyed == nil)
    _ = store.states(\.sheet?.title)
    _ = store.states(\.computed.title)
    _ = store.states(Lens(\.rows[0]))
    // They read once, as the property itself would.
    #expect(store.dispatch(Name(), focusingOn: \.rows[1].title) == "x")
    #expect(store.sheet?.rows.count == 1)
  }
}
