import Lensed

// A state is a plain value for every thread: `nonisolated`. An action needs no word: `Action` says it.

nonisolated struct Notes: Equatable {
  var notes: Entities<Note> = []
  var query = ""
  var isLoading = false
  var draft: Note?
}

nonisolated struct Note: Equatable, Identifiable {
  let id: Int
  var text = ""
}

enum NoteAction: Action, Equatable { case edit(String), check }
enum ListAction: Action, Equatable { case add(Note), remove(Int), open(Int), close }
struct QueryChanged: Action, Equatable { let text: String }
struct Load: Action, Hashable {}
struct Loaded: Action, Equatable { let notes: [Note] }

protocol Library: Sendable {
  func notes() async throws -> [Note]
  func corrected(_ text: String) async throws -> String
}
