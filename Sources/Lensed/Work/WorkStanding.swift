internal import Synchronization

/// Whether its commits may begin, as a commit asks under the lock of the store.
enum WorkStanding: UInt8, AtomicRepresentable {
  case goesOn
  case stopped
  /// It has ended, and given its children to its parent: that one knows.
  case handedOver
}
