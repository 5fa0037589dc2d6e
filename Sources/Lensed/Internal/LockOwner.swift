public import Synchronization

/// Which thread is inside of what a lock guards, and what it does there.
///
/// It tells a thread that it would wait for itself. Who was inside last stays noted, so that a thread
/// that comes back finds its own name there and writes nothing.
///
/// Why `isInside` is right without the lock: a thread notes its name before its business, and another
/// thread that sees the business sees the name, or that of a later one. Its own name and some business
/// together are its own, because the last business that it noted itself was none.
@usableFromInline
struct LockOwner: ~Copyable, Sendable {
  /// What is noted as business when there is no more to say.
  @usableFromInline
  static let somethingElse: UInt = 1
  @usableFromInline
  static let nothing: UInt = 0

  @usableFromInline
  let thread = Atomic<UInt>(0)
  @usableFromInline
  let business = Atomic<UInt>(nothing)

  @inlinable
  init() {}

  /// Whether the thread that asks is inside; `asking` is its name.
  @inlinable
  @inline(__always)
  func isInside(_ asking: @autoclosure () -> UInt) -> Bool {
    business.load(ordering: .acquiring) != Self.nothing
      && thread.load(ordering: .relaxed) == asking()
  }

  /// Notes who is inside; under the lock, by whoever has just taken it.
  @inlinable
  @inline(__always)
  func enter(_ me: UInt, for business: UInt) {
    if thread.load(ordering: .relaxed) != me { thread.store(me, ordering: .relaxed) }
    self.business.store(business, ordering: .releasing)
  }

  /// Notes that it is no more what was noted; by whoever is inside.
  @inline(__always)
  func turnToSomethingElse() {
    business.store(Self.somethingElse, ordering: .releasing)
  }

  /// Notes that nobody is inside; under the lock, by whoever is about to give it back.
  @inlinable
  @inline(__always)
  func leave() {
    business.store(Self.nothing, ordering: .relaxed)
  }
}
