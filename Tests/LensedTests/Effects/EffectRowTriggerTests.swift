import Foundation
import Lensed
import LensedTestSupport
import Testing

@Suite("Effects of one row: what they include", .timeLimit(.minutes(30)))
struct EffectRowTriggerTests {
  private struct Row: Sendable, Equatable, Identifiable {
    let id: Int
    var title = ""
  }
  private struct App: Sendable, Equatable {
    var rows: Entities<Row> = [Row(id: 7), Row(id: 8)]
    var byKey = ["a": Row(id: 1)]
  }
  private struct Saved: Action {}

  private static let row = Reducer { (row: inout Row, action: TitleAction) in
    if case .rename(let title) = action { row.title = title }
  }

  private func makeStore(
    _ history: History<App>, @StoreBuilder<App> _ parts: () -> [StorePart<App>]
  ) throws -> Store<App> {
    try Store(initialState: App(), coverage: .partial, middleware: [history]) {
      Mutator(\.rows, Self.row.identified())
      Mutator(\.byKey, Self.row.keyed())
      parts()
    }
  }

  @Test func `an undo is saved with the row, where the effect includes replacements`() async throws
  {
    let (history, saved, plain) = (History<App>(limit: 10), Recorder<String>(), Recorder<String>())
    let store = try makeStore(history) {
      Effect<App>(whenChanged: \.rows, id: 7, .serial, including: .replacement) { row, _ in
        saved.append(row?.title ?? "gone")
      }
      Effect<App>(whenChanged: \.rows, id: 7, .serial) { row, _ in
        plain.append(row?.title ?? "gone")
      }
    }
    try await store.dispatch(ElementAction(id: 7, action: TitleAction.rename("a"))).finish()
    try await store.dispatch(ElementAction(id: 8, action: TitleAction.rename("b"))).finish()
    // Undoing what was done to another row is no change of this one.
    history.undo()
    try await store.settled()
    #expect(saved.values == ["a"])
    history.undo()
    try await store.settled()
    history.redo()
    try await store.settled()
    var without = store.state
    without.rows[id: 7] = nil
    store.replaceState(without)
    try await store.settled()
    #expect(saved.values == ["a", "", "a", "gone"])
    #expect(plain.values == ["a"])
  }

  @Test(.warnsOnPurpose) func `the row as it is, where the effect includes its installation`()
    async throws
  {
    let (history, seen) = (History<App>(limit: 10), Recorder<String>())
    let store = try makeStore(history) {
      Effect<App>(whenChanged: \.rows, id: 9, including: .installation) { row, _ in
        seen.append(row?.title ?? "none")
      }
      // One that returns actions of different types, or none.
      Effect<App>(whenChanged: \.byKey, id: "a", .latest, including: [.installation, .replacement])
      {
        row, _ in
        guard let row else { return nil }
        seen.append("\(row.id)")
        return row.title.isEmpty ? Saved() : TitleAction.rename("")
      }
    }
    try await store.settled()
    #expect(seen.values.sorted() == ["1", "none"])
  }

  /// So that a form that comes later has what the others have.
  @Test func `each form of an effect of a changed value takes the same words`() throws {
    let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let interface = try String(
      contentsOf: package.appending(path: "docs/interface.txt"), encoding: .utf8)
    let forms = interface.split(separator: "\n").filter {
      $0.contains("whenChanged") && $0.contains("init<")
    }
    #expect(forms.count >= 8)
    for form in forms {
      for word in [
        "_ policy: EffectPolicy", "including triggers: EffectTriggers", "when condition:",
        "catch handler:",
      ] {
        #expect(form.contains(word), "\(form) takes no `\(word)`")
      }
    }
  }
}
