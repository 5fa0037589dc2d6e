import Lensed

enum Undo {
  /// The history of the document: typing in one title is one step, and so is an import.
  static func history() -> History<AppState> {
    History(
      \.document, limit: 200,
      recording: { change in
        switch change.action {
        case is Loaded, is ElementAction<Todo.ID, AskEstimate>,
          is ElementAction<Todo.ID, EstimateAnswer>:
          false
        default: true
        }
      },
      grouping: { previous, next in
        switch (previous.action, next.action) {
        case (is ImportedLines, is ImportedLines): true
        case (
          let former as ElementAction<Todo.ID, TodoAction>,
          let latter as ElementAction<Todo.ID, TodoAction>
        ):
          former.id == latter.id && former.action.isRenaming && latter.action.isRenaming
        default: false
        }
      })
  }
}

extension TodoAction {
  fileprivate var isRenaming: Bool { if case .rename = self { true } else { false } }
}
