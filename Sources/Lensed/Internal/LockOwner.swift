public import Synchronization

/// Which thread holds a lock, and for which activity.
///
/// It tells a thread that it is about to wait for itself. The id of the last owner stays noted, so that a
/// thread that takes the lock again finds its own id there and writes nothing.
///
/// `isInside` is right without the lock:
/// 1. *Writers.* Only the thread that holds the lock writes. `enter` stores the id of its thread, relaxed, and
///    then the activity, releasing. `leave` stores the idle activity, relaxed.
/// 2. *Readers.* Any thread loads the activity, acquiring, and then the id, relaxed.
/// 3. *The owner is recognised.* A thread reads its own stores in program order. Between its `enter` and its
///    `leave` it reads its own id and an activity that is not idle.
/// 4. *No other thread is taken for the owner.* If a thread reads its own id with a non-idle activity, it wrote
///    both: a non-idle activity that another thread stored comes, by its release, with the id of that
///    thread or of a later owner, and this thread's own last write of activity was idle.
/// 5. *A stale value is harmless.* A thread outside the lock that reads an old id or an old activity reads one that
///    is not its own, and goes on to the lock.
@usableFromInline
struct LockOwner: ~Copyable, Sendable {
  /// An activity without further detail.
  @usableFromInline
  static let somethingElse: UInt = 1
  @usableFromInline
  static let nothing: UInt = 0

  @usableFromInline
  let thread = Atomic<UInt>(0)
  @usableFromInline
  let activity = Atomic<UInt>(nothing)

  @inlinable
  init() {}

  /// Whether the calling thread holds the lock; `asking` is its id.
  @inlinable
  @inline(__always)
  func isInside(_ asking: @autoclosure () -> UInt) -> Bool {
    activity.load(ordering: .acquiring) != Self.nothing
      && thread.load(ordering: .relaxed) == asking()
  }

  /// Notes the owner and its activity; under the lock, right after it was taken.
  @inlinable
  @inline(__always)
  func enter(_ me: UInt, for activity: UInt) {
    if thread.load(ordering: .relaxed) != me { thread.store(me, ordering: .relaxed) }
    self.activity.store(activity, ordering: .releasing)
  }

  /// Notes that the noted activity is over and another goes on; by the owner.
  @inline(__always)
  func turnToSomethingElse() {
    activity.store(Self.somethingElse, ordering: .releasing)
  }

  /// Notes that the lock is free; under the lock, right before it is released.
  @inlinable
  @inline(__always)
  func leave() {
    activity.store(Self.nothing, ordering: .relaxed)
  }
}
