public import Synchronization

/// A value and the one lock that guards it.
///
/// Every lock of the module but the one of a store's state (`StoreLock`) is this type. The thread sanitizer does not
/// see the slow path of `Mutex` on Linux, and reports races that do not exist. Under `-D TSAN` each critical section
/// therefore begins with an acquiring load and ends with a releasing store of one atomic, which the sanitizer does see.
@usableFromInline
package struct Locked<Value: ~Copyable>: ~Copyable, Sendable {
  @usableFromInline
  let mutex: Mutex<Value>
  #if TSAN
    @usableFromInline
    let visible = Atomic<UInt>(0)
  #endif

  @inlinable
  package init(_ value: consuming sending Value) { mutex = Mutex(value) }

  @inlinable
  package func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    #if TSAN
      try mutex.withLock { value throws(Failure) in
        let entered = visible.load(ordering: .acquiring)
        defer { visible.store(entered &+ 1, ordering: .releasing) }
        return try body(&value)
      }
    #else
      try mutex.withLock(body)
    #endif
  }
}

// MARK: Flags

/// A flag that threads share, set once for all, with release and acquire: who finds it set sees what came before.
final class SharedFlag: Sendable {
  private let flag = Atomic(false)

  var isSet: Bool { flag.load(ordering: .acquiring) }

  func set() { flag.store(true, ordering: .releasing) }
}

// MARK: Waiters

/// A suspended task, to be resumed exactly once.
///
/// Here alone "exactly once" is asserted rather than checked: a machine returns each waiter at most once, whether it
/// ends, is abandoned, or the wait is broken. A machine that never ends is abandoned with its store.
@safe
struct Waiter<Outcome: Sendable>: Sendable {
  private let continuation: UnsafeContinuation<Outcome, Never>

  /// Suspends the current task until the waiter that `body` receives is resumed, and returns its outcome.
  nonisolated(nonsending) static func wait(_ body: (_ waiter: Waiter) -> Void) async -> Outcome {
    await unsafe withUnsafeContinuation { unsafe body(Waiter(continuation: $0)) }
  }

  func resume(returning outcome: Outcome) { unsafe continuation.resume(returning: outcome) }
}

extension Waiter<Void> {
  func resume() { resume(returning: ()) }
}
