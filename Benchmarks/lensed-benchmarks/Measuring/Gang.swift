import Foundation
import Synchronization

/// Threads that wait together, run the same work at once, and wait again.
///
/// They outlive the samples, because starting a thread takes longer than many of the samples last.
final class Gang: Sendable {
  typealias Work = @Sendable () -> Void

  private struct Orders {
    var work: Work?
    var round = 0
    var running = 0
    var isDismissed = false
  }

  private let count: Int
  private let orders = Mutex(Orders())
  // Tells of a new round and of the last one to finish; `orders` holds what it is about. Every
  // change of the orders that somebody waits for is made with this one locked.
  private let bell = NSCondition()

  init(_ count: Int) {
    self.count = count
    for _ in 0..<count {
      Thread { [self] in labour() }.start()
    }
  }

  /// Runs the work once on each thread, and comes back when all are done.
  func run(_ work: @escaping Work) {
    bell.lock()
    defer { bell.unlock() }
    orders.withLock {
      $0.work = work
      $0.round += 1
      $0.running = count
    }
    bell.broadcast()
    while orders.withLock({ $0.running > 0 }) { bell.wait() }
    orders.withLock { $0.work = nil }
  }

  /// Lets the threads go. A gang that is not dismissed keeps them, and itself.
  func dismiss() {
    bell.lock()
    defer { bell.unlock() }
    orders.withLock { $0.isDismissed = true }
    bell.broadcast()
  }

  private func labour() {
    var done = 0
    while let work = next(after: done) {
      done += 1
      work()
      bell.lock()
      orders.withLock { $0.running -= 1 }
      bell.broadcast()
      bell.unlock()
    }
  }

  private func next(after done: Int) -> Work? {
    bell.lock()
    defer { bell.unlock() }
    while true {
      let now = orders.withLock { $0 }
      if now.isDismissed { return nil }
      if now.round > done, let work = now.work { return work }
      bell.wait()
    }
  }
}
