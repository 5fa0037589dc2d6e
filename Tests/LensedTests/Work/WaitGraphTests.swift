import LensedTestSupport
import Testing

@testable import Lensed

@Suite("The graph of waits releases nothing under its lock", .timeLimit(.minutes(30)))
struct WaitGraphTests {
  /// What a user's error may hold: its `deinit` leads to the lock of the graph, as a dispatch there may.
  private final class Asking: Sendable {
    let released: Counter

    init(_ released: Counter) {
      self.released = released
    }

    deinit {
      _ = WaitGraph.isWaiting(WorkNode(.sequence(CallSite()), in: EmptyStore()))
      released.increment()
    }
  }

  private struct Failure: Error { let object: Asking }

  /// A queue in which another work is found at each look, which finishes right then, so that the caller has the last
  /// reference to it.
  private final class PassingQueue: WorkQueue {
    let (looks, released) = (Counter(), Counter())
    var label: WorkLabel? { nil }
    var hasParts: Bool { true }
    func withdraw(_ work: WorkNode) {}

    func blockers(of work: WorkNode) -> [WorkNode] { [makePassing()] }
    func parts(of work: WorkNode) -> [WorkNode] { [makePassing()] }

    private func makePassing() -> WorkNode {
      looks.increment()
      let passing = WorkNode(.sequence(CallSite()), in: EmptyStore(), hasClaim: true)
      passing.noteEffectError(Failure(object: Asking(released)))
      passing.endClaim()
      return passing
    }
  }

  @Test func `what finishes while a search looks at it is released without the lock`() async {
    await #expect(processExitsWith: .success) {
      let (store, queue) = (EmptyStore(), PassingQueue())
      let waiter = WorkNode(.sequence(CallSite()), in: store, hasClaim: true)
      let job = WorkNode(.sequence(CallSite()), in: store, queue: queue, hasClaim: true)
      // Each waits for the other, so that the search goes all the way.
      let waits = [(waiter, job), (job, waiter)].map { from, to in
        PendingWait(id: WaitGraph.makeID(), waiter: from, target: to, extent: .everything)
      }
      for wait in waits { WaitGraph.add(wait) }
      WaitGraph.recheck(job)
      for wait in waits { WaitGraph.remove(wait) }
      #expect(queue.looks.value > 0)
      #expect(queue.released.value == queue.looks.value)
    }
  }
}
