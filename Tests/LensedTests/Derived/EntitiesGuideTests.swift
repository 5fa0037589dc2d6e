import Foundation
import Lensed
import LensedTestSupport
import Observation
import Testing

private enum EntitiesGuide {
  // GUIDE: The app
  struct App: Sendable {
    var rows: Entities<Row> = []
    var selection: Int?
  }
  struct Row: Sendable, Equatable, Identifiable {
    let id: Int
    var title = ""
    var isDone = false
  }

  enum RowAction: Action { case rename(String), toggle }
  enum ListAction: Action { case add(Row), remove(id: Int), clearDone }
  // GUIDE: end

  static func makeStore(_ ids: some Sequence<Int> = 1...3) throws -> Store<App> {
    // GUIDE: A reducer of one row
    let row = Reducer { (row: inout Row, action: RowAction) in
      switch action {
      case .rename(let title): row.title = title
      case .toggle: row.isDone.toggle()
      }
    }
    let store = try Store(initialState: App()) {
      Mutator(\.rows, row.identified())
        .on(ListAction.self) { rows, action in
          switch action {
          case .add(let row): rows.append(row)
          case .remove(let id): rows.remove(id: id)
          case .clearDone: rows.removeAll(where: \.isDone)
          }
        }
      Constant(\.selection)
    }
    // GUIDE: end
    for id in ids { store.dispatch(ListAction.add(Row(id: id))) }
    return store
  }
}

/// What the article `EntitiesAndRows` shows, word for word: between the marks stand the very lines of its code.
@Suite("Contract: the code of the guide to entities and rows", .timeLimit(.minutes(30)))
struct EntitiesGuideTests {
  private typealias App = EntitiesGuide.App
  private typealias Row = EntitiesGuide.Row
  private typealias RowAction = EntitiesGuide.RowAction
  private typealias ListAction = EntitiesGuide.ListAction

  @Test func `a collection by id, in an order`() throws {
    // GUIDE: The collection
    var rows: Entities<Row> = [Row(id: 7, title: "Write"), Row(id: 9, title: "Rest")]
    rows[id: 7]?.title = "Rewrite"  // in place
    let (inserted, index) = rows.append(Row(id: 7))  // refused: the id is known
    rows.upsert(Row(id: 9, title: "Sleep"))  // replaces
    rows[id: 3] = Row(id: 3)  // appends
    rows.move(id: 3, to: 0)
    let titles = rows.map(\.title)  // ["", "Rewrite", "Sleep"]
    // GUIDE: end
    #expect((inserted, index) == (false, 0))
    #expect(titles == ["", "Rewrite", "Sleep"])
    // GUIDE: The words of list views
    rows.move(fromOffsets: [2], toOffset: 0)  // of `onMove`
    rows.remove(atOffsets: [1])  // of `onDelete`
    rows.insert(Row(id: 5, title: "Walk"), before: 9)
    let open: Entities<Row> = rows.filter { !$0.isDone }
    let groups = rows.grouped(by: \.isDone)  // in the order of their first rows
    // GUIDE: end
    #expect(rows.ids == [5, 9, 7] && open == rows && groups.map(\.id) == [false])
  }

  @Test func `it can stay sorted`() throws {
    // GUIDE: Sorted
    let rows: Entities<Row> = [Row(id: 1, title: "b"), Row(id: 2, title: "c")]
    var byTitle = rows.sorted { $0.title < $1.title }
    byTitle.insert(Row(id: 3, title: "a"))
    byTitle[id: 1]?.title = "z"
    let order = byTitle.map(\.id)  // [3, 2, 1]
    // GUIDE: end
    #expect(order == [3, 2, 1])
  }

  @Test func `two elements with one id are an error`() throws {
    let loaded = [Row(id: 1, title: "old"), Row(id: 1, title: "new")]
    let printed = Recorder<String>()
    func print(_ error: any Error) { printed.append("\(error)") }
    // GUIDE: Duplicate ids
    do {
      _ = try Entities(loaded)
    } catch {
      print(error)  // … the element at position 1 has the id 1, which an earlier `Row` has. …
    }
    let newest = Entities(loaded) { older, newer in newer }
    // GUIDE: end
    #expect(printed.last?.hasPrefix("Lensed: the element at position 1 has the id 1") == true)
    #expect(newest.map(\.title) == ["new"])
  }

