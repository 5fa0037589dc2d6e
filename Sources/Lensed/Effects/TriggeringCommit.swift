/// The commit that set an effect off, as the effect's state sees it.
///
/// The change is made only when somebody asks for it, which few effects do.
enum TriggeringCommit<State: Sendable>: Sendable {
  /// As the store tells it, to whoever knows the whole of its state.
  case report(any CommitReport)
  /// As a part of the state sees it.
  case change(Boxed<Change<State>>)

  /// The action that the commit as a whole was of.
  var action: (any Action)? {
    switch self {
    case .report(let report): report.action
    case .change(let change): change.value.action
    }
  }

  /// The change; `part` is the way to the state that the effect knows.
  func change(of part: PartPath<State>) -> Change<State> {
    switch self {
    case .report(let report): report.change(of: part)
    case .change(let change): change.value
    }
  }
}
