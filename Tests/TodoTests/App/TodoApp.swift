import Lensed

struct AppState: Sendable, Equatable {
  var document = Document()
  var left = Pane()
  var right = Pane(filter: .done)
  var destination = Destination.list
  var importing: Import?
  var settings = Settings()
  var failure: String?
}

/// Where the user is.
enum Destination: Sendable, Equatable {
  case list
  case editor(Editor)
  case settings
}

enum Destinations {
  static let editor = Prism(Destination.editor) {
    if case .editor(let editor) = $0 { editor } else { nil }
  }
}

enum Go: Action, Equatable { case list, settings }
/// Opens the editor with a draft of a line.
struct EditTodo: Action, Equatable { let id: Todo.ID }
/// Keeps the draft, and closes the editor.
struct SaveDraft: Action, Equatable {}

/// What the app asks of the world.
struct Services: Sendable {
  var estimator: any Estimator
  var assistant: any Assistant
  var reader: any LineReader
  var disk: any Disk
  var clock: any Clock<Duration>
}

enum TodoApp {
  static func feature(_ services: Services) -> Feature<AppState> {
    Feature {
      Mutator(\.document, Document.list)
        .on(SaveDraft.self, reading: \.destination) { document, _, destination in
          guard case .editor(let draft) = destination else { return }
          document.todos[id: draft.id]?.title = draft.title
        }
      Todo.feature(services.estimator).identified()
        .lifted(\.document.todos, giving: \.settings)
      Pane.feature.tagged(Left.self).lifted(\.left)
      Pane.feature.tagged(Right.self).lifted(\.right)
      Mutator(\.destination) { (destination: inout Destination, go: Go) in
        switch go {
        case .list: destination = .list
        case .settings: destination = .settings
        }
      }
      .on(EditTodo.self, reading: \.document.todos) { destination, edit, todos in
        guard let todo = todos[id: edit.id] else { return }
        destination = .editor(Editor(id: todo.id, title: todo.title))
      }
      // The document reads the draft as it was before this action.
      .on(SaveDraft.self) { destination, _ in destination = .list }
      Editor.feature(services.assistant).matching(Destinations.editor).lifted(\.destination)
      Mutator(\.importing) { (importing: inout Import?, start: StartImport) in
        importing = importing ?? Import(file: start.file)
      }
      .on(EndImport.self) { importing, _ in importing = nil }
      Import.feature(services.reader).optional().lifted(\.importing)
      Settings.feature.lifted(\.settings)
      Mutator(\.failure) { (failure: inout String?, failed: DiskFailed) in
        failure = failed.reason
      }
      .on(EndImport.self) { failure, end in if let new = end.failure { failure = new } }
      Persistence.service(services.disk, services.clock)
    }
  }
}