  @Test func `one row is reduced by its id`() throws {
    let store = try EntitiesGuide.makeStore()
    // GUIDE: Dispatching
    store.dispatch([ListAction.add(Row(id: 1)), .add(Row(id: 2))])
    store.dispatch(RowAction.rename("Two").element(2))
    let two = store[\.rows, id: 2]?.title  // "Two"
    // GUIDE: end
    #expect(two == "Two")
  }

  @Test func `one row is observed`() async throws {
    let store = try EntitiesGuide.makeStore()
    let (shown, saved) = (Recorder<String>(), Recorder<String>())
    @Sendable func show(_ row: Row?) { shown.append(row?.title ?? "gone") }
    @Sendable func save(_ row: Row?) { saved.append(row?.title ?? "gone") }
    // GUIDE: Observing
    let subscription = store.states(\.rows, id: 2).subscribe { row in show(row) }
    let saving = store.install(
      Effect(whenChanged: \.rows, id: 2, .latest) { row, _ in save(row) })
    store.dispatch(RowAction.toggle.element(1))  // wakes no observer of row 2
    try await store.dispatch(RowAction.rename("Two").element(2)).finish()
    try await store.dispatch(ListAction.remove(id: 2)).finish()  // the row is nil now
    // GUIDE: end
    #expect(shown.values == ["", "Two", "gone"])
    #expect(saved.values == ["Two", "gone"])
    subscription.cancel()
    saving.cancel()
  }

  @Test func `a view and a derived value know one row`() async throws {
    try await MainActor.run {
      let store = try EntitiesGuide.makeStore()
      // GUIDE: In a view
      let observed = ObservedStore(store)
      let title = observed[\.rows, id: 2]?.title ?? ""
      // GUIDE: end
      #expect(title == "")
      // GUIDE: Derived
      let heading = Derived(RowPath(\App.rows, id: 2)) { row in row.map { "“\($0.title)”" } ?? "" }
      // GUIDE: end
      #expect(store[heading] == "“”")
    }
  }

  private struct Speller: Sendable {
    let asked = Recorder<String>()

    func corrected(_ title: String) async throws -> String {
      asked.append(title)
      return title.capitalized
    }
  }

  @Test func `a row has work of its own, and a view of its own`() async throws {
    let speller = Speller()
    // GUIDE: Work of a row
    struct Check: Action {}
    let row = Feature<Row> {
      Constant(\.id)
      Mutator(\.title) { (title: inout String, action: RowAction) in
        if case .rename(let new) = action { title = new }
      }
      Mutator(\.isDone) { (isDone: inout Bool, action: RowAction) in
        if case .toggle = action { isDone.toggle() }
      }
      Effect(on: Check.self, .latest) { _, context in
        RowAction.rename(try await speller.corrected(context.title))
      }
    }
    let store = try Store(initialState: App()) {
      Mutator(\.rows) { (rows: inout Entities<Row>, action: ListAction) in
        switch action {
        case .add(let row): rows.append(row)
        case .remove(let id): rows.remove(id: id)
        case .clearDone: rows.removeAll(where: \.isDone)
        }
      }
      row.identified().lifted(\.rows)
      Constant(\.selection)
    }
    store.dispatch([ListAction.add(Row(id: 7, title: "write")), .add(Row(id: 9, title: "rest"))])
    try await store.dispatch(Check().element(7)).finish()
    // GUIDE: end
    #expect(store.rows.map(\.title) == ["Write", "rest"])

    // GUIDE: Work of all rows
    struct CheckAll: Action {}
    let checkAll = Effect<App>(on: CheckAll.self, .first) { _, context in
      context.rows.ids.map { id in Check().element(id) }
    }
    // GUIDE: end
    let installed = store.install(checkAll)
    try await store.dispatch(CheckAll()).finish()
    #expect(store.rows.map(\.title) == ["Write", "Rest"])
    installed.cancel()

    // GUIDE: Four at a time
    let fourAtATime = Effect<App>(on: ElementAction<Int, Check>.self, .limited(4)) {
      check, context in
      guard let row = context[\.rows, id: check.id] else { return nil }
      let title = try await speller.corrected(row.title)
      return RowAction.rename(title).element(row.id)
    }
    // GUIDE: end
    let other = try EntitiesGuide.makeStore([1])
    other.dispatch(RowAction.rename("one").element(1))
    let limited = other.install(fourAtATime)
    try await other.dispatch(Check().element(1)).finish()
    #expect(other.rows.map(\.title) == ["One"])
    limited.cancel()
    try await Self.view(store)
  }

