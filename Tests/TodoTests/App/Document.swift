import Lensed

/// What is saved, and what is undone.
struct Document: Sendable, Equatable {
  var todos: Entities<Todo> = []
  var lastID = 0

  mutating func add(_ title: String) {
    lastID += 1
    todos.append(Todo(id: lastID, title: title))
  }
}

enum ListAction: Action, Equatable {
  case add(String)
  case remove(Int)
  case move(Int, to: Int)
  case clearDone
}

extension Document {
  /// Which lines there are, and in which order.
  static let list = Reducer { (document: inout Document, action: ListAction) in
    switch action {
    case .add(let title): document.add(title)
    case .remove(let id): document.todos.remove(id: id)
    case .move(let id, let position): document.todos.move(id: id, to: position)
    case .clearDone: document.todos.removeAll(where: \.isDone)
    }
  }
  .on(ImportedLines.self) { document, lines in
    for line in lines.texts { document.add(line) }
  }
  .on(Loaded.self) { document, loaded in document = loaded.document }

  /// The document alone, without an app: with the usual settings.
  static func feature(_ estimator: any Estimator) -> Feature<Document> {
    Feature {
      Mutator(\.self, list)
      Todo.feature(estimator).identified().lifted(\.todos).giving(Settings())
    }
  }
}
