import LensedTestSupport
import Testing

@testable import Lensed

@Suite("A job queue does what a plain model of its policy does", .timeLimit(.minutes(30)))
struct JobQueueMachineTests {
  private final class Job: QueuedJob {
    let number: Int
    private let stop = SharedFlag()
    init(_ number: Int) { self.number = number }
    var isStopped: Bool { stop.isSet }
    func setStopped() { stop.set() }
  }

  /// The same rules, written down as lists.
  private struct Model {
    let policy: EffectPolicy
    var running: [Int] = []
    var waiting: [Int] = []
    /// Those whose code has returned, and whose run goes on.
    var lingering: [Int] = []
    var stopped: Set<Int> = []
    /// Those of the running jobs that have yet to begin.
    var pausing: Set<Int> = []
    /// The job that the next one supersedes.
    var newest: Int?
    var silence: Int?
    /// When the last one was admitted.
    var last: Int?

    mutating func admit(_ job: Int, at now: Int = 0, isLate: Bool = false) -> String {
      if let silence, let last, now < last + silence, !isLate {
        return "too soon by \(last + silence - now)"
      }
      if policy == .first, running.contains(where: { !stopped.contains($0) }) { return "ignore" }
      last = now
      if policy == .latest {
        defer { newest = job }
        run(job)
        return "start, cancelling \(newest.map { [$0] } ?? [])"
      }
      if let most = policy.limit, running.count >= most {
        waiting.append(job)
        return "wait"
      }
      run(job)
      return "start, cancelling []"
    }

    private mutating func run(_ job: Int) {
      running.append(job)
      if policy.pause != nil { pausing.insert(job) }
    }

    mutating func end(_ job: Int, lingers: Bool = false) -> Int? {
      running.removeAll { $0 == job }
      pausing.remove(job)
      if lingers { lingering.append(job) } else if newest == job { newest = nil }
      guard !waiting.isEmpty else { return nil }
      let next = waiting.removeFirst()
      run(next)
      return next
    }

    mutating func remove(_ job: Int) {
      lingering.removeAll { $0 == job }
      if newest == job { newest = nil }
    }

    mutating func withdraw(_ job: Int) -> Bool {
      guard let index = waiting.firstIndex(of: job) else { return false }
      waiting.remove(at: index)
      return true
    }
  }

  private static let policies: [EffectPolicy] = [
    .concurrent, .latest, .first, .serial, .limited(1), .limited(3),
    .serial.pausing(for: .seconds(1)), .limited(3).pausing(for: .seconds(1)),
  ]

  private func describe(_ admission: JobQueueMachine<Job>.Admission) -> String {
    switch admission {
    case .ignore: "ignore"
    case .wait: "wait"
    case .start(let others): "start, cancelling \(others.map(\.number).sorted())"
    case .tooSoon(let rest): "too soon by \(rest.components.seconds)"
    }
  }

  @Test(arguments: policies, [3, 77, 1_234] as [UInt64])
  func `random steps give the same answers as the model`(policy: EffectPolicy, seed: UInt64) {
    compare(JobQueueMachine(policy), Model(policy: policy), seed: seed)
  }

  @Test(arguments: policies, [3, 77, 1_234] as [UInt64])
  func `with a silence too`(policy: EffectPolicy, seed: UInt64) {
    let model = Model(policy: policy, silence: 5)
    compare(JobQueueMachine(policy, silence: .seconds(5)), model, seed: seed)
  }

