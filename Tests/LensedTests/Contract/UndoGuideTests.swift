import Lensed
import LensedTestSupport
import LensedTesting
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

  private func makeHistory() -> History<AppState> {
    // GUIDE: The history
    let history = History(\AppState.document, limit: 200)
    // GUIDE: end
    return history
  }

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
    let history = makeHistory()
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

  @Test func `a gesture is one step, and each outcome of an asynchronous reducer`() async throws {
    // GUIDE: A gesture
    struct Canvas: Sendable, Equatable {
      var position = 0
    }
    enum Drag: Action {
      case began, moved(to: Int), ended

      var isMove: Bool { if case .moved = self { true } else { false } }
    }
    let moves = History(
      \Canvas.position,
      grouping: { previous, next in
        [previous, next].allSatisfy { change in
          !change.actions.isEmpty
            && change.actions.allSatisfy { ($0 as? Drag)?.isMove == true }
        }
      })
    let canvas = try Store(initialState: Canvas(), middleware: [moves]) {
      Mutator(\.position) { (position: inout Int, drag: Drag) in
        if case .moved(let place) = drag { position = place }
      }
    }
    for drag in [Drag.began, .moved(to: 1), .moved(to: 2), .ended] { canvas.dispatch(drag) }
    moves.endStep()
    for drag in [Drag.began, .moved(to: 3), .moved(to: 4), .ended] { canvas.dispatch(drag) }
    moves.endStep()
    moves.undo()  // canvas.position == 2
    // GUIDE: end
    #expect(canvas.position == 2)
    moves.undo()
    #expect(canvas.position == 0)
    // What an asynchronous reducer brings has no actions, so none of them is anything but a move.
    canvas.unregister(\.position)
    try canvas.register(
      AsyncMutator(\.position) { (position: Int, drag: Drag) in
        switch drag {
        case .moved(let place): AsyncResult(value: place)
        case .began, .ended: AsyncResult(value: position)
        }
      })
    for place in 1...3 { try await canvas.dispatch(Drag.moved(to: place)).finish() }
    moves.undo()
    #expect(canvas.position == 2)
  }

  @Test func `a pause in typing ends a step`() throws {
    // GUIDE: A pause
    let typing = History(
      \AppState.document,
      grouping: { previous, next in
        guard let before = previous.time, let now = next.time else { return false }
        return now - before < .seconds(1)
      })
    // GUIDE: end
    let clock = ManualClock()
    let store = try Store(initialState: AppState(), middleware: [typing], clock: clock) {
      Mutator(\.document.text) { (text: inout String, action: DocumentAction) in
        if case .type(let typed) = action { text += typed }
      }
      Constant(\.document.cursor)
      Constant(\.isSidebarShown)
    }
    for text in ["a", "b", "c"] {
      store.dispatch(DocumentAction.type(text))
      clock.move(by: .milliseconds(900))
    }
    clock.move(by: .milliseconds(100))
    store.dispatch(DocumentAction.type("d"))
    #expect(typing.entries.map(\.state.document.text) == ["", "abc", "abcd"])
  }

  @Test func `a history of one user restores the whole part`() throws {
    // GUIDE: Users
    struct Shared: Sendable, Equatable {
      var pages: [String: String] = [:]
    }
    struct Write: Action { let user: String, page: String, text: String }
    func makeHistory(of user: String) -> History<Shared> {
      History(
        \Shared.pages,
        recording: { change in change.actions.contains { ($0 as? Write)?.user == user } })
    }
    let ann = makeHistory(of: "Ann")
    let shared = try Store(initialState: Shared(), middleware: [ann]) {
      Mutator(\.pages) { (pages: inout [String: String], write: Write) in
        pages[write.page, default: ""] += write.text
      }
    }
    shared.dispatch(Write(user: "Ann", page: "first", text: "a"))
    shared.dispatch(Write(user: "Ben", page: "second", text: "b"))
    shared.dispatch(Write(user: "Ann", page: "first", text: "c"))
    ann.undo()  // first: "a", second: "b"
    ann.undo()  // Ben's page has gone, too: it was not there before Ann's first step
    // GUIDE: end
    #expect(shared.pages.isEmpty)
    ann.redo()
    #expect(shared.pages == ["first": "a", "second": "b"])
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
    #expect(marked.count == 9)
    #expect(try CodeRegions.swiftBlocks(ofArticle: "Undo") == marked)
  }
}
