import LensedTestSupport
import Testing

@testable import Lensed

@Suite("A job queue does what a plain model of its policy does", .timeLimit(.minutes(30)))
struct JobQueueMachineTests {
  private final class Job: Sendable {
    let number: Int
    init(_ number: Int) { self.number = number }
  }

  /// The same rules, written down as lists.
  private struct Model {
    let policy: EffectPolicy
    var running: [Int] = []
    var waiting: [Int] = []
    /// The running job that the next one supersedes.
    var newest: Int?

    mutating func admit(_ job: Int) -> String {
      switch policy {
      case .first where !running.isEmpty: return "ignore"
      case .latest:
        defer { (newest, running) = (job, running + [job]) }
        return "start, cancelling \(newest.map { [$0] } ?? [])"
      case .serial where !running.isEmpty:
        waiting.append(job)
        return "wait"
      case .limited(let most) where running.count >= most:
        waiting.append(job)
        return "wait"
      default:
        running.append(job)
        return "start, cancelling []"
      }
    }

    mutating func end(_ job: Int) -> Int? {
      running.removeAll { $0 == job }
      if newest == job { newest = nil }
      guard !waiting.isEmpty else { return nil }
      let next = waiting.removeFirst()
      running.append(next)
      return next
    }

    mutating func withdraw(_ job: Int) -> Bool {
      guard let index = waiting.firstIndex(of: job) else { return false }
      waiting.remove(at: index)
      return true
    }
  }

  private static let policies: [EffectPolicy] = [
    .concurrent, .latest, .first, .serial, .limited(1), .limited(3),
  ]

  private func describe(_ admission: JobQueueMachine<Job>.Admission) -> String {
    switch admission {
    case .ignore: "ignore"
    case .wait: "wait"
    case .start(let others): "start, cancelling \(others.map(\.number).sorted())"
    }
  }

  @Test(arguments: policies, [3, 77, 1_234] as [UInt64])
  func `random steps give the same answers as the model`(policy: EffectPolicy, seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var (machine, model) = (JobQueueMachine<Job>(policy), Model(policy: policy))
    var jobs: [Int: Job] = [:]
    for step in 0..<4_000 {
      let place = "seed \(seed), step \(step), \(policy)"
      switch Int.random(in: 0..<5, using: &random) {
      case 0, 1:
        let job = Job(step)
        jobs[step] = job
        let (said, meant) = (describe(machine.admit(job)), model.admit(step))
        #expect(said == meant, "\(place)")
      case 2, 3:
        guard let number = model.running.randomElement(using: &random), let job = jobs[number]
        else { continue }
        let (next, due) = (machine.finish(job)?.number, model.end(number))
        #expect(next == due, "\(place)")
      default:
        let all = model.waiting + model.running
        guard let number = all.randomElement(using: &random), let job = jobs[number] else {
          continue
        }
        let (left, gone) = (machine.withdraw(job), model.withdraw(number))
        #expect(left == gone, "\(place)")
      }
      #expect(machine.waitingJobs.map(\.number) == model.waiting, "\(place)")
      #expect(machine.runningJobs.map(\.number).sorted() == model.running.sorted(), "\(place)")
      #expect(machine.waitingJobs.count == model.waiting.count, "\(place)")
    }
  }

  @Test(arguments: policies)
  func `three jobs in every order give the same answers as the model`(policy: EffectPolicy) {
    // Three jobs arrive, end when they run, and withdraw when they wait: all orders of that.
    func explore(
      _ machine: JobQueueMachine<Job>, _ model: Model, _ jobs: [Job], _ left: [Int]
    )
      -> Int
    {
      var count = 0
      for (index, job) in left.enumerated() {
        var (machine, model, left) = (machine, model, left)
        left.remove(at: index)
        let (said, meant) = (describe(machine.admit(jobs[job])), model.admit(job))
        #expect(said == meant)
        count += 1 + explore(machine, model, jobs, left)
      }
      for number in model.running {
        var (machine, model) = (machine, model)
        let (next, due) = (machine.finish(jobs[number])?.number, model.end(number))
        #expect(next == due)
        count += 1 + explore(machine, model, jobs, left)
      }
      for number in model.waiting {
        var (machine, model) = (machine, model)
        let (isOut, wasIn) = (machine.withdraw(jobs[number]), model.withdraw(number))
        #expect(isOut == wasIn)
        count += 1 + explore(machine, model, jobs, left)
      }
      return count
    }
    let jobs = (0..<3).map(Job.init)
    #expect(explore(JobQueueMachine(policy), Model(policy: policy), jobs, [0, 1, 2]) > 30)
  }
}
