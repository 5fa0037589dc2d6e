import Lensed
import LensedTestSupport
import Observation
import Testing

@Suite("Guarantee 9: a value that is written back is no change, even if it is NaN")
struct SameValueTests {
  private struct Plot: Sendable, Equatable {
    var scale = Double.nan
    var points = 0
  }
  private struct Plots: Sendable, Equatable {
    var plot = Plot()
    var count = 0
  }
  private struct WriteBack: Action {}
  private struct Move: Action {}

  private static func makeStore(
    middleware: [any Middleware<Plots>] = [],
    @StoreBuilder<Plots> _ effects: () -> [StorePart<Plots>] = { [] }
  ) throws -> Store<Plots> {
    try Store(initialState: Plots(), middleware: middleware) {
      Mutator(\.plot) { (plot: inout Plot, _: WriteBack) in plot.scale = plot.scale + 0 }
        .on(Move.self) { plot, _ in plot.points += 1 }
      Constant(\.count)
      effects()
    }
  }

  @Test func `streams of a property, a lens and a selection`() throws {
    let store = try Self.makeStore()
    let (whole, part, selected) = (Counter(), Counter(), Counter())
    let subscriptions = [
      store.states(\.plot).subscribe { _ in whole.increment() },
      store.states(Lens(\.plot.scale)).subscribe { _ in part.increment() },
      store.states.select(\.plot.scale).subscribe { _ in selected.increment() },
    ]
    for _ in 0..<5 { store.dispatch(WriteBack()) }
    #expect([whole.value, part.value, selected.value] == [1, 1, 1])
    store.dispatch(Move())
    #expect([whole.value, part.value, selected.value] == [2, 1, 1])
    subscriptions.forEach { $0.cancel() }
  }

  @Test func `an effect of the value does not trigger itself`() async throws {
    let runs = Counter()
    let store = try Self.makeStore {
      Effect(whenChanged: \.plot) { _, _ in
        _ = runs.increment()
        return WriteBack()
      }
    }
    try await store.dispatch(WriteBack()).finish()
    try await store.settled()
    #expect(runs.value == 0)
    try await store.dispatch(Move()).finish()
    try await store.settled()
    #expect(runs.value == 1)
  }

  @Test func `undo of the part has no step of it`() throws {
    let history = History<Plots>(\.plot)
    let store = try Self.makeStore(middleware: [history])
    for _ in 0..<100 { store.dispatch(WriteBack()) }
    #expect(history.entries.count == 1)
    store.dispatch(Move())
    #expect(history.entries.count == 2)
  }

  @Test func `a derived value, and what is derived of it`() throws {
    let computed = Counter()
    let scale = Derived(\Plots.plot) { (plot: Plot) in plot.scale }
    let doubled = Derived(scale) { (scale: Double) in
      _ = computed.increment()
      return 2 * scale
    }
    let store = try Self.makeStore()
    let told = Counter()
    let subscription = store.states(scale).subscribe { _ in told.increment() }
    for _ in 0..<5 {
      _ = store[doubled]
      store.dispatch(WriteBack())
    }
    #expect(computed.value == 1)
    #expect(told.value == 1)
    subscription.cancel()
  }

  @Test func `a change asked for what it changed`() async throws {
    let store = try Self.makeStore()
    var changes = store.changes(keepingPrevious: true).makeAsyncIterator()
    store.dispatch(WriteBack())
    store.dispatch(WriteBack())
    store.dispatch(Move())
    _ = await changes.next()
    let (second, third) = (await changes.next(), await changes.next())
    #expect(second?.didChange(\.plot) == false)
    #expect(third?.didChange(\.plot) == true)
  }

  private struct Point: Sendable, Equatable, Identifiable {
    let id: Int
    var height = Double.nan
    var name = 0
  }
  private struct Curve: Sendable {
    var points = Entities((0..<100).map { Point(id: $0) }) { $1 }
    var limit = Double.nan
  }
  private struct Rename: Action { let id: Int }

  private static func makeCurve() throws -> Store<Curve> {
    try Store(initialState: Curve()) {
      Mutator(\.points) { (points: inout Entities<Point>, rename: Rename) in
        points[id: rename.id]?.name += 1
      }
      Constant(\.limit)
    }
  }

  @Test func `derived values that follow rows look at the edited row alone`() throws {
    let (looked, told) = (Recorder<Int>(), Counter())
    let high = Derived.filter(\Curve.points, with: \Curve.limit) { point, limit in
      looked.append(point.id)
      return !(point.height < limit)
    }
    let sum = Derived.reduced(
      \Curve.points, 0.0, adding: { $0 += $1.height }, removing: { $0 -= $1.height })
    let store = try Self.makeCurve()
    let subscription = store.states(sum).subscribe { _ in told.increment() }
    _ = store[high]
    #expect(looked.values.count == 100)
    for id in [7, 8] {
      store.dispatch(Rename(id: id))
      _ = store[high]
    }
    #expect(Array(looked.values.dropFirst(100)) == [7, 8])
    #expect(told.value == 1)
    subscription.cancel()
  }

  @Test func `the difference of two versions of rows`() async throws {
    let store = try Self.makeCurve()
    let before = store.points
    var changes = store.changes(keepingPrevious: true).makeAsyncIterator()
    store.dispatch(Rename(id: 7))
    #expect(store.points.difference(from: before).edited == [7])
    #expect(await changes.next()?.difference(of: \.points).edited == [7])
  }

  @MainActor @Test func `an observed store`() throws {
    let store = try Self.makeStore()
    let observed = ObservedStore(store)
    let told = Counter()
    withObservationTracking {
      _ = observed.plot
    } onChange: {
      told.increment()
    }
    for _ in 0..<5 { observed.dispatch(WriteBack()) }
    #expect(told.value == 0)
    observed.dispatch(Move())
    #expect(told.value == 1)
  }
}
