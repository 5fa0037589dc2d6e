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
    /// Deliverers that failed to pass the baton on and have yet to look under the lock.
    var looking = false
    var holds = 0
    var delivered: [UInt64] = []

    func commit() -> Bool {
      revision += 1
      if queue.claim() {
        let isAlone = current == nil && !looking && holds == 0
        current = revision
        return isAlone
      }
      let nobody = Audience([], membership: 0, baton: queue.baton)
      queue.append(Delivery(audience: nobody, revision: revision))
      return true
    }

    /// Ends the calls of the current delivery; the baton is passed on or the lock asked for.
    func endCalls() {
      if let done = current.take() { delivered.append(done) }
      looking = !queue.baton.passOn()
    }

    func look() -> Bool {
      looking = false
      current = queue.next().delivery?.revision
      return current == nil || holds == 0
    }

    func hold() {
      holds += 1
      queue.hold()
    }

    func release() -> Bool {
      holds -= 1
      guard let delivery = queue.release().delivery else { return true }
      let isAlone = current == nil && !looking && holds == 0
      current = delivery.revision
      return isAlone
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
      case 3 where rig.holds < 3:
        rig.hold()
      case 4, 5:
        if rig.holds > 0 { #expect(rig.release(), "two deliverers: \(place)") }
      default:
        if rig.current != nil {
          rig.endCalls()
        } else if rig.looking {
          #expect(rig.look(), "delivered in a hold: \(place)")
        }
      }
      #expect(rig.delivered.last ?? 0 <= rig.revision, place)
    }
    while rig.holds > 0 { #expect(rig.release(), "two deliverers at the end: seed \(seed)") }
    while rig.current != nil || rig.looking {
      if rig.current != nil { rig.endCalls() } else { #expect(rig.look(), "seed \(seed)") }
    }
    #expect(rig.delivered == Array(1...rig.revision), "seed \(seed)")
    #expect(rig.queue.isEmpty, "seed \(seed)")
  }

  @Test func `a hold keeps the next delivery back until it ends`() {
    let rig = Rig()
    rig.hold()
    #expect(rig.commit())
    #expect(rig.current == nil)
    #expect(rig.release())
    #expect(rig.current == 1)
  }

  @Test func `what left while nobody delivers is let go at once`() {
    var queue = DeliveryQueue()
    var aftermath = Aftermath()
    queue.retire(1, into: &aftermath)
    #expect(aftermath.trash.count == 1)
    let isDeliverer = queue.claim()
    #expect(isDeliverer, "nothing was left behind")
    #expect(queue.baton.passOn())
  }

  @Test func `what left during a delivery is kept until nobody delivers`() {
    var queue = DeliveryQueue()
    var aftermath = Aftermath()
    #expect(queue.baton.claim() == .idle)
    queue.retire(1, into: &aftermath)
    queue.retire(2, into: &aftermath)
    #expect(aftermath.trash.isEmpty)
    let isDeliverer = queue.claim()
    #expect(!isDeliverer)
    let nobody = Audience([], membership: 0, baton: queue.baton)
    queue.append(Delivery(audience: nobody, revision: 7))
    #expect(!queue.baton.passOn())
    let turn = queue.next()
    #expect(turn.delivery?.revision == 7)
    #expect(turn.trash.isEmpty)
    let last = queue.next()
    #expect(last.trash.count == 2)
    #expect(queue.baton.claim() == .idle, "the baton was put down")
  }

  @Test func `the baton is not given up while something waits`() {
    let baton = Baton()
    #expect(baton.claim() == .idle)
    #expect(baton.claim() == .busy)
    #expect(!baton.passOn())
    baton.set(.idle)
    #expect(baton.claim() == .idle)
    #expect(baton.passOn())
  }
}
