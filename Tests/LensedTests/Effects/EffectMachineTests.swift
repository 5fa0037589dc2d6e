import LensedTestSupport
import Testing

@testable import Lensed

@Suite("Effects: the line of jobs against a plain model", .timeLimit(.minutes(5)))
struct EffectLineTests {
  private final class Member: Sendable {
    let number: Int
    init(_ number: Int) { self.number = number }
  }

  /// The same rules, written down as lists.
  private struct Model {
    let policy: EffectPolicy
    var running: [Int] = []
    var waiting: [Int] = []
    /// The one that runs and was not cancelled, where the newest cancels it.
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

  private func say(_ admission: JobQueueMachine<Member>.Admission) -> String {
    switch admission {
    case .ignore: "ignore"
    case .wait: "wait"
    case .start(let others): "start, cancelling \(others.map(\.number).sorted())"
    }
  }

  @Test(arguments: policies, [3, 77, 1_234] as [UInt64])
  func `thousands of random steps`(policy: EffectPolicy, seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var (machine, model) = (JobQueueMachine<Member>(policy), Model(policy: policy))
    var members: [Int: Member] = [:]
    for step in 0..<4_000 {
      let place = "seed \(seed), step \(step), \(policy)"
      switch Int.random(in: 0..<5, using: &random) {
      case 0, 1:
        let member = Member(step)
        members[step] = member
        let (said, meant) = (say(machine.admit(member)), model.admit(step))
        #expect(said == meant, "\(place)")
      case 2, 3:
        guard let number = model.running.randomElement(using: &random), let member = members[number]
        else { continue }
        let (next, due) = (machine.end(member)?.number, model.end(number))
        #expect(next == due, "\(place)")
      default:
        let all = model.waiting + model.running
        guard let number = all.randomElement(using: &random), let member = members[number] else {
          continue
        }
        let (left, gone) = (machine.withdraw(member), model.withdraw(number))
        #expect(left == gone, "\(place)")
      }
      #expect(machine.line.map(\.number) == model.waiting, "\(place)")
      #expect(machine.occupants.map(\.number).sorted() == model.running.sorted(), "\(place)")
      #expect(machine.waitingCount == model.waiting.count, "\(place)")
    }
  }

  @Test(arguments: policies)
  func `every order of small cases`(policy: EffectPolicy) {
    // Three jobs arrive, end when they run, and withdraw when they wait: all orders of that.
    func explore(
      _ machine: JobQueueMachine<Member>, _ model: Model, _ jobs: [Member], _ left: [Int]
    )
      -> Int
    {
      var count = 0
      for (index, job) in left.enumerated() {
        var (machine, model, left) = (machine, model, left)
        left.remove(at: index)
        let (said, meant) = (say(machine.admit(jobs[job])), model.admit(job))
        #expect(said == meant)
        count += 1 + explore(machine, model, jobs, left)
      }
      for number in model.running {
        var (machine, model) = (machine, model)
        let (next, due) = (machine.end(jobs[number])?.number, model.end(number))
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
    let jobs = (0..<3).map(Member.init)
    #expect(explore(JobQueueMachine(policy), Model(policy: policy), jobs, [0, 1, 2]) > 30)
  }
}

@Suite("Effects: the work of a dispatch against a plain model", .timeLimit(.minutes(5)))
struct EffectWorkTests {
  private final class Child: Sendable {}
  private typealias Machine = WorkMachine<Child, Int>

  @Test(arguments: [5, 99, 4_321] as [UInt64], [true, false])
  func `thousands of random steps`(seed: UInt64, isApplied: Bool) {
    var random = SeededGenerator(seed: seed)
    for round in 0..<300 {
      let isWatched = Bool.random(using: &random)
      var machine = Machine(isApplied: isApplied, isBegun: true, isWatched: isWatched)
      var (applied, claims, children, watched) = (isApplied, 1, [Child](), isWatched)
      var waiting: [Int: WorkExtent] = [:]
      var extent = Machine.Cancelled.nothing
      for step in 0..<40 {
        let place = "seed \(seed), round \(round), step \(step)"
        let wasFinished = applied && claims == 0 && children.isEmpty
        var ending = Machine.Ending()
        switch Int.random(in: 0..<9, using: &random) {
        case 0 where !wasFinished:
          machine.begin()
          claims += 1
        case 1 where claims > 0:
          claims -= 1
          ending = machine.end()
        case 2:
          let child = Child()
          let relation = WorkRelation.allCases.randomElement(using: &random) ?? .caused
          let adoption = machine.adopt(child, as: relation)
          let expected: Machine.Adoption =
            switch (relation, extent) {
            case _ where wasFinished: .refused
            case (.owned, .run): .ended
            case (.owned, .tree), (.caused, .tree): .cancelled
            default: .joined
            }
          #expect(adoption == expected, "\(place)")
          if !wasFinished { children.append(child) }
        case 3 where !children.isEmpty:
          let child = children.remove(at: Int.random(in: children.indices, using: &random))
          ending = machine.release(child)
        case 4 where !applied:
          applied = true
          ending = machine.apply(nil)
        case 5:
          let wanted: Machine.Cancelled = Bool.random(using: &random) ? .run : .tree
          let told = machine.cancel(wanted)
          #expect((told == nil) == (extent >= wanted || wasFinished), "\(place)")
          if !wasFinished { extent = max(extent, wanted) }
        case 6:
          machine.unwatch()
          watched = false
        default:
          let awaited: WorkExtent = Bool.random(using: &random) ? .applied : .everything
          let isOver = machine.wait(step, UInt64(step), for: awaited) != nil
          let expected = awaited == .applied ? applied : wasFinished
          #expect(isOver == expected, "\(place)")
          if !isOver { waiting[step] = awaited }
        }
        let isFinished = applied && claims == 0 && children.isEmpty
        let woken = waiting.filter { $0.value == .applied ? applied : isFinished }.keys.sorted()
        #expect(ending.woken.all.sorted() == woken, "\(place)")
        for waiter in woken { waiting[waiter] = nil }
        #expect(machine.isFinished == isFinished, "\(place)")
        #expect(machine.isCancelled == (extent > .nothing), "\(place)")
        let isSpent = applied && claims == 0 && !watched && waiting.isEmpty && !children.isEmpty
        #expect(machine.isSpent == isSpent, "\(place)")
      }
      guard machine.isSpent else { continue }
      let heirs = machine.handOver().map(\.child)
      #expect(Set(heirs.map { ObjectIdentifier($0) }) == Set(children.map { ObjectIdentifier($0) }))
      let adoption = machine.adopt(Child(), as: .caused)
      #expect(adoption == .refused && machine.hasHandedOver && machine.isFinished)
    }
  }

  @Test func `a store that has gone lets everybody go, quietly`() {
    var machine = Machine(isApplied: false)
    machine.begin()
    let first = machine.wait(1, 1, for: .everything) != nil
    let second = machine.wait(2, 2, for: .applied) != nil
    #expect((first, second) == (false, false))
    let released = machine.abandon().sorted()
    #expect(released == [1, 2])
    let third = machine.wait(3, 3, for: .everything)
    if case .success? = third {} else { Issue.record("the wait is over, and quiet") }
  }
}
