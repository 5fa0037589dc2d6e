/// The work that a commit belongs to.
@usableFromInline
enum Parent: Sendable {
  /// None: what the commit starts is a tree of its own.
  case root
  /// What the commit starts can be waited for on its own, and is part of this work too.
  case child(of: WorkNode)
  /// What the commit starts is directly part of this work.
  case part(of: WorkNode)

  var node: WorkNode? {
    switch self {
    case .root: nil
    case .child(let work), .part(let work): work
    }
  }

  /// Whether such a commit may begin; to be asked under the lock of the store.
  var mayCommit: Bool { node?.mayCommit ?? true }

  /// Whether such a commit has a work of its own inside of another.
  var isChild: Bool {
    if case .child = self { true } else { false }
  }
}
