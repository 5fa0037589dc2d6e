import Lensed
import LensedTestSupport
import Observation
import Testing

private struct Draft: Sendable, Equatable {
  var title = ""
  var words = 0
}

private enum DraftAction: Action, Equatable {
  case rename(String)
}

private enum WordAction: Action, Equatable {
  case write(Int)
}

/// Attacked in depth by the suites of `Presentation/ObservedStore…`.
@Suite("The observed store as written", .timeLimit(.minutes(30)))
@MainActor
struct ObservedStoreContractTests {
  @MainActor
  private struct DraftView {
    @Bindable var store: ObservedStore<Draft>

    var title: Bindable<ObservedStore<Draft>>.Binding<String> {
      $store[\.title, send: .action(DraftAction.rename)]
    }
  }

  private let store: Store<Draft>
  private let observed: ObservedStore<Draft>

  init() throws {
    store = try Store(initialState: Draft()) {
      Mutator(\.title) { (title: inout String, action: DraftAction) in
        if case .rename(let text) = action { title = text }
      }
      Mutator(\.words) { (words: inout Int, action: WordAction) in
        if case .write(let count) = action { words += count }
      }
    }
    observed = ObservedStore(store)
  }

  @Test func `it is Observable, has the state's properties, and tracks each`() {
    let observable: any Observable = observed
    #expect(observable is ObservedStore<Draft>)
    let titles = Onlooker { [observed] in _ = observed.title }
    let words = Onlooker { [observed] in _ = observed.words }
    observed.dispatch(DraftAction.rename("a"))
    #expect((titles.count, words.count) == (1, 0))
    titles.look()
    observed.dispatch(DraftAction.rename("a"))
    #expect((titles.count, words.count) == (1, 0), "equal writes are no change")
  }

  @Test func `its own dispatch is reflected before it returns`() {
    #expect(observed.words == 0)
    observed.dispatch([WordAction.write(1), .write(2)])
    #expect(observed.words == 3)
    observed.dispatch([DraftAction.rename("b"), WordAction.write(1)])
    #expect(observed.state == Draft(title: "b", words: 4))
  }

  @Test func `other dispatches arrive on the main actor, in order, conflated`() async {
    let seen = Recorder<Int>()
    #expect(observed.words == 0)
    for _ in 1...3 { store.dispatch(WordAction.write(1)) }
    #expect(observed.words == 0, "the main actor is here")
    while observed.words == 0 { await Task.yield() }
    #expect(observed.words == 3)
    let writing = Task.detached { [store] in
      for _ in 1...100 { store.dispatch(WordAction.write(1)) }
    }
    while observed.words != 103 {
      seen.append(observed.words)
      await Task.yield()
    }
    await writing.value
    #expect(seen.values == seen.values.sorted())
  }

  @Test func `set sends the action`() async {
    var changes = store.changes().makeAsyncIterator()
    observed.set(\.title, to: "text", as: DraftAction.rename)
    #expect(observed.title == "text")
    #expect(await changes.next()?.action as? DraftAction == .rename("text"))
  }

  @Test func `a view's binding reads and writes, and draws anew what was read alone`() {
    let view = DraftView(store: observed)
    let words = Onlooker { [observed] in _ = observed.words }
    let titles = Onlooker { [view] in _ = view.title.value }
    view.title.value = "bound"
    #expect(view.title.value == "bound")
    #expect(store.title == "bound")
    #expect((titles.count, words.count) == (1, 0))
    observed[\.title, send: DraftAction.rename] = "plain"
    #expect(store.title == "plain")
  }

  @Test func `a scope can be observed too`() throws {
    struct App: Sendable, Equatable {
      var draft = Draft()
      var other = 0
    }
    let app = try Store(initialState: App(), coverage: .partial) {
      Mutator(\App.draft.words) { (words: inout Int, action: WordAction) in
        if case .write(let count) = action { words += count }
      }
    }
    let observed = ObservedStore(app.scope(\.draft))
    #expect(observed.words == 0)
    observed.dispatch(WordAction.write(2))
    #expect(observed.words == 2)
    #expect(app.draft.words == 2)
  }
}
