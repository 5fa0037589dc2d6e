import Lensed

// GUIDE: State and actions
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
nonisolated extension Note {
  func contains(_ query: String) -> Bool { query.isEmpty || text.contains(query) }
}

enum NoteAction: Action, Equatable { case edit(String), check }
enum ListAction: Action, Equatable { case add(Note), remove(Int), open(Int), close }
struct QueryChanged: Action, Equatable { let text: String }
struct Load: Action, Hashable {}
struct Loaded: Action, Equatable { let notes: [Note] }
// GUIDE: end

// GUIDE: A service
protocol Library: Sendable {
  func notes() async throws -> [Note]
  func corrected(_ text: String) async throws -> String
}
// GUIDE: end
