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
  /// The list as a whole, and each line in it.
  static func feature(_ estimator: any Estimator) -> Feature<Document> {
    Feature {
      Mutator(\.self) { (document: inout Document, action: ListAction) in
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
      .on(EditorSaved.self) { document, saved in
        document.todos[id: saved.id]?.title = saved.title
      }
      .on(Loaded.self) { document, loaded in document = loaded.document }
      Todo.feature(estimator).identified().lifted(\.todos)
    }
  }
}
