import Lensed
import LensedTestSupport
import Testing

/// Whatever writes a collection, all that read one of its rows are notified, each in its own way.
@Suite("A row is as fresh as its collection, whoever writes it", .timeLimit(.minutes(30)))
struct RowWriterTests {
  typealias Row = RowScene.Row

  struct Shelf: Sendable, Equatable {
    var rows: Entities<Row> = [Row(id: 7, title: "new"), Row(id: 8)]
    var count = 0
  }

  struct State: Sendable, Equatable { var shelf = Shelf() }

  struct Rename: Action { let title: String }
  struct Fetch: Action { let title: String }
  struct Refill: Action { let rows: Entities<Row> }
  struct Count: Action {}

  /// A store, whose list is reduced at once or asynchronously, and the histories of its list and of what is around it.
  struct Scene: Sendable {
    let store: Store<State>
    let (list, shelf, whole): (History<State>, History<State>, History<State>)

    init(isAsynchronous: Bool = false) throws {
      (list, shelf) = (History(\.shelf.rows), History(\.shelf))
      whole = History<State>(limit: 100)
      let row = Reducer<Row> { (row: inout Row, action: Rename) in row.title = action.title }
      store = try Store(initialState: State(), middleware: [list, shelf, whole]) {
        if isAsynchronous {
          AsyncMutator(\.shelf.rows) { (rows: Entities<Row>, fetch: Fetch) in
            var rows = rows
            rows[id: 7]?.title = fetch.title
            return AsyncResult(value: rows)
          }
        } else {
          Mutator(\.shelf.rows, row.identified()).on(Refill.self) { $0 = $1.rows }
        }
        Mutator(\.shelf.count) { (count: inout Int, _: Count) in count += 1 }
      }
    }

    func rename(_ id: Int, _ title: String) -> ElementAction<Int, Rename> {
      ElementAction(id: id, action: Rename(title: title))
    }
  }

  /// A way to write row 7, behind what has to be done before.
  struct Way: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var isAsynchronous = false
    var prepare: @Sendable (Scene) async throws -> Void = { _ in }
    let write: @Sendable (Scene) async throws -> Void
  }

  static let ways: [Way] = [
    Way(testDescription: "an action for it") { $0.store.dispatch($0.rename(7, "a")) },
    Way(testDescription: "an array") {
      $0.store.dispatch([$0.rename(8, "b"), $0.rename(7, "a")])
    },
    Way(testDescription: "a mixed list") {
      $0.store.dispatch([Count(), $0.rename(7, "a")] as [any Action])
    },
    Way(testDescription: "an action for the list") {
      $0.store.dispatch(Refill(rows: [Row(id: 7, title: "a")]))
    },
    Way(testDescription: "an action that removes it") { $0.store.dispatch(Refill(rows: [])) },
    Way(testDescription: "the result of an asynchronous reducer", isAsynchronous: true) {
      try await $0.store.dispatch(Fetch(title: "a")).finish()
    },
    Way(testDescription: "a replacement of the state") {
      $0.store.replaceState(State(shelf: Shelf(rows: [])))
    },
    Way(testDescription: "an undo of the list", prepare: renamed) { $0.list.undo() },
    Way(testDescription: "an undo of what is around it", prepare: renamed) { $0.shelf.undo() },
    Way(testDescription: "an undo of all", prepare: renamed) { $0.whole.undo() },
    Way(testDescription: "an undo that brings it back", prepare: removed) { $0.list.undo() },
    Way(
      testDescription: "a redo of the list",
      prepare: {
        try await renamed($0); $0.list.undo()
      }
    ) {
      $0.list.redo()
    },
    Way(
      testDescription: "a redo that takes it away",
      prepare: {
        try await removed($0); $0.list.undo()
      }
    ) {
      $0.list.redo()
    },
    Way(
      testDescription: "a jump",
      prepare: {
        try await renamed($0); try await removed($0)
      }
    ) {
      $0.list.jump(to: 1)
    },
  ]

  @Sendable private static func renamed(_ scene: Scene) async throws {
    scene.store.dispatch(scene.rename(7, "renamed"))
  }

  @Sendable private static func removed(_ scene: Scene) async throws {
    scene.store.dispatch(Refill(rows: [Row(id: 8)]))
  }

  @Test(arguments: ways)
  func `each reader of a row has its new value`(_ way: Way) async throws {
    let scene = try Scene(isAsynchronous: way.isAsynchronous)
    let store = scene.store
    let title = Derived(RowPath(\State.shelf.rows, id: 7)) { $0?.title }
    let (streamed, derived, effect) = (
      Recorder<String?>(), Recorder<String?>(), Recorder<String?>()
    )
    let (all, scoped) = (Recorder<String?>(), Recorder<String?>())
    try await way.prepare(scene)
    let before = store.state
    let subscriptions = [
      store.states(\.shelf.rows, id: 7).subscribe { streamed.append($0?.title) },
      store.states(title).subscribe { derived.append($0) },
      store.states(\.shelf).combineLatest(store.states(\.shelf.rows, id: 7))
        .subscribe { all.append($1?.title) },
      store.install(
        Effect(whenChanged: \.shelf.rows, id: 7, .serial, including: .replacement) { row, _ in
          effect.append(row?.title)
        }),
    ]
    let scope = store.scope(\.shelf.rows, id: 7)
    let ofScope = scope?.states.subscribe { scoped.append($0.title) }
    #expect(store[title] == before.shelf.rows[id: 7]?.title)
    var reader = store.states(\.shelf.rows, id: 7).makeAsyncIterator()
    _ = await reader.next()

    try await way.write(scene)
    try await store.settled()

    let row = store.shelf.rows[id: 7]
    try #require(row != before.shelf.rows[id: 7])
    #expect(store[\.shelf.rows, id: 7] == row)
    #expect(store[title] == row?.title)
    #expect(effect.values == [row?.title])
    #expect(all.last == .some(row?.title))
    if let scope {
      #expect(scope.title == row?.title ?? before.shelf.rows[id: 7]?.title)
      #expect(scoped.last == scope.title)
    }
    #expect(derived.last == .some(row?.title))
    // Where the stream of a row was notified, so is the loop that waits for it.
    try #require(streamed.last == .some(row?.title))
    #expect(await reader.next() == .some(row))
    for subscription in subscriptions { subscription.cancel() }
    ofScope?.cancel()
  }

  @Test(arguments: ways) @MainActor
  func `an observed store shows it once the write is reflected`(_ way: Way) async throws {
    let scene = try Scene(isAsynchronous: way.isAsynchronous)
    let observed = ObservedStore(scene.store)
    try await way.prepare(scene)
    let before = scene.store.shelf.rows[id: 7]
    #expect(observed[\.shelf.rows, id: 7] == before)
    let child = observed.scope(\.shelf.rows, id: 7)
    #expect((child != nil) == (before != nil))

    try await way.write(scene)
    try await scene.store.settled()
    observed.reflecting { _ in }

    let row = scene.store.shelf.rows[id: 7]
    #expect(observed[\.shelf.rows, id: 7] == row)
    #expect((observed.scope(\.shelf.rows, id: 7) != nil) == (row != nil))
    if let child { #expect(child.title == row?.title ?? before?.title) }
  }

  @Test func `a scope whose row has gone has the value that it was made with`() throws {
    let scene = try Scene()
    let scope = try #require(scene.store.scope(\.shelf.rows, id: 7))
    let made = scope.title
    scope.dispatch(Rename(title: "read"))
    #expect(scope.title == "read")
    scene.store.dispatch(Refill(rows: []))
    #expect(scope.title == made)
  }
}
