internal import Synchronization

/// A value behind a `Mutex` that the thread sanitizer can follow.
///
/// On Linux the sanitizer does not see the slow path of `Mutex` and reports races that are none;
/// under `-D TSAN` each critical section also loads and stores an atomic, which it does see.
public struct Fenced<Value: ~Copyable & Sendable>: ~Copyable, Sendable {
  private let mutex: Mutex<Value>
  #if TSAN
    private let visible = Atomic<UInt>(0)
  #endif

  /// Guards a value.
  public init(_ value: consuming sending Value) {
    mutex = Mutex(value)
  }

  /// Lends the value to one thread at a time.
  public func withLock<Result: Sendable, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try mutex.withLock { value throws(Failure) in
      #if TSAN
        let entered = visible.load(ordering: .acquiring)
        defer { visible.store(entered &+ 1, ordering: .releasing) }
      #endif
      return try body(&value)
    }
  }
}
