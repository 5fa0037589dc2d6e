/// A commit that is to be made on the slow path.
struct CommitRequest {
  enum Content {
    case batch(ActionBatch)
    /// Reduces actions of any types, in order.
    case list([any Action])
    /// Writes the result of an asynchronous reducer in the child with some ids; not, if another owner has the sub-state
    /// by now, or the state was replaced after the commit `after`, or `unless` returns true, as where the child has
    /// gone.
    case result(
      of: OwnershipEpoch, in: (ids: [AnyID], depth: ElementDepth), after: UInt64,
      unless: (_ table: inout ObserverTable) -> Bool,
      write: (_ state: StateAddress) -> Void)
    /// Replaces a part of the state, or all of it if that is nil; not, if `choose` returns false.
    case replacement(
      of: Footprint?, choose: () -> Bool, write: (_ state: StateAddress) -> Void)
  }

  let content: Content
  /// What was dispatched, if `isBoxed`: the content lies elsewhere, or is what that stands for.
  ///
  /// It is no optional and no payload of the content: those are copied at each access.
  private var boxed: any Action = Unboxed()
  private var isBoxed = false
  var site: CallSite?
  var parent = Parent.root
  /// The child that its actions are for; it is not made while that is not there.
  var child: ScopedChild?
  /// Whether the caller reads the result, so that nothing may be left for later.
  var isFocused = false
  /// Whether it puts back what stopped work had shown: it is made though the work was stopped.
  var isRestoring = false
  /// Whether it is an undo, a redo or a jump.
  var isJourney = false
  /// The values for the time being that it shows and ends.
  var placeholders = PlaceholderStep()
  var preparation = Preparation.none

  /// What was done for a commit before the lock was taken.
  enum Preparation {
    case none
    /// Coverage is proved, the actions can be routed, and the middleware of this version was asked.
    case judged(by: UInt64?)
    /// It was made before, in a store or another: no middleware is asked or notified again, and actions start nothing.
    /// With it goes what its record says, where there is one.
    case replayed(as: Boxed<CommitCauses>?)
  }

  /// Stands for what was not put into a box.
  private struct Unboxed: Action {}

  init(
    _ content: Content, from site: CallSite? = nil, under parent: Parent = .root,
    to child: ScopedChild? = nil, isFocused: Bool = false
  ) {
    (self.content, self.site, self.parent, self.child) = (content, site, parent, child)
    self.isFocused = isFocused
  }

  /// A list that the action `whole`, which was dispatched, stands for.
  init(
    _ actions: [any Action], as whole: any Action, from site: CallSite? = nil,
    under parent: Parent = .root, to child: ScopedChild? = nil, isFocused: Bool = false
  ) {
    self.init(.list(actions), from: site, under: parent, to: child, isFocused: isFocused)
    box(whole)
  }

  mutating func box(_ whole: any Action) {
    (boxed, isBoxed) = (whole, true)
  }

  var whole: (any Action)? {
    if isBoxed { return boxed }
    if case .batch(let batch) = content { return batch.boxed() }
    return nil
  }

  var isReplay: Bool {
    if case .replayed = preparation { true } else { false }
  }

  /// What the record of a replayed commit says; nil where nothing is known of it.
  var recorded: Boxed<CommitCauses>? {
    if case .replayed(let recorded) = preparation { recorded } else { nil }
  }

  var isBatch: Bool {
    if case .batch = content { true } else { false }
  }

  /// Whether the work that it belongs to lets it begin; to be asked under the lock of the store.
  @inline(__always)
  var mayCommit: Bool { isRestoring || parent.mayCommit }

  /// Whether it belongs to some work, or repeats a commit.
  var hasKnownCauses: Bool {
    if case .root = parent { isReplay } else { true }
  }

  var cause: CommitCause {
    switch content {
    case .batch, .list: .action
    case .result: placeholders.shows == nil ? .asyncResult : .placeholder
    case .replacement: .replacement
    }
  }

  var actions: CommittedActions {
    switch content {
    case .batch(let batch):
      let whole = isBoxed ? boxed : batch.boxed()
      return batch.isArray ? .several(batch.members(), as: whole) : .single(whole)
    case .list(let actions): return .several(actions, as: boxed)
    case .result(_, let child, _, _, _): return .result(in: child.ids)
    case .replacement: return .none
    }
  }

  var type: any Action.Type {
    if isBoxed { return Swift.type(of: boxed) }
    if case .batch(let batch) = content { return batch.type }
    return ActionList.self
  }
}

// MARK: What work belongs to

/// The work that a commit belongs to.
@usableFromInline
enum Parent: Sendable {
  /// None: what the commit starts is a tree of its own.
  case root
  /// What the commit starts can be waited for on its own, and is part of this work too.
  case child(of: WorkNode)
  /// What the commit starts is directly part of this work.
  case part(of: WorkNode)
  /// The same, for a member of a list that holds a sequence, which is why the list has this work: `maker` dispatched
  /// the list, and so the member. What the sequence yields is a `part`.
  indirect case member(of: WorkNode, by: Parent)

  var node: WorkNode? {
    switch self {
    case .root: nil
    case .child(let work), .part(let work), .member(let work, _): work
    }
  }

  /// The work that has dispatched the actions; nil where that was the app.
  var maker: WorkNode? {
    if case .member(_, let list) = self { list.maker } else { node }
  }

  /// Whether such a commit may begin; to be asked under the lock of the store.
  @inline(__always)
  var mayCommit: Bool { node?.mayCommit ?? true }

  /// Whether such a commit has a work of its own inside of another.
  var isChild: Bool {
    if case .child = self { true } else { false }
  }
}
