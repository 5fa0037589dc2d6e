import Lensed
import LensedTestSupport
import Observation
import Testing

@Suite("PropsHolder: props are kept until the view is ready")
@MainActor
struct PropsHolderTests {
  @Test func `the newest of what came before is rendered once the view is ready, then the others`()
  {
    let holder = PropsHolder<Int>()
    let rendered = Recorder<Int>()
    holder.receive(1)
    holder.receive(2)
    #expect(rendered.values == [])
    holder.ready { rendered.append($0) }
    #expect(rendered.values == [2])
    holder.receive(3)
    #expect(rendered.values == [2, 3])
  }

  @Test func `a view that is ready before anything came waits`() {
    let holder = PropsHolder<Int>()
    let rendered = Recorder<Int>()
    holder.ready { rendered.append($0) }
    #expect(rendered.values == [])
    holder.receive(1)
    #expect(rendered.values == [1])
  }

  @Test func `a view may become unready, and ready again`() {
    let holder = PropsHolder<Int>()
    let rendered = Recorder<Int>()
    holder.ready { rendered.append($0) }
    holder.receive(1)
    holder.unready()
    holder.receive(2)
    #expect(rendered.values == [1])
    holder.ready { rendered.append($0) }
    #expect(rendered.values == [1, 2])
  }

  @Test func `it is observable`() {
    let holder = PropsHolder<Int>()
    let changes = Counter()
    withObservationTracking {
      #expect(holder.props == nil)
    } onChange: {
      changes.increment()
    }
    holder.receive(1)
    #expect(changes.value == 1)
    #expect(holder.props == 1)
  }
}
