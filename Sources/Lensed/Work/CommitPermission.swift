internal import Synchronization

/// Whether the commits of a work may begin.
///
/// A commit reads it under the lock of the store.
enum CommitPermission: UInt8, AtomicRepresentable {
  case granted
  /// The work was stopped.
  case revoked
  /// The work has ended and its parent adopted its children: the parent's permission decides.
  case inherited
}
