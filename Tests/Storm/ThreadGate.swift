internal import Foundation
internal import Synchronization

/// A gate that threads wait at until somebody opens it; once open it stays open.
///
/// For code that cannot suspend, such as the body of a subscription. It blocks the calling thread, so
/// it has no place in a task.
public final class ThreadGate: Sendable {
  private let condition = NSCondition()
  nonisolated(unsafe) private var isUnlocked = false
  nonisolated(unsafe) private var waiting = 0

  /// A closed gate.
  public init() {}

  /// Lets everybody through, now and later.
  public func open() {
    condition.withLock {
      // Touched only while the condition is locked, here and below.
      unsafe isUnlocked = true
      condition.broadcast()
    }
  }

  /// Blocks the calling thread until the gate is open.
  public func wait() {
    condition.withLock {
      unsafe waiting += 1
      condition.broadcast()
      while unsafe !isUnlocked { condition.wait() }
      unsafe waiting -= 1
    }
  }

  /// Blocks the calling thread until so many others wait at the closed gate.
  public func waitForWaiters(_ count: Int = 1) {
    condition.withLock {
      while unsafe waiting < count { condition.wait() }
    }
  }
}

/// Threads of one's own, for tests of what happens between threads.
public enum Threads {
  /// Starts one thread.
  ///
  /// - Parameters:
  ///   - stackSize: How large its stack is, in bytes.
  ///   - body: What it does.
  /// - Returns: A gate that opens when `body` has returned and was let go, with all that it had captured.
  public static func start(
    stackSize: Int = 1 << 20, _ body: @escaping @Sendable () -> Void
  ) -> ThreadGate {
    let done = ThreadGate()
    let work = Work(body)
    let thread = Thread {
      work.perform()
      done.open()
    }
    thread.stackSize = stackSize
    thread.start()
    return done
  }

  /// What a thread does once.
  ///
  /// Who has waited for the thread may end the process: what the body had captured would be reported as a leak if the
  /// thread still held it.
  private final class Work: Sendable {
    private let body: Mutex<(@Sendable () -> Void)?>

    init(_ body: @escaping @Sendable () -> Void) { self.body = Mutex(body) }

    func perform() {
      let body = body.withLock { $0.take() }
      body?()
    }
  }

  /// A number of the calling thread that no other living thread has.
  public static var currentNumber: UInt {
    #if canImport(Darwin)
      unsafe UInt(bitPattern: pthread_self())
    #else
      UInt(pthread_self())
    #endif
  }

  private static let lookInterval = Duration.microseconds(100)

  /// Lets other threads go first, also where there are more of them than cores.
  public static func yield() { Thread.sleep(forTimeInterval: lookInterval / .seconds(1)) }

  /// Runs blocking code on a thread of its own, so that no thread of the tasks is blocked.
  @discardableResult
  nonisolated(nonsending) public static func apart<Value: Sendable>(
    _ body: @escaping @Sendable () -> Value
  ) async -> Value {
    await withCheckedContinuation { continuation in
      _ = start { continuation.resume(returning: body()) }
    }
  }

  /// Lets other threads go first until something holds.
  ///
  /// - Parameters:
  ///   - time: When to give up: ten minutes, which a busy machine does not take. Where tests keep all threads of
  ///     the tasks busy, a task has waited longer than twenty seconds for its next turn. Counted are the looks, 0.1 ms
  ///     apart at least: a machine that stands still for minutes uses up none of it.
  ///   - condition: What is waited for.
  /// - Returns: Whether it holds.
  @discardableResult
  public static func wait(
    atMost time: Duration = .seconds(600), until condition: () -> Bool
  ) -> Bool {
    for _ in 0..<Int(time / lookInterval) {
      if condition() { return true }
      yield()
    }
    return condition()
  }

  /// Runs `body` on several threads that begin together, and returns when all have ended.
  ///
  /// - Parameters:
  ///   - count: How many threads.
  ///   - body: Is given the number of its thread, from 0.
  public static func run(_ count: Int, _ body: @escaping @Sendable (_ thread: Int) -> Void) {
    let start = ThreadGate()
    let ends = (0..<count).map { number in
      Threads.start {
        start.wait()
        body(number)
      }
    }
    start.waitForWaiters(count)
    start.open()
    for end in ends { end.wait() }
  }
}
