import Foundation
import Lensed
import LensedTestSupport
import Testing

/// What the guide on SwiftUI shows, word for word: between the marks stand the very lines of its code
/// blocks, but for those that are compiled on Apple platforms only.
private struct Guide {
  // Guide: The feature
  struct NotesState: Sendable, Equatable {
    var notes: [Note] = []
    var query = ""

    struct Note: Sendable, Equatable, Identifiable {
      let id: Int
      var text: String
    }

    var found: [Note] {
      notes.filter { query.isEmpty || $0.text.contains(query) }
    }
  }

  enum NoteAction: Action, Hashable {
    case add(String)
    case remove(id: Int)
  }

  enum SearchAction: Action, Hashable {
    case edited(String)
  }

  func makeNotesStore(_ state: NotesState = NotesState()) throws -> Store<NotesState> {
    try Store(initialState: state) {
      Mutator(\.notes) { (notes: inout [NotesState.Note], action: NoteAction) in
        switch action {
        case .add(let text):
          notes.append(NotesState.Note(id: (notes.last?.id ?? 0) + 1, text: text))
        case .remove(let id):
          notes.removeAll { $0.id == id }
        }
      }
      Mutator(\.query) { (query: inout String, action: SearchAction) in
        switch action {
        case .edited(let text): query = text
        }
      }
    }
  }
  // Guide: end
}

@Suite("The article SwiftUI: what it shows", .timeLimit(.minutes(30)))
@MainActor
struct SwiftUIGuideTests {
  private typealias State = Guide.NotesState

  /// The view of the guide, as far as it is spelled without SwiftUI.
  @MainActor
  private struct NotesView {
    @Bindable var store: ObservedStore<State>

    var search: Bindable<ObservedStore<State>>.Binding<String> {
      $store[\.query, send: .action("query", Guide.SearchAction.edited)]
    }
    var title: String { "Add note \(store[\.notes.count] + 1)" }
  }

  @Test func `the view reads, writes by actions, and is drawn anew for what it read`() throws {
    let view = NotesView(store: ObservedStore(try Guide().makeNotesStore()))
    let (lists, titles) = (
      Onlooker { [view] in _ = view.store.found }, Onlooker { [view] in _ = view.title }
    )
    view.store.dispatch(Guide.NoteAction.add("Buy milk"))
    #expect(view.title == "Add note 2")
    #expect(lists.count == 1)
    #expect(titles.count == 1)
    lists.look()
    titles.look()
    view.search.value = "bread"
    #expect(view.search.value == "bread")
    #expect(view.store.found == [])
    #expect(lists.count == 2)
    #expect(titles.count == 1, "typing does not draw the button anew")
    view.store[\.query, send: Guide.SearchAction.edited] = ""
    view.store.set(\.query, to: "milk", as: Guide.SearchAction.edited)
    #expect(view.store.found.map(\.id) == [1])
    view.store.dispatch(Guide.NoteAction.remove(id: 1))
    #expect(view.store.notes == [])
  }

  @Test func `the guide shows these very lines, and no others in Swift for every platform`() throws
  {
    let blocks = try CodeRegions.swiftBlocks(ofArticle: "SwiftUI")
    let marked = try CodeRegions.marked("Guide", in: #filePath)
    #expect(blocks.filter { $0.first != "#if canImport(SwiftUI)" } == marked)
    #expect(marked.count == 1)
  }

  @Test func `what is compiled on Apple platforms only says so`() throws {
    let guide = try String(
      contentsOf: CodeRegions.article("SwiftUI"), encoding: .utf8)
    let views = guide.split(
      separator: "```swift\n#if canImport(SwiftUI)", omittingEmptySubsequences: false)
    #expect(views.count == 2)
    for text in views.dropLast() {
      #expect(text.suffix(300).contains("ompiled on Apple platforms only"))
    }
  }
}
