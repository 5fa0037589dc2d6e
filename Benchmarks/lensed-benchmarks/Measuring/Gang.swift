import Foundation
import Synchronization

/// Threads that wait together, run the same work at once, and wait again.
///
/// They outlive the samples, because starting a thread takes longer than many of the samples last.
final class Gang: Sendable {
  private typealias WorkNode = @Sendable () -> Void

  private struct Orders {
    var work: WorkNode?
    var round = 0
    var running = 0
    var finished: CheckedContinuation<Void, Never>?
    var isDismissed = false
  }

  private let count: Int
  private let orders = Mutex(Orders())
  // Rung with its own lock held after each change of the orders that a thread may wait for.
  private let bell = NSCondition()

  init(_ count: Int) {
    self.count = count
    for _ in 0..<count {
      Thread { [self] in labour() }.start()
    }
  }

  /// Runs the work once on each thread, and comes back when all are done.
  ///
  /// Waiting suspends rather than blocks: it takes no thread from the tasks that may be part of what
  /// is measured.
  private func run(_ work: @escaping WorkNode) async {
    await withCheckedContinuation { continuation in
      change {
        $0.work = work
        $0.round += 1
        $0.running = count
        $0.finished = continuation
      }
    }
  }

  /// Runs the work over and over on each thread, some turns at a time, until the time is over.
  func run(for time: Duration, _ work: @escaping @Sendable (_ turns: Int) -> Void) async {
    let end = ContinuousClock.now + time
    await run {
      // So many that the looks at the clock are lost among them.
      repeat { work(1_000) } while .now < end
    }
  }

  /// Lets the threads go.
  ///
  /// A gang that is not dismissed keeps them, and itself.
  func dismiss() { change { $0.isDismissed = true } }

  private func change(_ change: (inout Orders) -> Void) {
    bell.lock()
    defer { bell.unlock() }
    orders.withLock { change(&$0) }
    bell.broadcast()
  }

  private func labour() {
    var done = 0
    while let work = next(after: done) {
      done += 1
      work()
      let finished = orders.withLock { orders -> CheckedContinuation<Void, Never>? in
        orders.running -= 1
        guard orders.running == 0 else { return nil }
        orders.work = nil
        return orders.finished.take()
      }
      finished?.resume()
    }
  }

  private func next(after done: Int) -> WorkNode? {
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
