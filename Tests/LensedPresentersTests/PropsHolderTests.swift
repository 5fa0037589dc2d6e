import Lensed
import LensedPresenters
import LensedTestSupport
import Observation
import Testing

@Suite("PropsHolder: props are stored until a view is attached")
@MainActor
struct PropsHolderTests {
  @Test func `an attached view renders the newest props, then the later ones`() {
    let holder = PropsHolder<Int>()
    let rendered = Recorder<Int>()
    holder.receive(1)
    holder.receive(2)
    #expect(rendered.values == [])
    holder.attach { rendered.append($0) }
    #expect(rendered.values == [2])
    holder.receive(3)
    #expect(rendered.values == [2, 3])
  }

  @Test func `a view attached before the first props waits`() {
    let holder = PropsHolder<Int>()
    let rendered = Recorder<Int>()
    holder.attach { rendered.append($0) }
    #expect(rendered.values == [])
    holder.receive(1)
    #expect(rendered.values == [1])
  }

  @Test func `a detached view renders nothing, and the newest props when it is attached again`() {
    let holder = PropsHolder<Int>()
    let rendered = Recorder<Int>()
    holder.attach { rendered.append($0) }
    holder.receive(1)
    holder.detach()
    holder.receive(2)
    #expect(rendered.values == [1])
    holder.attach { rendered.append($0) }
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
