/// One commit in a history.
public struct HistoryEntry<State: Sendable>: Sendable {
  /// What was applied: nil for the first entry, a replacement, and a result of an asynchronous reducer.
  public var action: (any Action)? { actions.count > 1 ? ActionList(actions) : actions.first }
  /// The single actions that were applied, in order.
  ///
  /// What sequences and effects dispatched, and what middleware put in place of other actions, is
  /// among them.
  public let actions: [any Action]
  /// What the commit came from; the first entry is a replacement.
  public let cause: CommitCause
  /// The number of the commit.
  public let revision: UInt64
  /// The state after it.
  public let state: State
  /// Where the action was dispatched.
  public let site: CallSite?
  /// Whether the actions alone say what happened, to a store with the parts of the first action.
  let isReplayable: Bool

  /// The module and file in which the action was dispatched.
  public var fileID: String? { site?.fileID }
  /// The line that dispatched it, from 1.
  public var line: UInt? { site?.line }
}
