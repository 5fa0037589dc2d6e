import Lensed
import LensedPresenters
import LensedTestSupport
import Testing

@Suite("A change says whether it touched a row", .timeLimit(.minutes(30)))
struct RowChangeTests {
  struct Row: Sendable, Equatable, Identifiable {
    var id: Int
    var title = ""
    var sheet: Sheet? = Sheet()
    struct Sheet: Sendable, Equatable { var count = 0 }
  }

  struct Shelf: Sendable, Equatable {
    var name = ""
    var rows: Entities<Row> = [Row(id: 7), Row(id: 8), Row(id: 9)]
    var list = [Row(id: 7), Row(id: 8), Row(id: 9)]
  }

  struct State: Sendable, Equatable {
    var count = 0
    var shelf = Shelf()
  }

  struct Rename: Action { var title = "new" }
  struct Identify: Action { let id: Int }
  struct Clear: Action {}
  struct Count: Action {}
  enum Listed {}

  private static let row = Reducer { (row: inout Row, action: Rename) in row.title = action.title }
    .on(Identify.self) { row, action in row.id = action.id }

  private static func makeStore(_ history: History<State>) throws -> Store<State> {
    try Store(
      initialState: State(), coverage: .partial, middleware: [history], onWarning: { _ in }
    ) {
      Mutator(\.shelf.rows, row.identified()).on(Clear.self) { rows, _ in rows = [] }
      Mutator(\.shelf.list, row.identified()).tagged(Listed.self)
      Mutator(\.count) { (count: inout Int, _: Count) in count += 1 }
    }
  }

  /// A commit, and whether it touches row 7 and row 8 of `rows`, and row 7 of `list`.
  private static let commits: [(any Action, [Bool])] = [
    (ElementAction(id: 7, action: Rename()), [true, false, false]),
    (ElementAction(id: 8, action: Rename()), [false, true, false]),
    (ElementAction(id: 9, action: Rename()), [false, false, false]),
    (
      [ElementAction(id: 8, action: Rename()), ElementAction(id: 9, action: Rename())],
      [false, true, false]
    ),
    (ActionList([Count(), ElementAction(id: 8, action: Rename())]), [false, true, false]),
    (Count(), [false, false, false]),
    (ElementAction(id: 7, action: Rename()).tagged(Listed.self), [false, false, true]),
    (ElementAction(id: 8, action: Rename()).tagged(Listed.self), [false, false, false]),
    // It might have replaced any.
    (ElementAction(id: 9, action: Identify(id: 8)), [true, true, false]),
    (ElementAction(id: 99, action: Rename()), [false, false, false]),
    (Clear(), [true, true, false]),
  ]

  @Test func `in the scope of the row, of a part of it, and of the whole`() async throws {
    let history = History<State>(\.shelf.rows)
    let store = try Self.makeStore(history)
    let seven = try #require(store.scope(\.shelf.rows, id: 7))
    let eight = try #require(store.scope(\.shelf).scope(\.rows, id: 8))
    let listed = try #require(store.scope(\.shelf.list, id: 7, actions: .tagged(Listed.self)))
    let sheet = try #require(eight.scope(\.sheet))
    let ofSeven = Derived(RowPath(\State.shelf.rows, id: 7)) { $0?.title }
    let ofBoth = Derived(
      RowPath(\State.shelf.rows, id: 7), RowPath(\State.shelf.list, id: 7)
    ) { $0 == $1 }
    let ofShelf = Derived(RowPath(\Shelf.rows, id: 7)) { $0?.title }
    var readers = (
      seven.changes().makeAsyncIterator(), eight.changes().makeAsyncIterator(),
      listed.changes().makeAsyncIterator(), sheet.changes().makeAsyncIterator(),
      store.changes().makeAsyncIterator(), store.scope(\.shelf).changes().makeAsyncIterator()
    )
    func check(_ touched: [Bool], _ name: String) async throws {
      let changes = (
        try #require(await readers.0.next()), try #require(await readers.1.next()),
        try #require(await readers.2.next()), try #require(await readers.3.next()),
        try #require(await readers.4.next()), try #require(await readers.5.next())
      )
      #expect(changes.0.touches(\.title) == touched[0], "\(name)")
      #expect(changes.0.touches(\.self) == touched[0], "\(name)")
      #expect(changes.1.touches(\.title) == touched[1], "\(name)")
      #expect(changes.2.touches(\.title) == touched[2], "\(name)")
      #expect(changes.3.touches(\.count) == touched[1], "\(name)")
      #expect(changes.4.touches(ofSeven) == touched[0], "\(name)")
      #expect(changes.4.touches(ofBoth) == (touched[0] || touched[2]), "\(name)")
      #expect(changes.5.touches(ofShelf) == touched[0], "\(name)")
    }
    for (action, touched) in Self.commits {
      store.dispatch([action])
      try await check(touched, "\(action)")
    }
    history.undo()
    try await check([true, true, false], "undo")
    store.replaceState(State())
    try await check([true, true, true], "replacement")
  }

  /// Reacts to each change that it is asked about, and notes it.
  private struct Noting: Presenter {
    let heard: Recorder<String>

    func reaction(to change: Change<Row>) -> Reaction {
      heard.append("\(change.revision)")
      return .props
    }
    func props(for state: Row, dispatch: Dispatcher) -> String { state.title }
  }

  @Test @MainActor
  func `the presenter of a row is asked about the commits that touch its row`() async throws {
    let store = try Self.makeStore(History(limit: 1))
    let (heard, shown) = (Recorder<String>(), Recorder<String>())
    let presentation = try #require(store.scope(\.shelf.rows, id: 7))
      .present(Noting(heard: heard)) { shown.append($0) }
    presentation.start()
    await shown.waitForCount(1)
    store.dispatch(ElementAction(id: 8, action: Rename()))
    store.dispatch(ElementAction(id: 7, action: Rename(title: "a")))
    store.dispatch([ElementAction(id: 8, action: Rename()), ElementAction(id: 9, action: Rename())])
    store.dispatch(Clear())
    await shown.waitForCount(3)
    presentation.stop()
    #expect(heard.values == ["2", "4"])
    // Once the row has gone, the scope shows what it was made with.
    #expect(shown.values == ["", "a", ""])
  }
}
