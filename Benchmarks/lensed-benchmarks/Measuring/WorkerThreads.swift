import Foundation
import Synchronization

/// Threads that run the same work at once, in rounds, and wait in between.
///
/// They are started once, because starting a thread takes longer than many samples.
///
/// **Cycle.** `run` starts a round. Each thread runs the work once; the last one resumes the
/// caller. `stop` ends the threads.
///
/// **Mutable state.** `schedule` has a lock of its own. A thread checks it and waits with the
/// condition's lock held, and each change of it is signalled with that lock held, so no signal is
/// lost.
final class WorkerThreads: Sendable {
  private typealias Work = @Sendable () -> Void

  private struct Schedule {
    var work: Work?
    var round = 0
    var running = 0
    var finished: CheckedContinuation<Void, Never>?
    var isStopped = false
  }

  private let count: Int
  private let schedule = Mutex(Schedule())
  private let condition = NSCondition()

  init(_ count: Int) {
    self.count = count
    for _ in 0..<count {
      Thread { [self] in runRounds() }.start()
    }
  }

  /// Runs the work once on each thread, and returns when all have finished.
  ///
  /// Waiting suspends and does not block, so it takes no thread from tasks under measurement.
  private func run(_ work: @escaping Work) async {
    await withCheckedContinuation { continuation in
      change {
        $0.work = work
        $0.round += 1
        $0.running = count
        $0.finished = continuation
      }
    }
  }

  /// Runs the work repeatedly on each thread, some turns at a time, until the time is over.
  func run(for time: Duration, _ work: @escaping @Sendable (_ turns: Int) -> Void) async {
    let end = ContinuousClock.now + time
    await run {
      // So many turns that the cost of reading the clock is negligible.
      repeat { work(1_000) } while .now < end
    }
  }

  /// Ends the threads.
  ///
  /// Without this call the threads keep running and keep this object alive.
  func stop() { change { $0.isStopped = true } }

  private func change(_ change: (inout Schedule) -> Void) {
    condition.lock()
    defer { condition.unlock() }
    schedule.withLock { change(&$0) }
    condition.broadcast()
  }

  private func runRounds() {
    var done = 0
    while let work = next(after: done) {
      done += 1
      work()
      let finished = schedule.withLock { schedule -> CheckedContinuation<Void, Never>? in
        schedule.running -= 1
        guard schedule.running == 0 else { return nil }
        schedule.work = nil
        return schedule.finished.take()
      }
      finished?.resume()
    }
  }

  private func next(after done: Int) -> Work? {
    condition.lock()
    defer { condition.unlock() }
    while true {
      let now = schedule.withLock { $0 }
      if now.isStopped { return nil }
      if now.round > done, let work = now.work { return work }
      condition.wait()
    }
  }
}
