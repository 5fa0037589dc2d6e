/// The commit that triggered an effect, in terms of the effect's state.
///
/// The change is made only when it is read, because few effects read it.
enum TriggeringCommit<State: Sendable>: Sendable {
  /// The report of the store, in terms of its whole state.
  case report(any CommitReport)
  /// The change of a part of the state.
  case change(Boxed<Change<State>>)

  /// The action of the whole commit.
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
