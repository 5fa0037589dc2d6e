import LensedTestSupport
import Testing

@testable import Lensed

@Suite("DeliveryQueue: one thread delivers, in commit order")
struct DeliveryQueueTests {
  /// What a store does with the queue, with each step of the deliverer a step of the schedule.
  private final class Rig {
    var queue = DeliveryQueue()
    var revision: UInt64 = 0
    /// The delivery that is being made, if there is a deliverer.
    var current: UInt64?
    /// A deliverer that failed to pass the baton on and has yet to look under the lock.
    var looking = false
    /// Whether a task was called that has not come.
    var isTaskCalled = false
    var delivered: [UInt64] = []

    private var isAlone: Bool { current == nil && !looking }

    func commit() -> Bool {
      revision += 1
      if queue.claim() { return deliver(revision) }
      let nobody = Audience([], baton: queue.baton)
      guard let oldest = queue.append(Delivery(audience: nobody, revision: revision)) else {
        return true
      }
      return deliver(oldest.revision)
    }

    private func deliver(_ revision: UInt64) -> Bool {
      defer { current = revision }
      return isAlone
    }

    /// Ends the calls of the current delivery; the baton is passed on or the lock asked for.
    func endCalls() {
      if let done = current.take() { delivered.append(done) }
      looking = !queue.baton.passOn()
    }

    func look() {
      looking = false
      current = queue.next().delivery?.revision
    }

    /// The deliverer has done its share.
    func leave() {
      looking = false
      if queue.endTurn().startsTask { isTaskCalled = true }
    }

    func come() -> Bool {
      isTaskCalled = false
      return queue.takeUp(asCalled: true).delivery.map { deliver($0.revision) } ?? true
    }
  }

  @Test(arguments: [41, 42, 43, 44, 45, 46] as [UInt64])
  func `every commit is delivered once, in order, by one deliverer`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let rig = Rig()
    for step in 0..<6_000 {
      let place: Comment = "seed \(seed), step \(step)"
      // Long stretches in which more is committed than delivered, and the other way round.
      switch Int.random(in: 0..<(step / 100 % 2 == 0 ? 10 : 30), using: &random) {
      case 0..<3:
        #expect(rig.commit(), "two deliverers: \(place)")
      case 3:
        if rig.isTaskCalled { #expect(rig.come(), "two deliverers: \(place)") }
      default:
        if rig.current != nil {
          rig.endCalls()
        } else if rig.looking {
          if Int.random(in: 0..<8, using: &random) == 0 { rig.leave() } else { rig.look() }
        }
      }
      #expect(rig.delivered.last ?? 0 <= rig.revision, place)
    }
    // Whatever was left is taken up by the task, if nobody commits any more.
    while rig.current != nil || rig.looking || rig.isTaskCalled {
      if rig.current != nil {
        rig.endCalls()
      } else if rig.looking {
        rig.look()
      } else {
        #expect(rig.come(), "two deliverers at the end: seed \(seed)")
      }
    }
    #expect(rig.delivered == Array(1...rig.revision), "seed \(seed)")
    let isEmpty = rig.queue.isEmpty
    #expect(isEmpty, "seed \(seed)")
  }

  @Test func `what a deliverer leaves is taken up by the next commit`() {
    let rig = Rig()
    for _ in 0..<3 { #expect(rig.commit()) }
    rig.endCalls()
    rig.leave()
    #expect(rig.isTaskCalled)
    #expect(rig.current == nil)
    #expect(rig.commit())
    #expect(rig.current == 2, "the oldest comes first")
    #expect(rig.come(), "the task that was called finds a deliverer, and goes")
    #expect(rig.current == 2)
  }

  @Test func `what left while nobody delivers is let go at once`() {
    var queue = DeliveryQueue()
    var aftermath = AfterCommit()
    queue.deferRelease(1, into: &aftermath)
    #expect(aftermath.trash.count == 1)
    let isDeliverer = queue.claim()
    #expect(isDeliverer, "nothing was left behind")
    #expect(queue.baton.passOn())
  }

  @Test func `what left during a delivery is kept until nobody delivers`() {
    var queue = DeliveryQueue()
    var aftermath = AfterCommit()
    #expect(queue.baton.claimIfIdle())
    queue.deferRelease(1, into: &aftermath)
    queue.deferRelease(2, into: &aftermath)
    #expect(aftermath.trash.isEmpty)
    let isDeliverer = queue.claim()
    #expect(!isDeliverer)
    let nobody = Audience([], baton: queue.baton)
    let oldest = queue.append(Delivery(audience: nobody, revision: 7))
    #expect(oldest?.revision == nil, "somebody delivers")
    #expect(!queue.baton.passOn())
    let turn = queue.next()
    #expect(turn.delivery?.revision == 7)
    #expect(turn.trash.isEmpty)
    let last = queue.next()
    #expect(last.trash.count == 2)
    #expect(queue.baton.claimIfIdle(), "the baton was put down")
  }

  /// Nobody looks at what a commit takes up in place of its own delivery, or a task that comes.
  @Test(arguments: [false, true])
  func `a deliverer is told once that too many wait, whoever took up the first of them`(
    byTask: Bool
  ) {
    var table = ObserverTable(memory: StateStorage(UnsafeCell(0)))
    let delivery = Delivery(audience: table.noAudience, revision: 1)
    let claims = (0..<2).map { _ in table.queue.claim() }
    #expect(claims == [true, false])
    var isTaken = false
    for _ in 0..<DeliveryQueue.overdueCount + 3 {
      if table.queue.append(delivery) != nil { isTaken = true }
    }
    #expect(!isTaken, "a thread delivers")
    let turn = table.queue.endTurn()
    #expect(turn.startsTask)
    let first = byTask ? table.takeUpDelivery().delivery : table.queue.append(delivery)
    #expect(first?.revision == 1)
    let steps = (0..<3).map { _ in table.nextStep().isOverdue }
    #expect(steps == [true, false, false])
  }

  @Test func `the baton is not given up while something waits`() {
    let baton = Baton()
    #expect(baton.contend() == .idle)
    #expect(baton.claimIfIdle())
    #expect(!baton.claimIfIdle())
    #expect(baton.contend() == .busy)
    #expect(baton.contend() == .contended)
    #expect(!baton.passOn())
    baton.set(.idle)
    #expect(baton.claimIfIdle())
    #expect(baton.passOn())
  }
}
