/// A commit to be made, as those who want to see it are told.
@usableFromInline
struct CommitRequest: Sendable {
  /// Which work a commit belongs to.
  @usableFromInline
  enum Parent: Sendable {
    /// None yet: what it starts is a tree of its own.
    case root
    /// What it starts can be waited for on its own, and is part of this work too.
    case child(of: WorkNode)
    /// What it starts is directly part of this work.
    case part(of: WorkNode)

    /// What such a commit belongs to.
    var parent: WorkNode? {
      switch self {
      case .root: nil
      case .child(let work), .part(let work): work
      }
    }

    /// Whether such a commit may begin; to be asked under the lock of the store.
    var mayCommit: Bool { parent?.mayCommit ?? true }

    /// Whether such a commit starts a tree of its own.
    var isRoot: Bool {
      if case .root = self { true } else { false }
    }

    /// Whether such a commit has a work of its own inside of another.
    var hasHandle: Bool {
      if case .child = self { true } else { false }
    }
  }

  /// What was dispatched.
  var action: (any Action)?
  /// The single actions in it, in order.
  var members: [any Action] = []
  var site: CallSite?
  var cause = CommitCause.action
  var lineage = Parent.root
  /// Whether its outcome is waited for, so that nothing may be left for later.
  var isFocused = false
  /// Whether it happened before: nothing is started by it then.
  var isReplay = false
  /// Whether it puts back what work had shown that has ended: it is made though that was stopped.
  var isRestoring = false
  /// The commit is called off when the state was replaced after this one.
  var validFrom: UInt64?

  /// Whether the work that it belongs to lets it begin; to be asked under the lock of the store.
  var mayCommit: Bool { isRestoring || lineage.mayCommit }

  /// What a trap says of it.
  var intrusion: String {
    let site = site.map { " at \($0)" } ?? ""
    switch cause {
    case .action: return "dispatched `\(action.map { "\(type(of: $0))" } ?? "")`\(site)"
    case .asyncResult: return "committed the result of an asynchronous reducer"
    case .replacement: return "replaced the state"
    }
  }
}
