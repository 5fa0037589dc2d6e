import LensedTestSupport
import Testing

@testable import Lensed

@Suite("DirtyFlag: which thread schedules a flush, and when", .timeLimit(.minutes(30)))
struct DirtyFlagTests {
  @Test func `the first mark schedules a flush, and later marks until it is cleared do not`() {
    let flag = DirtyFlag()
    #expect(flag.mark())
    #expect(!flag.mark())
    #expect(flag.beginDispatch())
    flag.clear()
    #expect(flag.endDispatchIfClear())
    #expect(flag.mark())
  }

  @Test
  func `a mark during a dispatch schedules nothing, and keeps the dispatch from ending`() {
    let flag = DirtyFlag()
    #expect(flag.beginDispatch())
    #expect(!flag.beginDispatch(), "a nested dispatch")
    #expect(!flag.mark())
    #expect(!flag.endDispatchIfClear())
    flag.clear()
    #expect(flag.endDispatchIfClear())
  }

  @Test func `a dispatch that ends with a mark has to schedule a flush, as no mark does`() {
    let flag = DirtyFlag()
    #expect(flag.beginDispatch())
    #expect(!flag.mark())
    #expect(flag.endDispatch())
    #expect(!flag.mark())
    #expect(flag.beginDispatch())
    flag.clear()
    #expect(!flag.endDispatch())
    #expect(flag.mark())
  }

  @Test func `a dispatch without a mark leaves the flag clear`() {
    let flag = DirtyFlag()
    #expect(flag.beginDispatch())
    #expect(flag.endDispatchIfClear())
    #expect(flag.mark())
  }

  @Test func `storm: no mark is lost`() {
    let flag = DirtyFlag()
    let (marks, schedules) = (Counter(), Counter())
    let flushes = Counter()
    Threads.run(3) { thread in
      for _ in 0..<20_000 {
        if thread > 0 {
          marks.increment()
          if flag.mark() { schedules.increment() }
        } else {
          let isOutermost = flag.beginDispatch()
          #expect(isOutermost)
          flag.clear()
          flushes.increment()
          if flag.endDispatch() { schedules.increment() }
        }
      }
    }
    #expect(marks.value == 40_000)
    #expect(flushes.value >= 20_000)
    // A mark after the last dispatch has scheduled a flush.
    let isPending = !flag.mark()
    #expect(!isPending || schedules.value > 0)
  }
}
