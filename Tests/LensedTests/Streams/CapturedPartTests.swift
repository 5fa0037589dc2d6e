import LensedTestSupport
import Testing

@testable import Lensed

@Suite("CapturedPart: what a subscription has been given of one part")
struct CapturedPartTests {
  private let state = UnsafeCell(Desk())
  private let part = CapturedPart(PartPath(Lens(\Desk.count)))
  private let capture: PartCapture

  init() {
    capture = PartCapture(part, load: { [part] in part.load(from: $0, at: $1) })
  }

  private func write(_ count: Int) -> StateAddress {
    state.value.count = count
    return state.place
  }

  @Test func `a value is taken once, and by its own commit alone`() {
    capture.capture(write(7), 3)
    #expect(part.takeValue(at: 2) == nil)
    #expect(part.takeValue(at: 3) == 7)
    #expect(part.takeValue(at: 3) == nil)
  }

  @Test func `the first value is apart from that of a commit`() {
    capture.readFirst(write(1))
    capture.capture(write(2), 5)
    #expect(part.takeValue(at: 0) == 1)
    #expect(part.takeValue(at: 5) == 2)
    #expect(part.takeValue(at: 0) == nil)
  }

  @Test func `values that wait are promoted in the order of their commits`() {
    for revision in 1...3 { capture.slot.queue(write(revision * 10), UInt64(revision)) }
    capture.slot.promote(2)
    #expect(part.takeValue(at: 2) == nil, "the second commit is not the next one")
    for revision in 1...3 {
      capture.slot.promote(UInt64(revision))
      #expect(part.takeValue(at: UInt64(revision)) == revision * 10)
    }
    capture.slot.promote(4)
    #expect(part.takeValue(at: 4) == nil)
  }

  @Test func `a staged value is taken as a first one, when it is put there`() {
    capture.capture(write(4), 1)
    let put = capture.slot.stage(1)
    #expect(part.takeValue(at: 1) == nil)
    #expect(part.takeValue(at: 0) == nil)
    put?()
    #expect(part.takeValue(at: 0) == 4)
    #expect(capture.slot.stage(1) == nil)
    #expect(capture.slot.stage(2) == nil)
  }

  @Test func `a value that was not taken is released`() {
    capture.capture(write(4), 1)
    capture.slot.release()
    #expect(part.takeValue(at: 1) == nil)
  }

  @Test func `a pipeline gathers the parts of each store`() throws {
    let (first, second) = (ScheduleStore(), ScheduleStore())
    var pipeline = Pipeline()
    if case .none = pipeline.stores {} else { Issue.record("an empty pipeline reads no store") }
    _ = pipeline.connect(ScheduleStore.path, of: first)
    _ = pipeline.connect(ScheduleStore.path, of: second)
    _ = pipeline.connect(ScheduleStore.path, of: first)
    let stores = pipeline.stores.all
    #expect(stores.map { $0.captures.all.count } == [2, 1])
    #expect(stores.first?.host === first)
    #expect(stores.last?.host === second)
  }
}
