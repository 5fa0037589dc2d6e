import Lensed
import LensedTestSupport
import Testing

/// What the article `Navigation` shows, word for word: between the marks stand the very lines of its code.
@Suite("Contract: the code of the guide to navigation", .timeLimit(.minutes(30)))
struct NavigationGuideTests {
  // GUIDE: A screen
  struct Editor: Sendable, Equatable, Identifiable {
    let id: Int
    var text = ""
    var isSaving = false
  }
  struct Edit: Action { let text: String }
  struct Save: Action {}
  struct Saved: Action {}
  struct Close: Action {}
  // GUIDE: end

  struct Files: Sendable {
    let gate = Gate()
    let log = Recorder<String>()

    func write(_ text: String) async throws {
      log.append("writing")
      do { try await gate.wait() } catch {
        log.append("cancelled")
        throw error
      }
      log.append("written \(text)")
    }
  }

  static func makeEditor(_ files: Files) -> Feature<Editor> {
    // GUIDE: Its feature
    let editor = Feature<Editor> {
      Constant(\.id)
      Mutator(\.text) { (text: inout String, action: Edit) in text = action.text }
      Mutator(\.isSaving) { (isSaving: inout Bool, _: Save) in isSaving = true }
        .on(Saved.self) { isSaving, _ in isSaving = false }
      Effect(on: Save.self, .first) { _, context in
        try await files.write(context.text)
        return Saved()
      }
    }
    // GUIDE: end
    return editor
  }

  private let files = Files()
  private var editor: Feature<Editor> { Self.makeEditor(files) }

  @Test func `a sheet is an optional, and its work ends with it`() async throws {
    // GUIDE: A sheet
    struct App: Sendable {
      var sheet: Editor?
    }
    enum Sheet: Action { case present(Editor), dismiss }
    let store = try Store(initialState: App()) {
      Mutator(\.sheet) { (sheet: inout Editor?, action: Sheet) in
        switch action {
        case .present(let editor): sheet = editor
        case .dismiss: sheet = nil
        }
      }
      editor.optional().lifted(\.sheet)
    }
    store.dispatch(Sheet.present(Editor(id: 1)))
    let saving = store.dispatch(Save())
    // GUIDE: end
    await files.log.waitForCount(1)
    // GUIDE: Dismissed
    store.dispatch(Sheet.dismiss)  // from here on, no commit of the sheet's effects begins
    try await saving.finish()  // returns: the save was cancelled
    // GUIDE: end
    #expect(files.log.values == ["writing", "cancelled"])
    #expect(store.sheet == nil)
  }

  @Test func `a screen closes itself by an action that its parent listens to`() throws {
    struct App: Sendable {
      var sheet: Editor?
    }
    // GUIDE: From inside
    let store = try Store(initialState: App(sheet: Editor(id: 1))) {
      Mutator(\App.sheet) { (sheet: inout Editor?, _: Close) in sheet = nil }
      editor.optional().lifted(\.sheet)
    }
    store.dispatch(Close())
    // GUIDE: end
    #expect(store.sheet == nil)
  }

  @Test func `a destination is an enum, with a feature for each case`() async throws {
    // GUIDE: A destination
    struct Settings: Sendable, Equatable {
      var isLoud = false
    }
    struct SetLoud: Action { let isLoud: Bool }
    enum Destination: Sendable, Equatable { case none, editor(Editor), settings(Settings) }
    enum Destinations {
      static let editor = Prism<Destination, Editor>(
        embed: Destination.editor,
        extract: { if case .editor(let editor) = $0 { editor } else { nil } })
      static let settings = Prism<Destination, Settings>(
        embed: Destination.settings,
        extract: { if case .settings(let settings) = $0 { settings } else { nil } })
    }
    struct App: Sendable {
      var destination = Destination.none
    }
    struct Go: Action { let to: Destination }
    let settings = Feature<Settings> {
      Mutator(\.isLoud) { (isLoud: inout Bool, action: SetLoud) in isLoud = action.isLoud }
    }
    let store = try Store(initialState: App()) {
      Mutator(\.destination) { (destination: inout Destination, go: Go) in destination = go.to }
      editor.matching(Destinations.editor).lifted(\.destination)
      settings.matching(Destinations.settings).lifted(\.destination)
    }
    store.dispatch(Go(to: .settings(Settings())))
    store.dispatch(SetLoud(isLoud: true))
    store.dispatch(Edit(text: "nobody is there to hear it"))
    // GUIDE: end
    #expect(store.destination == .settings(Settings(isLoud: true)))
  }

  @Test func `a stack is a list of screens`() async throws {
    // GUIDE: A stack
    enum Screen: Sendable, Equatable, Identifiable {
      case editor(Editor)
      case note(id: Int)

      var id: Int {
        switch self {
        case .editor(let editor): editor.id
        case .note(let id): id
        }
      }
    }
    let editorScreen = Prism<Screen, Editor>(
      embed: Screen.editor,
      extract: { if case .editor(let editor) = $0 { editor } else { nil } })
    struct App: Sendable {
      var path: Entities<Screen> = []
    }
    enum Navigate: Action { case push(Screen), pop }
    let store = try Store(initialState: App()) {
      Mutator(\.path) { (path: inout Entities<Screen>, action: Navigate) in
        switch action {
        case .push(let screen): path.append(screen)
        case .pop: if let last = path.last { path[id: last.id] = nil }
        }
      }
      editor.matching(editorScreen).identified().lifted(\.path)
    }
    store.dispatch([Navigate.push(.note(id: 1)), .push(.editor(Editor(id: 2)))])
    store.dispatch(Edit(text: "deep").element(2))
    let saving = store.dispatch(Save().element(2))
    // GUIDE: end
    #expect(store.path[id: 2] == .editor(Editor(id: 2, text: "deep", isSaving: true)))
    await files.log.waitForCount(1)
    store.dispatch(Navigate.pop)
    try await saving.finish()
    #expect(files.log.values == ["writing", "cancelled"])
  }

  @Test func `what has to outlive a screen belongs to its parent`() async throws {
    files.gate.open()
    // GUIDE: Outliving
    struct App: Sendable {
      var sheet: Editor?
      var saved = 0
    }
    struct SaveAndClose: Action {}
    struct Write: Action { let text: String }
    let store = try Store(initialState: App(sheet: Editor(id: 1, text: "last words"))) {
      Mutator(\.sheet) { (sheet: inout Editor?, _: SaveAndClose) in sheet = nil }
      Mutator(\.saved) { (saved: inout Int, _: Saved) in saved += 1 }
      editor.optional().lifted(\.sheet)
      // An effect of the parent: it does not end with the sheet, and reads the sheet as it was.
      Effect(on: SaveAndClose.self, .serial) { _, context in
        guard let sheet = context.change.previous?.sheet else { return nil }
        try await files.write(sheet.text)
        return Saved()
      }
      .keepingPrevious()
    }
    try await store.dispatch(SaveAndClose()).finish()
    // GUIDE: end
    #expect(files.log.values == ["writing", "written last words"])
    #expect(store.saved == 1)
  }

  @Test func `the guide shows these very lines, and no others in Swift`() throws {
    let marked = try CodeRegions.marked("GUIDE", in: #filePath)
    #expect(marked.count == 8)
    #expect(try CodeRegions.swiftBlocks(ofArticle: "Navigation") == marked)
  }
}
