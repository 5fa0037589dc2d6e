import LensedTestSupport
import LensedTesting

@testable import Lensed

/// An executor whose jobs run in the middle of deliveries, on the thread that delivers: how many, and which, a seed
/// stands for.
///
/// A store that is made with its `probe` lets it attack wherever other threads could act: between the steps of a
/// commit that are taken without the lock. So a run begins, a reader wakes and an observer is called there.
final class AttackingExecutor: TaskExecutor {
  private struct Jobs: Sendable {
    var ready: [UnownedJob] = []
    var random: SeededGenerator
    var depth = 0
  }

  private let jobs: Locked<Jobs>

  init(seed: UInt64) { jobs = Locked(Jobs(random: SeededGenerator(seed: seed))) }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.ready.append(job) }
  }

  var probe: StoreProbe { StoreProbe(executor: self, attack: { [self] in attack() }) }

  /// A number below `bound`, by the seed.
  func choose(below bound: Int) -> Int {
    jobs.withLock { Int.random(in: 0..<bound, using: &$0.random) }
  }

  private func attack() {
    let count = jobs.withLock { jobs -> Int in
      if jobs.depth > 2 || jobs.ready.isEmpty { return 0 }
      let count = [0, 0, 1, 2, 5].randomElement(using: &jobs.random) ?? 0
      if count > 0 { jobs.depth += 1 }
      return count
    }
    if count == 0 { return }
    for _ in 0..<count where !runOne() { break }
    jobs.withLock { $0.depth -= 1 }
  }

  /// Runs everything that is ready, and what that makes ready.
  func runAll() {
    var ran = true
    while ran { ran = runOne() }
  }

  private func runOne() -> Bool {
    let job = jobs.withLock { jobs -> UnownedJob? in
      if jobs.ready.isEmpty { return nil }
      return jobs.ready.remove(at: Int.random(in: jobs.ready.indices, using: &jobs.random))
    }
    guard let job else { return false }
    unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    return true
  }
}
