import Lensed
import LensedTestSupport
import Testing

/// What the article `Undo` shows, word for word: between the marks stand the very lines of its code.
@Suite("Contract: the code of the guide to undo", .timeLimit(.minutes(30)))
struct UndoGuideTests {
  // GUIDE: The app
  struct Document: Sendable, Equatable {
    var text = ""
    var cursor = 0
  }
  struct AppState: Sendable {
    var document = Document()
    var isSidebarShown = true
  }
  enum DocumentAction: Action {
    case type(String)
    case moveCursor(Int)

    var isMove: Bool { if case .moveCursor = self { true } else { false } }
    var isTypingInLine: Bool { if case .type(let text) = self { text != "\n" } else { false } }
  }
  struct ToggleSidebar: Action {}
  // GUIDE: end

  private func makeStore(_ history: History<AppState>) throws -> Store<AppState> {
    // GUIDE: The store
    let store = try Store(initialState: AppState(), middleware: [history]) {
      Mutator(\.document) { (document: inout Document, action: DocumentAction) in
        switch action {
        case .type(let text): document.text += text
        case .moveCursor(let cursor): document.cursor = cursor
        }
      }
      Mutator(\.isSidebarShown) { (isShown: inout Bool, _: ToggleSidebar) in isShown.toggle() }
    }
    // GUIDE: end
    return store
  }

  @Test func `undo restores the document, and leaves the sidebar alone`() throws {
    // GUIDE: The history
    let history = History(\AppState.document, limit: 200)
    // GUIDE: end
    let store = try makeStore(history)
    // GUIDE: Undo
    store.dispatch(DocumentAction.type("Hello"))
    store.dispatch(ToggleSidebar())
    history.undo()
    // GUIDE: end
    #expect(store.document.text == "")
    #expect(!store.isSidebarShown)
    #expect(history.canRedo)
  }

  @Test func `a move of the cursor is no step, and typing is grouped`() throws {
    // GUIDE: Steps
    let history = History(
      \AppState.document,
      recording: { change in
        change.actions.isEmpty
          || change.actions.contains { ($0 as? DocumentAction)?.isMove != true }
      },
      grouping: { previous, next in
        let actions = next.actions.compactMap { $0 as? DocumentAction }
        return !actions.isEmpty && actions.allSatisfy { $0.isMove || $0.isTypingInLine }
      })
    // GUIDE: end
    let store = try makeStore(history)
    for text in ["a", "b"] { store.dispatch(DocumentAction.type(text)) }
    store.dispatch([DocumentAction.type("\n")])
    store.dispatch([DocumentAction.type("c"), .moveCursor(4)])
    #expect(history.entries.map(\.state.document.text) == ["", "ab", "ab\nc"])
    history.undo()
    #expect(store.document.text == "ab")
    history.redo()
    #expect(store.document == Document(text: "ab\nc", cursor: 4))
  }

  @Test func `a history may come later`() throws {
    let history = History(\AppState.document)
    let store = Store(initialState: AppState(), coverage: .partial)
    // GUIDE: Later
    let recording = store.attach(history)
    // GUIDE: end
    #expect(history.entries.count == 1)
    recording.cancel()
  }

  @Test func `the guide shows these very lines, and no others in Swift`() throws {
    let marked = try CodeRegions.marked("GUIDE", in: #filePath)
    #expect(marked.count == 6)
    #expect(try CodeRegions.swiftBlocks(ofArticle: "Undo") == marked)
  }
}
