/// One commit in a history, with the state after it.
///
/// ```swift
/// for entry in history.entries { print(entry.revision, entry.actions, entry.state.cart) }
/// ```
public struct HistoryEntry<State: Sendable>: Sendable {
  /// The applied action; nil for the first entry, a replacement, and a result of an asynchronous
  /// reducer.
  public var action: (any Action)? { actions.count > 1 ? ActionList(actions) : actions.first }
  /// The single actions of the commit, in order.
  ///
  /// They include actions dispatched by sequences and effects, and replacements made by middleware.
  public let actions: [any Action]
  /// The cause of the commit; the first entry is a replacement.
  public var cause: CommitCause { causes.cause }
  /// The number of the commit.
  public let revision: UInt64
  /// The state after it.
  public let state: State
  /// The place in the source code that dispatched the action.
  public var site: CallSite? { causes.site }
  let causes: CommitCauses
  /// The commits of the step before the one that `revision` names.
  let earlier: [UInt64]
  /// Whether it is the state in which the history began.
  let isFirst: Bool
  /// Whether replaying the actions produces the same state, in a store with the first action's
  /// parts.
  let isReplayable: Bool

  /// What made the commit; of a step of several commits, the first of them.
  public var origin: CommitOrigin { causes.origin }
  /// The number of the commit that set off what made it; nil where something from outside did.
  public var parent: UInt64? { causes.parent }
  /// The time from the making of the store to the commit; nil for the first entry.
  public var time: Duration? { causes.time }
  /// Whether it is a commit of a replay.
  public var isReplayed: Bool { causes.isReplayed }

  /// The module and file that dispatched the action.
  public var fileID: String? { site?.fileID }
  /// The line that dispatched it, from 1.
  public var line: UInt? { site?.line }
}

extension HistoryEntry {
  init(_ step: HistoryMachine.Step, state: State) {
    (actions, revision) = (step.actions.all, step.revision)
    (self.state, isReplayable) = (state, step.isReplayable)
    (causes, earlier, isFirst) = (step.causes, step.earlier, step.isFirst)
  }

  init(_ commit: PassedCommit, state: State) {
    (actions, revision) = (commit.actions, commit.revision)
    (self.state, isReplayable) = (state, false)
    (causes, earlier, isFirst) = (commit.causes, [], false)
  }

  /// The first commit of the step.
  var first: UInt64 { earlier.first ?? revision }

  func has(_ commit: UInt64) -> Bool {
    !isFirst && (commit == revision || earlier.contains(commit))
  }
}
