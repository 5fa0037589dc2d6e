import Lensed
import LensedTestSupport
import Testing

/// Of an id that occurs twice in a plain array, the first element is meant.
@Suite("Two rows with one id in an array: the first is looked on", .timeLimit(.minutes(30)))
struct SameIDRowTests {
  private struct Row: Sendable, Equatable, Identifiable {
    let id: Int
    var title = ""
    var page = ""
  }
  private struct App: Sendable, Equatable {
    var rows = [Row(id: 7), Row(id: 7, title: "second"), Row(id: 8)]
  }
  private struct Load: Action {}
  private struct Rename: Action { let title: String }

  @Test @MainActor func `its asynchronous reducer is noticed in the commit of its outcome`()
    async throws
  {
    let (effects, read, scoped) = (Recorder<String>(), Recorder<String>(), Recorder<String>())
    let row = Feature<Row> {
      Constant(\.id)
      Mutator(\.title) { (title: inout String, action: Rename) in title = action.title }
      AsyncMutator(\.page) { (_: String, _: Load) in AsyncResult { "loaded" } }
      Effect(whenChanged: \.page, .serial) { page, _ in effects.append("row: \(page)") }
    }
    let store = try Store(initialState: App()) {
      row.identified().lifted(\.rows)
      Effect(whenChanged: \.rows, id: 7, .serial) { row, _ in
        effects.append("list: \(row?.page ?? "")")
      }
    }
    let observed = ObservedStore(store)
    let subscriptions = [
      store.states(\.rows, id: 7).subscribe { read.append($0?.page ?? "gone") },
      store.scope(\.rows, id: 7)?.states.subscribe { scoped.append($0.page) },
    ]
    #expect(observed[\.rows, id: 7]?.page == "")
    var changes = store.changes(keepingPrevious: true).makeAsyncIterator()
    try await store.dispatch(Load().element(7)).finish()
    #expect(store.rows.map(\.page) == ["loaded", "", ""])
    #expect(observed[\.rows, id: 7]?.page == "loaded")
    #expect(read.values == ["", "loaded"] && scoped.values == ["", "loaded"])
    try await store.settled()
    #expect(effects.values.sorted() == ["list: loaded", "row: loaded"])
    _ = await changes.next()
    #expect(await changes.next()?.difference(of: \.rows).edited == [7])
    for subscription in subscriptions { subscription?.cancel() }
  }
}
