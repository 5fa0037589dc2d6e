import Lensed
import LensedTestSupport
import Testing

@Suite("Observed children that nobody asks for any more", .timeLimit(.minutes(30)))
@MainActor
struct ObservedGrandchildTests {
  private struct Detail: Sendable, Equatable { var text = "" }
  private struct Row: Sendable, Equatable, Identifiable {
    let id: Int
    var detail: Detail? = Detail()
  }
  private struct App: Sendable {
    var rows = (0..<40).map { Row(id: $0) }
    var part = Row(id: 0)
  }
  private enum Write: Action { case text(String), close }

  private static let row = Reducer<Row> { (row: inout Row, write: Write) in
    switch write {
    case .text(let text): row.detail?.text = text
    case .close: row.detail = nil
    }
  }

  private let store: Store<App>
  private let app: ObservedStore<App>

  init() throws {
    store = try Store(initialState: App()) {
      Mutator(\.rows, Self.row.identified())
      Mutator(\.part, Self.row)
    }
    app = ObservedStore(store)
  }

  /// Asks for so many others that those are forgotten which nobody needs.
  private func askForOthers() { for id in 1..<40 { _ = app.scope(\.rows, id: id)?.id } }

  @Test func `go on as long as a child of theirs is held`() throws {
    let detail = try #require(app.scope(\.rows, id: 0)?.scope(\.detail))
    askForOthers()
    #expect(app.scope(\.rows, id: 0)?.scope(\.detail) === detail)
    app.dispatch(Write.text("last").element(0))
    app.dispatch(Write.close.element(0))
    #expect(detail.text == "last")
  }

  @Test func `go on in a part that is always there, too`() throws {
    let detail = try #require(app.scope(\.part).scope(\.detail))
    askForOthers()
    #expect(app.scope(\.part).scope(\.detail) === detail)
    app.dispatch(Write.text("last"))
    app.dispatch(Write.close)
    #expect(detail.text == "last")
  }
}

@Suite("Observed children whose last copy asks for a child", .timeLimit(.minutes(30)))
@MainActor
struct ObservedChildReleaseTests {
  private final class Token: Sendable {
    let onRelease: @Sendable () -> Void
    init(_ onRelease: @escaping @Sendable () -> Void) { self.onRelease = onRelease }
    deinit { onRelease() }
  }
  private struct Sheet: Sendable, Identifiable {
    let id: Int
    let token: Token?
  }
  private struct App: Sendable { var sheet: Sheet? }
  private struct Show: Action { let sheet: Sheet? }
  private final class Asker: Sendable {
    @MainActor var app: ObservedStore<App>?
    @MainActor var answers: [Bool] = []
    @MainActor func ask() { answers.append(app?.scope(\.sheet) != nil) }
  }

  @Test func `are released where no table is being changed`() throws {
    let asker = Asker()
    let store = try Store(initialState: App()) {
      Mutator(\.sheet) { (sheet: inout Sheet?, show: Show) in sheet = show.sheet }
    }
    let app = ObservedStore(store)
    asker.app = app
    for id in 1...3 {
      let token = Token { MainActor.assumeIsolated { asker.ask() } }
      app.dispatch(Show(sheet: Sheet(id: id, token: token)))
      #expect(app.scope(\.sheet) != nil)
    }
    #expect(asker.answers == [true, true])
    asker.app = nil
  }
}
