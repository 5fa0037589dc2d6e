import Lensed
import LensedTestSupport
import LensedTesting
import Testing

/// What the article `TalkingToTheParent` shows, word for word: between the marks stand the very lines of its code.
@Suite("Contract: the code of the guide to delegates", .timeLimit(.minutes(30)))
struct DelegateGuideTests {
  // GUIDE: Child
  struct Editor: Sendable, Equatable, Identifiable {
    let id: Int
    var text = ""
  }
  struct Edit: Action { let text: String }
  struct Save: Action {}
  enum EditorDelegate: Action, Equatable { case saved(String), cancelled }
  // GUIDE: end

  private struct Files: Sendable {
    let written = Recorder<String>()
    func write(_ text: String) async throws { written.append(text) }
  }
  private let files = Files()

  private func makeEditor() -> Feature<Editor> {
    let files = files
    // GUIDE: Feature
    let editor = Feature<Editor> {
      Constant(\.id)
      Mutator(\.text) { (text: inout String, edit: Edit) in text = edit.text }
      Effect(on: Save.self, .first) { _, context in
        try await files.write(context.text)
        return EditorDelegate.saved(context.text)
      }
    }
    // GUIDE: end
    return editor
  }

  @Test func `a child that is tested alone sends its delegate`() async throws {
    let editor = makeEditor()
    // GUIDE: Test
    let test = try TestStore(initialState: Editor(id: 1), editor)
    await test.dispatch(Edit(text: "Hello")) { $0.text = "Hello" }
    await test.dispatch(Save())
    await test.expectSent(EditorDelegate.saved("Hello"))
    await test.finish()
    // GUIDE: end
    #expect(files.written.values == ["Hello"])
  }

  // GUIDE: Screens
  struct Settings: Sendable, Equatable, Identifiable {
    let id: Int
    var isLoud = false
  }
  struct SetLoud: Action { let isLoud: Bool }
  enum SettingsDelegate: Action, Equatable { case done }

  enum Screen: Sendable, Equatable, Identifiable {
    case editor(Editor)
    case settings(Settings)

    var id: Int {
      switch self {
      case .editor(let editor): editor.id
      case .settings(let settings): settings.id
      }
    }
    static let editors = Prism<Screen, Editor>(
      embed: Screen.editor,
      extract: { if case .editor(let editor) = $0 { editor } else { nil } })
    static let settings = Prism<Screen, Settings>(
      embed: Screen.settings,
      extract: { if case .settings(let settings) = $0 { settings } else { nil } })
  }
  struct App: Sendable {
    var path: Entities<Screen> = []
    var notes: [String] = []
  }
  struct Push: Action { let screen: Screen }
  // GUIDE: end

  @Test func `a parent handles what two kinds of screens report`() async throws {
    let editor = makeEditor()
    // GUIDE: Parent
    let settings = Feature<Settings> {
      Constant(\.id)
      Mutator(\.isLoud) { (isLoud: inout Bool, set: SetLoud) in isLoud = set.isLoud }
    }
    let screens = Feature<Screen> {
      editor.matching(Screen.editors)
      settings.matching(Screen.settings)
    }
    let store = try Store(initialState: App()) {
      Mutator(\.path) { (path: inout Entities<Screen>, push: Push) in path.append(push.screen) }
        .on(ElementAction<Int, EditorDelegate>.self) { path, told in path[id: told.id] = nil }
        .on(ElementAction<Int, SettingsDelegate>.self) { path, told in path[id: told.id] = nil }
      Mutator(\.notes) { (notes: inout [String], told: ElementAction<Int, EditorDelegate>) in
        if case .saved(let text) = told.action { notes.append(text) }
      }
      screens.identified().lifted(\.path)
    }
    store.dispatch([
      Push(screen: .settings(Settings(id: 1))), Push(screen: .editor(Editor(id: 2))),
    ])
    store.dispatch(Edit(text: "Hello").element(2))
    try await store.dispatch(Save().element(2)).finish()  // the editor is saved, and has gone
    store.dispatch(SettingsDelegate.done.element(1))  // from the view of the settings
    // GUIDE: end
    #expect(store.path.isEmpty)
    #expect(store.notes == ["Hello"])
    #expect(files.written.values == ["Hello"])
  }

  @Test func `the guide shows these very lines, and no others in Swift`() throws {
    let marked = try CodeRegions.marked("GUIDE", in: #filePath)
    #expect(marked.count == 5)
    #expect(try CodeRegions.swiftBlocks(ofArticle: "TalkingToTheParent") == marked)
  }
}
