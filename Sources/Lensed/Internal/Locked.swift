public import Synchronization

/// A value and the one lock that guards it.
///
/// Every lock of the module but the one of a store's state (`StoreLock`) is this type. The thread sanitizer does not see the slow path of `Mutex` on
/// Linux, and reports races that do not exist. Under `-D TSAN` each critical section therefore begins with
/// an acquiring load and ends with a releasing store of one atomic, which the sanitizer does see.
@usableFromInline
package struct Locked<Value: ~Copyable>: ~Copyable, Sendable {
  @usableFromInline
  let mutex: Mutex<Value>
  #if TSAN
    @usableFromInline
    let visible = Atomic<UInt>(0)
  #endif

  @inlinable
  package init(_ value: consuming sending Value) {
    mutex = Mutex(value)
  }

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
