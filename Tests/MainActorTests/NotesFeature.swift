import Lensed

// GUIDE: A feature
func noteFeature(_ library: any Library) -> Feature<Note> {
  Feature {
    Constant(\.id)
    Mutator(\.text) { (text: inout String, action: NoteAction) in
      if case .edit(let new) = action { text = new }
    }
    // Runs off the main actor, and asks a service that is on it.
    Effect(on: NoteAction.self, .latest) { action, context in
      guard case .check = action else { return nil }
      return NoteAction.edit(try await library.corrected(context.text))
    }
  }
}
// GUIDE: end

// GUIDE: Functions and constants
nonisolated func reduceDraft(_ draft: inout Note?, _ action: ListAction) {
  switch action {
  case .open(let id): draft = Note(id: id)
  case .close: draft = nil
  case .add, .remove: break
  }
}
nonisolated enum Found {
  static let notes = Derived(\Notes.notes, \Notes.query) { notes, query in
    notes.filter { $0.contains(query) }
  }
}
// GUIDE: end

func notesFeature(_ library: any Library, _ clock: any Clock<Duration>) -> Feature<Notes> {
  Feature {
    Mutator(\.notes) { (notes: inout Entities<Note>, action: ListAction) in
      switch action {
      case .add(let note): notes.append(note)
      case .remove(let id): notes.remove(id: id)
      case .open, .close: break
      }
    }
    .on(Loaded.self) { notes, loaded in
      for note in loaded.notes { notes.upsert(note) }
    }
    noteFeature(library).identified().lifted(\.notes)
    Mutator(\.query) { (query: inout String, action: QueryChanged) in query = action.text }
    Mutator(\.isLoading) { (isLoading: inout Bool, _: Load) in isLoading = true }
      .on(Loaded.self) { isLoading, _ in isLoading = false }
    Mutator(\.draft, reduceDraft)
    noteFeature(library).optional().lifted(\.draft)
    Effect(on: Load.self, .first) { _, _ in
      Loaded(notes: try await library.notes())
    }
    Effect(whenChanged: \.query, .latest) { query, context in
      if query.isEmpty || context[Found.notes].isEmpty { context.dispatch(Load()) }
    }
    .debounced(for: .seconds(1), clock: clock)
  }
}
