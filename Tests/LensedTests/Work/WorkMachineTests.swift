import LensedTestSupport
import Testing

@testable import Lensed

@Suite("The machine of a work does what a plain model does", .timeLimit(.minutes(30)))
struct WorkMachineTests {
  private final class Child: Sendable {}
  private typealias Machine = WorkMachine<Child, Int>

  @Test(arguments: [5, 99, 4_321] as [UInt64], [true, false])
  func `random steps give the same answers as the model`(seed: UInt64, isApplied: Bool) {
    var random = SeededGenerator(seed: seed)
    for round in 0..<300 {
      let hasHandle = Bool.random(using: &random)
      var machine = Machine(isApplied: isApplied, hasClaim: true, hasHandle: hasHandle)
      var (applied, claims, handle) = (isApplied, 1, hasHandle)
      var children: [(child: Child, relation: WorkRelation)] = []
      var waiting: [Int: WorkExtent] = [:]
      var extent = Cancellation.none
      for step in 0..<40 {
        let place = "seed \(seed), round \(round), step \(step)"
        let wasFinished = applied && claims == 0 && children.isEmpty
        let owned = children.count { $0.relation == .owned }
        let wasRunning = !applied || claims > 0 || owned > 0
        var transition = Machine.Transition()
        switch Int.random(in: 0..<9, using: &random) {
        case 0 where !wasFinished:
          machine.addClaim()
          claims += 1
        case 1 where claims > 0:
          claims -= 1
          transition = machine.endClaim()
          #expect(transition.leavesOwned == (applied && claims == 0 && owned > 0), "\(place)")
        case 2:
          let child = Child()
          var relation = WorkRelation.allCases.randomElement(using: &random) ?? .caused
          let adoption = machine.adopt(child, as: relation)
          // What comes after the run was over is none of its own.
          if !wasRunning { relation = min(relation, .caused) }
          let expected: Machine.Adoption =
            switch (relation, extent) {
            case _ where wasFinished: .refused
            case (.owned, .run): .ended
            case (.owned, .tree), (.caused, .tree): .cancelled
            default: .attached
            }
          #expect(adoption == expected, "\(place)")
          if !wasFinished { children.append((child, relation)) }
        case 3 where !children.isEmpty:
          let index = Int.random(in: children.indices, using: &random)
          let (child, relation) = children.remove(at: index)
          transition = machine.remove(child)
          let isLast = relation == .owned && owned == 1
          #expect(transition.endsOwned == (isLast && applied && claims == 0), "\(place)")
        case 4 where !applied:
          applied = true
          transition = machine.markApplied(nil)
        case 5:
          let wanted: Cancellation = Bool.random(using: &random) ? .run : .tree
          let reached = machine.cancel(wanted)
          #expect((reached == nil) == (extent >= wanted || wasFinished), "\(place)")
          if !wasFinished { extent = max(extent, wanted) }
        case 6:
          machine.hasHandle = false
          handle = false
        default:
          let awaited: WorkExtent = Bool.random(using: &random) ? .applied : .everything
          let isOver = machine.wait(step, UInt64(step), for: awaited) != nil
          let expected = awaited == .applied ? applied : wasFinished
          #expect(isOver == expected, "\(place)")
          if !isOver { waiting[step] = awaited }
        }
        let isFinished = applied && claims == 0 && children.isEmpty
        let woken = waiting.filter { $0.value == .applied ? applied : isFinished }.keys.sorted()
        #expect(transition.woken.all.sorted() == woken, "\(place)")
        for waiter in woken { waiting[waiter] = nil }
        #expect(machine.isFinished == isFinished, "\(place)")
        #expect(machine.isCancelled == (extent > .none), "\(place)")
        let onlyChildrenLeft =
          applied && claims == 0 && !handle && waiting.isEmpty && !children.isEmpty
          && !children.contains { $0.relation == .owned }
        #expect(machine.onlyChildrenLeft == onlyChildrenLeft, "\(place)")
      }
      guard machine.onlyChildrenLeft else { continue }
      let detached = machine.detachChildren().map(\.child)
      #expect(
        Set(detached.map { ObjectIdentifier($0) })
          == Set(children.map { ObjectIdentifier($0.child) }))
      let adoption = machine.adopt(Child(), as: .caused)
      #expect(adoption == .refused && machine.hasReparented && machine.isFinished)
    }
  }

  @Test func `when the store has gone, every wait ends without an error`() {
    var machine = Machine(isApplied: false)
    machine.addClaim()
    let first = machine.wait(1, 1, for: .everything) != nil
    let second = machine.wait(2, 2, for: .applied) != nil
    #expect((first, second) == (false, false))
    let released = machine.abandon().sorted()
    #expect(released == [1, 2])
    let third = machine.wait(3, 3, for: .everything)
    if case .success? = third {} else { Issue.record("the wait must end without an error") }
  }
}