  private func compare(
    _ machine: consuming JobQueueMachine<Job>, _ model: consuming Model, seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    var jobs: [Int: Job] = [:]
    let policy = model.policy
    var now = 0
    for step in 0..<1_000 * VerificationLength.factor {
      let place = "seed \(seed), step \(step), \(policy)"
      switch Int.random(in: 0..<9, using: &random) {
      case 0, 1:
        let job = Job(step)
        jobs[step] = job
        let isLate = Int.random(in: 0..<4, using: &random) == 0
        let said = machine.admit(
          job, at: model.silence.map { _ in .seconds(now) }, isLate: isLate)
        let meant = model.admit(step, at: now, isLate: isLate)
        #expect(describe(said) == meant, "\(place)")
      case 2, 3:
        guard let number = model.running.randomElement(using: &random), let job = jobs[number]
        else { continue }
        let lingers = Bool.random(using: &random)
        let next = machine.finish(job, lingers: lingers)?.number
        #expect(next == model.end(number, lingers: lingers), "\(place)")
      case 4:
        guard let number = model.lingering.randomElement(using: &random), let job = jobs[number]
        else { continue }
        machine.remove(job)
        model.remove(number)
      case 5:
        guard let number = model.running.randomElement(using: &random) else { continue }
        jobs[number]?.setStopped()
        model.stopped.insert(number)
      case 6:
        guard let number = model.running.randomElement(using: &random), let job = jobs[number]
        else { continue }
        let isPausing = machine.isPausing(job)
        #expect(isPausing == model.pausing.contains(number), "\(place)")
        let begins = machine.endPause(of: job)
        #expect(begins, "\(place)")
        model.pausing.remove(number)
      case 7:
        now += Int.random(in: 0..<4, using: &random)
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
      let toBegin = machine.jobsToBegin.map(\.number)
      let waiting = Array(model.waiting.reversed())
      #expect(toBegin.prefix(waiting.count) == waiting[...], "\(place)")
      #expect(toBegin.dropFirst(waiting.count).sorted() == model.pausing.sorted(), "\(place)")
      let all = model.waiting.reversed() + model.running.sorted() + model.lingering.sorted()
      let found = machine.allJobs.map(\.number)
      #expect(found.prefix(model.waiting.count) == all.prefix(model.waiting.count), "\(place)")
      #expect(found.sorted() == all.sorted() && machine.isEmpty == all.isEmpty, "\(place)")
    }
    machine.close()
    for number in model.running {
      guard let job = jobs[number] else { continue }
      let begins = machine.endPause(of: job)
      #expect(!begins)
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

  /// In one array, those that give way have yet to leave when the next one comes.
  @Test(arguments: [1, 3, 1_000], [false, true])
  func `however many jobs a bound lets wait, a trigger asks none of them`(
    _ bound: Int, isNewest: Bool
  ) {
    final class Asked: QueuedJob {
      let asked: Counter
      init(_ asked: Counter) { self.asked = asked }
      var isStopped: Bool { asked.increment() < 0 }
    }
    let (asked, superseded) = (Counter(), Counter())
    var machine = JobQueueMachine<Asked>(
      isNewest ? .serial.keepingNewest(bound) : .serial.dropping(beyond: bound))
    var leaving: [Asked] = []
    for _ in 0..<3_000 {
      if case .wait(cancelling: let oldest?) = machine.admit(Asked(asked)) {
        machine.noteStopped(oldest)
        leaving.append(oldest)
        _ = superseded.increment()
      }
    }
    #expect(asked.value == 0)
    #expect(machine.waitingJobs.count == bound)
    #expect(superseded.value == (isNewest ? 2_999 - bound : 0))
    // They have yet to leave.
    #expect(machine.allJobs.count == 1 + bound + leaving.count)
    for job in leaving {
      #expect(!machine.isWaiting(job))
      let (isOut, isTwice) = (machine.withdraw(job), machine.withdraw(job))
      #expect(isOut && !isTwice)
    }
    #expect(machine.allJobs.count == 1 + bound)
  }

  /// The same rules of bounds, written down as lists.
  @Test(arguments: [0, 1, 2, 5], [3, 77, 1_234] as [UInt64])
  func `jobs that are stopped make room under a bound, whenever they leave`(
    _ bound: Int, seed: UInt64
  ) {
    for isNewest in [false, true] where bound > 0 || !isNewest {
      let policy: EffectPolicy =
        isNewest ? .limited(2).keepingNewest(bound) : .limited(2).dropping(beyond: bound)
      var (machine, random) = (JobQueueMachine<Job>(policy), SeededGenerator(seed: seed))
      var (running, waiting, leaving): ([Job], [Job], [Job]) = ([], [], [])
      for step in 0..<1_000 * VerificationLength.factor {
        let place = "seed \(seed), step \(step), \(policy)"
        switch Int.random(in: 0..<8, using: &random) {
        case 0...3:
          let job = Job(step)
          let said = describe(machine.admit(job))
          if running.count < 2 {
            running.append(job)
            #expect(said == "start, cancelling []", "\(place)")
          } else if waiting.count < bound {
            waiting.append(job)
            #expect(said == "wait", "\(place)")
          } else if isNewest {
            let oldest = waiting.removeFirst()
            machine.noteStopped(oldest)
            leaving.append(oldest)
            waiting.append(job)
            #expect(said == "wait", "\(place)")
          } else {
            #expect(said == "ignore", "\(place)")
          }
        case 4:
          guard let job = running.randomElement(using: &random) else { continue }
          running.removeAll { $0 === job }
          let next = waiting.isEmpty ? nil : waiting.removeFirst()
          if let next { running.append(next) }
          let said = machine.finish(job)
          #expect(said === next, "\(place)")
        case 5:
          guard let job = (waiting + running).randomElement(using: &random) else { continue }
          machine.noteStopped(job)
          if waiting.contains(where: { $0 === job }) { leaving.append(job) }
          waiting.removeAll { $0 === job }
        case 6:
          guard let job = leaving.randomElement(using: &random) else { continue }
          leaving.removeAll { $0 === job }
          let isOut = machine.withdraw(job)
          #expect(isOut, "\(place)")
        default:
          guard let job = waiting.randomElement(using: &random) else { continue }
          waiting.removeAll { $0 === job }
          let isOut = machine.withdraw(job)
          #expect(isOut, "\(place)")
        }
        #expect(machine.waitingJobs.map(\.number) == waiting.map(\.number), "\(place)")
        let all = (running + waiting + leaving).map(\.number).sorted()
        #expect(machine.allJobs.map(\.number).sorted() == all, "\(place)")
        #expect(machine.isEmpty == all.isEmpty, "\(place)")
      }
    }
  }
}
