import Lensed
import LensedTestSupport
import Observation
import Testing

@Suite("A row is a sub-state", .timeLimit(.minutes(30)))
struct RowTests {
  typealias Row = RowScene.Row

  @Test func `an action for one row notifies who observes it, and who observes the whole`() throws {
    let store = try RowScene.makeStore()
    let heard = Recorder<String>()
    let subscriptions = [
      store.states(\.rows, id: 7).subscribe { heard.append("7: \($0?.title ?? "-")") },
      store.states(\.rows, id: 8, repeats: .kept).subscribe { _ in heard.append("8") },
      store.states(\.rows).subscribe { heard.append("rows: \($0.count)") },
      store.states.subscribe { _ in heard.append("all") },
      store.states(\.other).subscribe { _ in heard.append("other") },
    ]
    #expect(heard.values == ["7: 7", "8", "rows: 10", "all", "other"])
    store.dispatch(RowScene.rename(7, "seven"))
    #expect(heard.values[5...] == ["7: seven", "rows: 10", "all"])
    store.dispatch(RowScene.rename(3, "three"))
    #expect(heard.values[8...] == ["rows: 10", "all"])
    for subscription in subscriptions { subscription.cancel() }
  }

  @Test func `whoever edits the whole notifies the rows that differ`() throws {
    let store = try RowScene.makeStore()
    let heard = Recorder<String>()
    let subscriptions = (0..<10).map { id in
      store.states(\.rows, id: id).subscribe { heard.append("\(id): \($0?.title ?? "-")") }
    }
    store.dispatch(RowScene.ListAction.rename(4, "four"))
    store.dispatch(RowScene.ListAction.reverse)
    store.dispatch(RowScene.ListAction.remove(2))
    store.dispatch(RowScene.ListAction.insert(2, "two"))
    store.replaceState(RowScene.State())
    #expect(
      heard.values[10...] == [
        "4: four", "2: -", "2: two", "0: -", "1: -", "2: -", "3: -", "4: -", "5: -", "6: -", "7: -",
        "8: -", "9: -",
      ])
    for subscription in subscriptions { subscription.cancel() }
  }

  @Test(.warnsOnPurpose) func `an array and a dictionary have rows too`() throws {
    let store = try RowScene.makeStore()
    let heard = Recorder<String>()
    let subscriptions = [
      store.states(\.list, id: 1).subscribe { heard.append("1: \($0?.title ?? "-")") },
      store.states(\.list, id: 2, repeats: .kept).subscribe { _ in heard.append("2") },
      store.states(\.table, id: "a").subscribe { heard.append("a: \($0 ?? -1)") },
      store.states(\.table, id: "b", repeats: .kept).subscribe { _ in heard.append("b") },
    ]
    store.dispatch(
      Tagged<RowScene.Plain, ElementAction<Int, RowScene.RowAction>>(RowScene.rename(1, "one")))
    store.dispatch(ElementAction(id: "a", action: RowScene.Count(amount: 5)))
    store.dispatch(ElementAction(id: "c", action: RowScene.Count(amount: 5)))
    store.dispatch(RowScene.Table(values: ["b": 2]))
    #expect(heard.values == ["1: 1", "2", "a: 1", "b", "1: one", "a: 6", "a: -1", "b"])
    #expect(store[\.table, id: "b"] == 2)
    #expect(store[\.list, id: 1] == Row(id: 1, title: "one"))
    #expect(store[\.rows, id: 99] == nil)
    for subscription in subscriptions { subscription.cancel() }
  }

  @Test func `an action that gives a row another id touches all rows`() throws {
    let store = try RowScene.makeStore([1, 2])
    let heard = Recorder<String>()
    let subscriptions = [1, 2, 3].map { id in
      store.states(\.rows, id: id).subscribe { heard.append("\(id): \($0?.title ?? "-")") }
    }
    store.dispatch(ElementAction(id: 1, action: RowScene.RowAction.identify(3)))
    store.dispatch(ElementAction(id: 3, action: RowScene.RowAction.identify(2)))
    #expect(
      heard.values == ["1: 1", "2: 2", "3: -", "1: -", "3: 1", "2: 1", "3: -"])
    for subscription in subscriptions { subscription.cancel() }
  }

  @Test func `a reader of a row waits for its row alone`() async throws {
    var store: Store<RowScene.State>? = try RowScene.makeStore()
    var seven = try #require(store?.states(\.rows, id: 7, repeats: .kept).makeAsyncIterator())
    var eight = try #require(store?.states(\.rows, id: 8, repeats: .kept).makeAsyncIterator())
    #expect(await seven.next()??.title == "7")
    #expect(await eight.next()??.title == "8")
    let waiting = Task { await eight.next()??.title }
    for step in 0..<100 {
      store?.dispatch(RowScene.rename(7, "\(step)"))
      #expect(await seven.next()??.title == "\(step)")
    }
    store?.dispatch(RowScene.rename(8, "eight"))
    #expect(await waiting.value == "eight")
    store = nil
    #expect(await seven.next() == nil)
  }

  @Test func `in a scope, in a feature, and with other rows' commits in one list`() throws {
    struct House: Sendable {
      var count = 0
      var inner = RowScene.State()
    }
    let store = try Store(
      initialState: House(inner: RowScene.State(rows: [Row(id: 1), Row(id: 2), Row(id: 3)]))
    ) {
      Constant(\House.count)
      RowScene.rows.lifted(Lens(\House.inner))
      RowScene.list.lifted(Lens(\House.inner))
      RowScene.table.lifted(Lens(\House.inner))
      RowScene.other.lifted(Lens(\House.inner))
    }
    let heard = Recorder<String>()
    let scope = store.scope(\.inner)
    let subscriptions = [
      scope.states(\.rows, id: 1, repeats: .kept).subscribe { heard.append("1\($0?.title ?? "")") },
      store.states(\.inner.rows, id: 2, repeats: .kept).subscribe {
        heard.append("2\($0?.title ?? "")")
      },
      scope.states(\.rows, id: 3, repeats: .kept).subscribe { heard.append("3\($0?.title ?? "")") },
    ]
    scope.dispatch(RowScene.rename(1, "a"))
    scope.dispatch([RowScene.rename(1, "b"), RowScene.rename(2, "c")])
    store.dispatch([RowScene.rename(2, "d"), RowScene.Count(amount: 1)] as [any Action])
    #expect(heard.values == ["1", "2", "3", "1a", "1b", "2c", "2d"])
    for subscription in subscriptions { subscription.cancel() }
  }

  @Test func `combined with a property, each commit emits once`() throws {
    let store = try RowScene.makeStore()
    let heard = Recorder<String>()
    let subscription = store.states(\.rows, id: 1, repeats: .kept)
      .combineLatest(store.states(\.other))
      .subscribe { heard.append("\($0.0?.title ?? "") \($0.1)") }
    store.dispatch(RowScene.Count(amount: 1))
    store.dispatch(RowScene.rename(2, "two"))
    store.dispatch([RowScene.rename(1, "one"), RowScene.Count(amount: 1)] as [any Action])
    #expect(heard.values == ["1 0", "1 1", "one 2"])
    subscription.cancel()
  }

  @Test func `derived from a row, it is computed for that row alone`() throws {
    let (store, runs, heard) = (try RowScene.makeStore(), Counter(), Recorder<String>())
    let title = Derived(RowPath(\RowScene.State.rows, id: 7), \RowScene.State.other) { row, other in
      runs.increment()
      return "\(row?.title ?? "-")\(other)"
    }
    let subscription = store.states(title).subscribe { heard.append($0) }
    store.dispatch(RowScene.rename(8, "eight"))
    #expect((store[title], runs.value) == ("70", 1))
    store.dispatch(RowScene.rename(7, "seven"))
    store.dispatch(RowScene.Count(amount: 1))
    store.dispatch(RowScene.ListAction.remove(7))
    #expect(heard.values == ["70", "seven0", "seven1", "-1"])
    #expect(runs.value == 4)
    subscription.cancel()
  }

  @Test func `an effect of a row, lifted to one of two features, is of that feature's row`()
    async throws
  {
    struct House: Sendable {
      var left = Inner()
      var right = Inner()
    }
    struct Inner: Sendable { var rows: Entities<Row> = [Row(id: 1), Row(id: 2)] }
    enum Left {}
    enum Right {}
    let rows = Mutator(\Inner.rows, RowScene.row.identified())
    let (heard, looked) = (Recorder<String>(), Counter())
    let effect = Effect<Inner>(
      whenChanged: \.rows, id: 1,
      when: { _, _ in
        looked.increment()
        return true
      }
    ) { row, _ in heard.append(row?.title ?? "-") }
    let store = try Store(initialState: House()) {
      rows.tagged(Left.self).lifted(Lens(\House.left))
      rows.tagged(Right.self).lifted(Lens(\House.right))
      effect.lifted(Lens(\House.right))
    }
    try await store.dispatch(RowScene.rename(1, "left").tagged(Left.self)).finish()
    try await store.dispatch(RowScene.rename(2, "two").tagged(Right.self)).finish()
    try await store.dispatch(RowScene.rename(1, "right").tagged(Right.self)).finish()
    #expect(heard.values == ["right"])
    #expect(looked.value == 1)
  }

  @Test func `an effect of a row begins for that row alone`() async throws {
    let (store, heard) = (try RowScene.makeStore(), Recorder<String>())
    let installed = store.install(
      Effect(whenChanged: \.rows, id: 7) { row, context in
        heard.append("\(row?.title ?? "-") \(context.state.rows.count)")
      })
    try await store.dispatch(RowScene.rename(8, "eight")).finish()
    try await store.dispatch(RowScene.rename(7, "seven")).finish()
    try await store.dispatch(RowScene.rename(7, "seven")).finish()
    try await store.dispatch(RowScene.ListAction.remove(7)).finish()
    #expect(heard.values == ["seven 10", "- 9"])
    installed.cancel()
  }

  @Test @MainActor func `an observed store notifies the readers of that row`() throws {
    let observed = ObservedStore(try RowScene.makeStore())
    let notices = Recorder<Int>()
    func watch(_ id: Int) -> String? {
      withObservationTracking {
        observed[\.rows, id: id]?.title
      } onChange: {
        notices.append(id)
      }
    }
    #expect([watch(1), watch(2), watch(99)] == ["1", "2", nil])
    observed.dispatch(RowScene.rename(2, "two"))
    #expect(notices.values == [2])
    #expect(watch(2) == "two")
    observed.dispatch(RowScene.ListAction.insert(99, "new"))
    observed.dispatch(RowScene.ListAction.remove(1))
    #expect(notices.values == [2, 99, 1])
    #expect([watch(1), watch(99)] == [nil, "new"])
  }

  @Test(.warnsOnPurpose) func `a change tells which rows were inserted, removed, edited`()
    async throws
  {
    let store = try RowScene.makeStore(0..<4)
    var changes = store.changes(keepingPrevious: true).makeAsyncIterator()
    store.dispatch(RowScene.rename(1, "one"))
    store.dispatch([RowScene.rename(1, "uno"), RowScene.rename(2, "2"), RowScene.rename(9, "")])
    store.dispatch(RowScene.Count(amount: 1))
    store.dispatch([RowScene.ListAction.remove(0), .insert(7, ""), .rename(3, "three")])
    store.dispatch(RowScene.ListAction.reverse)
    store.dispatch(ElementAction(id: 1, action: RowScene.RowAction.identify(8)))
    store.dispatch(ElementAction(id: "a", action: RowScene.Count(amount: 2)))
    store.dispatch(RowScene.Table(values: ["c": 1, "a": 3]))
    store.replaceState(RowScene.State())
    var told: [String] = []
    for _ in 0..<9 {
      let change = try #require(await changes.next())
      let (rows, table) = (change.difference(of: \.rows), change.difference(of: \.table))
      #expect(change.difference(of: \.list, by: ==).edited.count == (told.count == 3 ? 1 : 0))
      told.append(
        "\(rows.inserted)\(rows.removed)\(rows.edited)\(rows.isReordered ? "~" : "") "
          + "\(table.inserted)\(table.removed.sorted())\(table.edited)")
    }
    #expect(
      told == [
        "[][][1] [][][]", "[][][1] [][][]", "[][][] [][][]", "[7][0][3] [][][]",
        "[][][]~ [][][]", "[8][1][] [][][]", "[][][] [][][\"a\"]",
        "[][][] [\"c\"][\"b\"][]", "[][7, 3, 2, 8][] [][\"a\", \"c\"][]",
      ])
  }

  @Test(.warnsOnPurpose) func `owners that come and go leave rows observed`() throws {
    let store = Store(
      initialState: RowScene.State(rows: [Row(id: 1), Row(id: 2)]), coverage: .partial)
    let heard = Recorder<String>()
    let subscription = store.states(\.rows, id: 1).subscribe { heard.append($0?.title ?? "-") }
    store.dispatch(RowScene.rename(1, "lost"))
    try store.register(RowScene.rows)
    store.dispatch(RowScene.rename(1, "a"))
    store.unregister(\.rows)
    store.dispatch(RowScene.rename(1, "lost"))
    try store.register(RowScene.rows)
    try store.register(RowScene.other)
    store.dispatch(RowScene.rename(1, "b"))
    #expect(heard.values == ["", "a", "b"])
    subscription.cancel()
  }
}
