import Lensed
import LensedPresenters
import LensedTestSupport
import LensedTesting
import Observation
import Testing

/// A service on the main actor, as a newcomer's is.
final class FakeLibrary: Library {
  private(set) var asked: [String] = []
  var all = [Note(id: 1, text: "one")]

  func notes() async throws -> [Note] {
    asked.append("notes")
    return all
  }

  func corrected(_ text: String) async throws -> String {
    asked.append(text)
    return text.uppercased()
  }
}

/// Lets others run until something holds.
private func yields(
  until isDone: () -> Bool, sourceLocation: SourceLocation = #_sourceLocation
) async {
  for _ in 0..<100_000 where !isDone() { await Task.yield() }
  #expect(isDone(), sourceLocation: sourceLocation)
}

/// The store that an exploration makes.
nonisolated func makeQueryStore() throws -> Store<Notes> {
  try Store(initialState: Notes(), coverage: .partial) {
    Mutator(\.query) { (query: inout String, action: QueryChanged) in query = action.text }
  }
}

@Suite("A project whose default isolation is the main actor", .timeLimit(.minutes(30)))
struct MainActorTests {
  private let clock = ManualClock()
  private let library = FakeLibrary()

  @Test func `a model on the main actor holds a store`() async throws {
    let model = try NotesModel(library, clock)
    model.add("two")
    #expect(model.store.notes.map(\.text) == ["two"])
    #expect(model.observed.notes.map(\.text) == ["two"])
    library.all = [Note(id: 7, text: "one")]
    try await model.reload()
    #expect(model.store[Found.notes].map(\.text) == ["two", "one"])
    #expect(library.asked == ["notes"])
    await yields { model.titles.count == 2 }
    #expect(model.titles == ["two", "one"])
  }

  @Test func `an exploration makes its stores off the main actor`() async {
    let exploration = await explore(
      store: { try makeQueryStore() },
      actions: .any(Generator.string(of: "ab").map { QueryChanged(text: $0) }), seed: 7, steps: 20,
      invariants: [Invariant("a query is short", of: \Notes.query) { $0.count < 9 }])
    #expect(exploration.brokenPromise == nil)
  }

  @Test func `a view of a row is told of its row`() async throws {
    let model = try NotesModel(library, clock)
    model.add("two")
    let row = try #require(model.observed.scope(\.notes, id: 1))
    let renderings = Recorder<String>()
    withObservationTracking {
      _ = row.text
    } onChange: {
      renderings.append("row 1")
    }
    row.dispatch(NoteAction.edit("2"))
    #expect(renderings.values == ["row 1"])
    row.set(\.text, to: "second", as: NoteAction.edit)
    #expect(model.observed.notes[id: 1]?.text == "second")
    row[\.text, send: NoteAction.edit] = "third"
    #expect(row.text == "third")
  }

  @Test func `a feature is tested step by step`() async throws {
    let test = try TestStore(initialState: Notes(), notesFeature(library, clock))
    await test.dispatch(QueryChanged(text: "o")) { $0.query = "o" }
    await test.dispatch(QueryChanged(text: "")) { $0.query = "" }
    await clock.advance(by: .seconds(1))
    await test.receive(Load()) { $0.isLoading = true }
    await test.receive(Loaded.self) {
      $0.isLoading = false
      $0.notes = [Note(id: 1, text: "one")]
    }
    await test.dispatch(ElementAction(id: 1, action: NoteAction.check))
    await test.receive(ElementAction(id: 1, action: NoteAction.edit("ONE"))) {
      $0.notes[id: 1]?.text = "ONE"
    }
    await test.finish()
  }

  @Test func `a presenter makes props, and a view gets them on the main actor`() async throws {
    let store = try Store(initialState: Notes(), notesFeature(library, clock))
    var shown: [String] = []
    let presentation = store.present(NotesPresenter()) { props in shown.append(props.title) }
    presentation.start()
    await yields { shown.count == 1 }
    store.dispatch(ListAction.add(Note(id: 5)))
    await yields { shown.count == 2 }
    presentation.stop()
    #expect(shown == ["0 notes", "1 notes"])
  }

  @Test func `middleware and history of a main-actor app`() async throws {
    let counting = Counting()
    let history = History(\Notes.notes)
    let store = try Store(
      initialState: Notes(), notesFeature(library, clock), middleware: [counting, history])
    store.dispatch(ListAction.add(Note(id: 5)))
    history.undo()
    #expect(store.notes.isEmpty)
    #expect(counting.count == 2)
  }

  @Test func `streams are read on the main actor`() async throws {
    let model = try NotesModel(library, clock)
    var queries: [String] = []
    model.store.dispatch(QueryChanged(text: "a"))
    let reading = Task { await model.follow { queries.append($0) } }
    await yields { !queries.isEmpty }
    reading.cancel()
    await reading.value
    #expect(queries == ["a"])
    #expect(model.store.scope(\.draft) == nil)
    clock.move(by: .seconds(1))
    try await model.store.settled()
  }

  @Test func `the guide shows these very lines, and no others in Swift`() throws {
    let marked = try ["Notes", "NotesFeature", "NotesModel"].flatMap { file in
      try CodeRegions.marked(
        "GUIDE", in: #filePath.replacing("MainActorTests.swift", with: "\(file).swift"))
    }
    #expect(marked.count == 6)
    #expect(try CodeRegions.swiftBlocks(ofArticle: "DefaultMainActorIsolation") == marked)
  }
}
