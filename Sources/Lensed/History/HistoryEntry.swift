/// One commit in a history, with the state after it.
public struct HistoryEntry<State: Sendable>: Sendable {
  /// The applied action; nil for the first entry, a replacement, and a result of an asynchronous
  /// reducer.
  public var action: (any Action)? { actions.count > 1 ? ActionList(actions) : actions.first }
  /// The single actions of the commit, in order.
  ///
  /// They include actions dispatched by sequences and effects, and replacements made by middleware.
  public let actions: [any Action]
  /// The cause of the commit; the first entry is a replacement.
  public let cause: CommitCause
  /// The number of the commit.
  public let revision: UInt64
  /// The state after it.
  public let state: State
  /// The place in the source code that dispatched the action.
  public let site: CallSite?
  /// Whether replaying the actions produces the same state, in a store with the first action's
  /// parts.
  let isReplayable: Bool

  /// The module and file that dispatched the action.
  public var fileID: String? { site?.fileID }
  /// The line that dispatched it, from 1.
  public var line: UInt? { site?.line }
}

extension HistoryEntry {
  init<Value>(_ step: HistoryMachine<Value>.Step, state: State) {
    (actions, cause, revision) = (step.actions, step.cause, step.revision)
    (self.state, site, isReplayable) = (state, step.site, step.isReplayable)
  }
}
