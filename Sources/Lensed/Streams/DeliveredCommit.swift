internal import Synchronization

/// The commit in whose delivery a thread acts.
struct DeliveredCommit: Sendable, Equatable {
  let revision: UInt64
  let kind: DeliveryKind
}

/// What the commit that is delivered has to do with the past.
enum DeliveryKind: UInt8, AtomicRepresentable, Sendable {
  /// An ordinary commit.
  case ordinary
  /// An undo, a redo or a jump.
  case journey
  /// What an observer has dispatched in the delivery of a journey, or of another echo.
  case echo
  /// A commit that was made before, and is made again.
  case replay

  /// The kind of what an observer dispatches meanwhile.
  var ofReaction: DeliveryKind {
    switch self {
    case .ordinary, .replay: .ordinary
    case .journey, .echo: .echo
    }
  }
}

/// What the deliverer of a store delivers.
///
/// 1. The deliverer writes its thread last before the calls, and zero after them; the baton says that there is one
///    deliverer.
/// 2. A thread that reads its own number has written it, and is the deliverer: so it has written the other fields, too.
///    Every ordering may be relaxed for that.
/// 3. Other threads read the kind alone, for `isReplaying`; a stale one is as good as one of a moment ago.
struct DeliveryMark: ~Copyable, Sendable {
  private let thread = Atomic<UInt>(0)
  private let revision = Atomic<UInt64>(0)
  private let kind = Atomic(DeliveryKind.ordinary)

  /// The commit in whose delivery the calling thread acts; nil where it does not.
  var own: DeliveredCommit? {
    guard thread.load(ordering: .relaxed) == ThreadIdentity.current else { return nil }
    return DeliveredCommit(
      revision: revision.load(ordering: .relaxed), kind: kind.load(ordering: .relaxed))
  }

  /// The kind of the commit that some thread delivers.
  var current: DeliveryKind {
    thread.load(ordering: .relaxed) == 0 ? .ordinary : kind.load(ordering: .relaxed)
  }

  /// Makes the calls of a commit; by the deliverer.
  @inline(__always)
  func delivering(_ revision: UInt64, _ kind: DeliveryKind, _ makeCalls: () -> Void) {
    self.revision.store(revision, ordering: .relaxed)
    self.kind.store(kind, ordering: .relaxed)
    thread.store(ThreadIdentity.current, ordering: .relaxed)
    makeCalls()
    thread.store(0, ordering: .relaxed)
  }
}
