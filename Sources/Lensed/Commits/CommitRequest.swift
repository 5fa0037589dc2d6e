/// A commit that is to be made on the slow path.
struct CommitRequest {
  /// What the commit does to the state.
  enum Content {
    /// Reduces actions of one type.
    case batch(Batch)
    /// Reduces actions of any types, in order.
    case list([any Action])
    /// Writes the result of an asynchronous reducer; not, if another owner has the sub-state by now, or the
    /// state was replaced after the commit `after`, or the child has gone whose part it is.
    case result(
      of: OwnershipEpoch, after: UInt64, unless: () -> Bool, write: (_ state: StateAddress) -> Void)
    /// Replaces the state as a whole; not, if `choose` returns false.
    case replacement(choose: () -> Bool, write: (_ state: StateAddress) -> Void)
    /// Replaces a part of the state; not, if `choose` returns false.
    case partReplacement(
      of: Footprint, choose: () -> Bool, write: (_ state: StateAddress) -> Void)
  }

  let content: Content
  /// What was dispatched, where that is not the content itself.
  var dispatched: (any Action)?
  var site: CallSite?
  var parent = Parent.root
  /// Whether the caller reads the result, so that nothing may be left for later.
  var isFocused = false
  /// Whether the actions were applied before: nothing is started by them then.
  var isReplay = false
  /// Whether it puts back what stopped work had shown: it is made though the work was stopped.
  var isRestoring = false
  /// What was done for it before the lock was taken.
  var preparation = Preparation.none

  /// What was done for a commit before the lock was taken.
  enum Preparation {
    /// Nothing.
    case none
    /// Coverage is proved, the actions can be routed, and the middleware of this version was asked.
    case judged(by: UInt64)
    /// The actions were applied before, and no middleware is asked again.
    case replayed
  }

  init(_ content: Content) {
    self.content = content
  }

  /// Whether the work that it belongs to lets it begin; to be asked under the lock of the store.
  var mayCommit: Bool { isRestoring || parent.mayCommit }

  var cause: CommitCause {
    switch content {
    case .batch, .list: .action
    case .result: .asyncResult
    case .replacement, .partReplacement: .replacement
    }
  }

  /// What was dispatched, as listeners see it.
  var action: (any Action)? {
    if let dispatched { return dispatched }
    switch content {
    case .batch(let batch): return batch.boxed()
    case .list(let actions): return actions.count == 1 ? actions[0] : ActionList(actions)
    case .result, .replacement, .partReplacement: return nil
    }
  }

  /// The single actions, where they are not `action` itself.
  var list: [any Action]? {
    switch content {
    case .batch(let batch): batch.isArray ? batch.members() : nil
    case .list(let actions): actions
    case .result, .replacement, .partReplacement: []
    }
  }

  /// The type of what was dispatched.
  var type: any Action.Type {
    if let dispatched { return Swift.type(of: dispatched) }
    if case .batch(let batch) = content { return batch.type }
    return ActionList.self
  }

  /// What a trap says of it.
  var intrusion: String {
    switch cause {
    case .action: "dispatched `\(type)`\(site.map { " at \($0)" } ?? "")"
    case .asyncResult: "committed the result of an asynchronous reducer"
    case .replacement: "replaced the state"
    }
  }
}
