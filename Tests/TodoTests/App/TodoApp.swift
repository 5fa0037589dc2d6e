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

struct Go: Action, Equatable { let to: Destination }

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
      Document.feature(services.estimator).lifted(\.document)
      Pane.feature.tagged(Left.self).lifted(\.left)
      Pane.feature.tagged(Right.self).lifted(\.right)
      Mutator(\.destination) { (destination: inout Destination, go: Go) in destination = go.to }
        .on(EditorSaved.self) { destination, _ in destination = .list }
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
