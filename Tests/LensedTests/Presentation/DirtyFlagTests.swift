import LensedTestSupport
import Testing

@testable import Lensed

@Suite("Doorbell: who looks, and when", .timeLimit(.minutes(5)))
struct DirtyFlagTests {
  @Test func `the first ring calls for somebody, and the others until it is answered do not`() {
    let bell = DirtyFlag()
    #expect(bell.ring())
    #expect(!bell.ring())
    #expect(bell.attend())
    bell.answer()
    #expect(bell.leave())
    #expect(bell.ring())
  }

  @Test
  func `while it is attended a ring calls for nobody, and keeps whoever attends from leaving`() {
    let bell = DirtyFlag()
    #expect(bell.attend())
    #expect(!bell.attend(), "one inside the other")
    #expect(!bell.ring())
    #expect(!bell.leave())
    bell.answer()
    #expect(bell.leave())
  }

  @Test func `an undisturbed visit leaves it as it was`() {
    let bell = DirtyFlag()
    #expect(bell.attend())
    #expect(bell.leave())
    #expect(bell.ring())
  }

  @Test func `storm: no ring goes unanswered`() {
    let bell = DirtyFlag()
    let (rings, calls) = (Counter(), Counter())
    let answered = Counter()
    Threads.run(3) { thread in
      for _ in 0..<20_000 {
        if thread > 0 {
          rings.increment()
          if bell.ring() { calls.increment() }
        } else {
          let isOutermost = bell.attend()
          #expect(isOutermost)
          repeat {
            bell.answer()
            answered.increment()
          } while !bell.leave()
        }
      }
    }
    #expect(rings.value == 40_000)
    #expect(answered.value >= 20_000)
    // Whatever rang after the last visit has called for somebody.
    let isPending = !bell.ring()
    #expect(!isPending || calls.value > 0)
  }
}
