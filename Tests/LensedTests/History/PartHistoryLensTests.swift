import Lensed
import LensedTestSupport
import Testing

@Suite(
  "An undo restores its part through any lens, and leaves others alone where it knows the place",
  .timeLimit(.minutes(30)))
struct PartHistoryLensTests {
  private struct Page: Sendable, Equatable { var text = "" }

  private struct Document: Sendable, Equatable { var page = Page() }

  private struct App: Sendable {
    var document = Document()
    var count = 0
    var title = ""
    var computed: Page {
      get { document.page }
      set { document.page = newValue }
    }
  }

  private enum Kind: CaseIterable {
    case stored, nested, composed, named, computed, unnamed

    /// Whether the store knows where the part lies.
    var isPlaced: Bool { self != .computed && self != .unnamed }

    var history: History<App> {
      switch self {
      case .stored: History(\App.document)
      case .nested: History(\App.document.page.text)
      case .composed: History(Lens(\App.document).appending(Lens(\.page)))
      case .named:
        History(
          Lens<App, Page>(name: "document", get: \.document.page, modify: { $1(&$0.document.page) })
        )
      case .computed: History(\App.computed)
      case .unnamed:
        History(
          Lens<App, Page>(
            get: \.document.page,
            set: {
              var app = $0
              app.document.page = $1
              return app
            }))
      }
    }
  }

  private struct Edit: Action { var text: String }

  @Test(arguments: Kind.allCases)
  private func `an undo disturbs no other part, unless the store cannot know where its own lies`(
    kind: Kind
  ) async throws {
    let (gate, history) = (Gate(), kind.history)
    let store = try Store(initialState: App(), middleware: [history]) {
      Mutator(\App.document) { (document: inout Document, edit: Edit) in
        document.page.text += edit.text
      }
      Mutator(\App.count) { (count: inout Int, _: CountAction) in count += 1 }
      AsyncMutator(\App.title) { (_: String, _: TitleAction) -> AsyncResult<String> in
        AsyncResult {
          try await gate.wait()
          return "new"
        }
      }
    }
    let (counts, texts) = (Recorder<Int>(), Recorder<String>())
    let subscriptions = [
      store.states(\.count, repeats: .kept).subscribe { counts.append($0) },
      store.states(\.document.page.text).subscribe { texts.append($0) },
    ]
    for text in ["a", "b"] { store.dispatch(Edit(text: text)) }
    store.dispatch(CountAction.add(1))
    let task = store.dispatch(TitleAction.rename("x"))
    await gate.waitForWaiters()
    #expect(history.undo())
    gate.open()
    try? await task.finish()
    #expect(store.document.page.text == "a")
    #expect(store.count == 1)
    #expect(texts.values == ["", "a", "ab", "a"])
    #expect(counts.values == (kind.isPlaced ? [0, 1] : [0, 1, 1]))
    #expect(store.title == (kind.isPlaced ? "new" : ""))
    #expect(history.redo())
    #expect(store.document.page.text == "ab")
    for subscription in subscriptions { subscription.cancel() }
  }
}
