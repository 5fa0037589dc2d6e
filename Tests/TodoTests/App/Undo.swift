import Lensed

enum Undo {
  /// The history of the document: typing in one title is one step, and so is an import.
  static func history() -> History<AppState> {
    History(
      \.document, limit: 200,
      recording: { change in
        change.actions.isEmpty || change.actions.contains { !isOfTheProgram($0) }
      },
      grouping: { previous, next in
        guard let former = previous.actions.last else { return false }
        return !next.actions.isEmpty && next.actions.allSatisfy { goesOn(former, $0) }
      })
  }

  private static func isOfTheProgram(_ action: any Action) -> Bool {
    action is Loaded || action is ElementAction<Todo.ID, AskEstimate>
      || action is ElementAction<Todo.ID, EstimateAnswer>
  }

  private static func goesOn(_ former: any Action, _ latter: any Action) -> Bool {
    switch (former, latter) {
    case (is ImportedLines, is ImportedLines): true
    case (
      let former as ElementAction<Todo.ID, TodoAction>,
      let latter as ElementAction<Todo.ID, TodoAction>
    ):
      former.id == latter.id && former.action.isRenaming && latter.action.isRenaming
    default: false
    }
  }
}

extension TodoAction {
  fileprivate var isRenaming: Bool { if case .rename = self { true } else { false } }
}
