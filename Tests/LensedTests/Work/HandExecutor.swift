import LensedTestSupport

@testable import Lensed

/// An executor whose jobs run when a test says so, on a thread of their own.
final class HandExecutor: TaskExecutor {
  private let jobs = Locked<[UnownedJob]>([])

  /// How many jobs it has yet to run.
  var count: Int { jobs.withLock { $0.count } }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  /// Starts to run all jobs, or some, one after another; the returned gate opens when there is none left.
  func start(atMost most: Int = .max) -> ThreadGate {
    Threads.start { [self] in
      for _ in 0..<most {
        guard let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return }
        unsafe job.runSynchronously(on: asUnownedTaskExecutor())
      }
    }
  }

  /// Runs all jobs, and those that they start.
  func run() { start().wait() }
}