  @MainActor private static func view(_ store: Store<App>) async throws {
    let shown = Recorder<String>()
    // GUIDE: A view of a row
    let app = ObservedStore(store)
    if let row = app.scope(\.rows, id: 7) {
      withObservationTracking {
        shown.append(row.title)
      } onChange: {
        shown.append("to be rendered again")
      }
      app.dispatch(RowAction.toggle.element(9))  // of another one
      row.dispatch(RowAction.rename("Write more"))  // of this one
    }
    // GUIDE: end
    #expect(shown.values == ["Write", "to be rendered again"])
    #expect(store.rows.map(\.title) == ["Write more", "Rest"])
    #expect(store.rows[id: 9]?.isDone == true)
    // GUIDE: Many rows
    let chunk = (0..<1_000).map { number in Row(id: 100 + number) }
    store.dispatch(chunk.map { row in ListAction.add(row) })  // an array is one commit
    // GUIDE: end
    #expect(store.rows.count == 1_002)
  }

  @Test func `a list updates by the difference`() async throws {
    let store = try EntitiesGuide.makeStore()
    let lines = Recorder<String>()
    let list = List(lines: lines)
    // GUIDE: The difference
    let updating = store.changes(keepingPrevious: true).subscribe(onMain: { change in
      let difference = change.difference(of: \.rows)
      list.delete(difference.removed)
      list.insert(difference.inserted)
      list.reload(difference.edited)
    })
    // GUIDE: end
    store.dispatch(RowAction.toggle.element(1))
    store.dispatch(ListAction.add(Row(id: 4)))
    await lines.wait(untilLast: { $0 == "insert [4]" })
    #expect(lines.values == ["reload [1]", "insert [4]"], "none is missed")
    updating.cancel()
  }

  @Test func `a tree is flat, and its nodes know their parents`() throws {
    // GUIDE: Trees
    struct Thread: Sendable {
      var comments: Entities<Comment> = []
    }
    struct Comment: Sendable, Equatable, Identifiable {
      let id: Int
      var parent: Int?
      var text = ""
    }
    struct Edit: Action { let text: String }
    enum ThreadAction: Action { case add(Comment), remove(id: Int) }

    let comment = Feature<Comment> {
      Constant(\.id)
      Constant(\.parent)
      Mutator(\.text) { (text: inout String, edit: Edit) in text = edit.text }
    }
    let replies = Derived.grouped(\Thread.comments, by: \.parent)
    let thread = try Store(initialState: Thread()) {
      Mutator(\.comments) { (comments: inout Entities<Comment>, action: ThreadAction) in
        switch action {
        case .add(let comment): comments.append(comment)
        case .remove(let id):
          // A reply comes after what it replies to, so one pass finds all that is below.
          var gone: Set = [id]
          for comment in comments {
            if let parent = comment.parent, gone.contains(parent) { gone.insert(comment.id) }
          }
          comments.removeAll { gone.contains($0.id) }
        }
      }
      comment.identified().lifted(\.comments)
    }
    thread.dispatch([
      ThreadAction.add(Comment(id: 1)), .add(Comment(id: 2, parent: 1)),
      .add(Comment(id: 3, parent: 2)),
      .add(Comment(id: 4)),
    ])
    thread.dispatch(Edit(text: "Yes").element(3))  // at any depth
    let below = thread[replies][id: 1]?.rows.map(\.id)  // [2]
    thread.dispatch(ThreadAction.remove(id: 1))  // and 2 and 3, which are below it
    // GUIDE: end
    #expect(below == [2])
    #expect(thread.comments.map(\.id) == [4])
  }

  private struct List: Sendable {
    let lines: Recorder<String>

    func delete(_ ids: [Int]) { if !ids.isEmpty { lines.append("delete \(ids)") } }
    func insert(_ ids: [Int]) { if !ids.isEmpty { lines.append("insert \(ids)") } }
    func reload(_ ids: [Int]) { if !ids.isEmpty { lines.append("reload \(ids)") } }
  }

  @Test func `the guide shows these very lines, and no others in Swift`() throws {
    let marked = try CodeRegions.marked("GUIDE", in: #filePath)
    #expect(marked.count == 17)
    #expect(try CodeRegions.swiftBlocks(ofArticle: "EntitiesAndRows") == marked)
  }
}
