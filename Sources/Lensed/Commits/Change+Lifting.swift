extension Change {
  /// The same commit, as a feature sees it that knows nothing of the app around it.
  func focused<Part: Sendable>(on lens: Lens<State, Part>) -> Change<Part> {
    Change<Part>(self, lens)
  }

  fileprivate init<Root: Sendable>(_ change: Change<Root>, _ lens: Lens<Root, State>) {
    current = Boxed(lens.get(change.state))
    former = change.former.map { Boxed(lens.get($0.value)) }
    part = change.part.appending(PartPath(lens))
    action = change.action
    cause = change.cause
    site = change.site
    revision = change.revision
    isHandled = change.isHandled
    droppedCount = change.droppedCount
    keepsPrevious = change.keepsPrevious
    isFirst = change.isFirst
    list = change.list
    touched = change.touched
    home = change.home
  }
}
