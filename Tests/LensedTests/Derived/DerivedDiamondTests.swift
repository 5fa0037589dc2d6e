import Lensed
import LensedTestSupport
import Testing

@Suite("Derived values in many layers", .timeLimit(.minutes(30)))
struct DerivedDiamondTests {
  struct House: Sendable { var desk = Desk(count: 1) }

  static func diamond(_ layers: Int, _ runs: Counter) -> Derived<Desk, Int> {
    (0..<layers).reduce(Derived(\Desk.count) { $0 }) { lower, _ in
      Derived(lower, lower) {
        runs.increment()
        return ($0 &+ $1) % 1_000_003
      }
    }
  }

  @Test func `each layer that uses the one below twice computes it once, however it is seen`()
    throws
  {
    let (store, runs, heard) = (try Desk.makeStore(Desk(count: 1)), Counter(), Recorder<Int>())
    let top = Self.diamond(30, runs)
    _ = store[top]
    #expect(runs.value == 30)
    let subscription = store.states(top).subscribe { heard.append($0) }
    store.dispatch(CountAction.add(1))
    #expect((runs.value, heard.values.count) == (60, 2))
    subscription.cancel()
    _ = top.value(in: Desk(count: 1))
    #expect(runs.value == 90)
    let house = Store(initialState: House(), coverage: .partial)
    let lens = Lens<House, Desk>(
      get: { $0.desk }, set: { _, desk in House(desk: desk) })
    _ = house.scope(lens)[top]
    _ = house[top.lifted(lens)]
    #expect(runs.value == 150)
  }

  @Test func `more than 100 layers trap with a sentence`() async {
    await #expect(processExitsWith: .failure) { _ = Self.diamond(100, Counter()) }
  }

  @Test func `up to 100 layers fit on a thread of small stack`() throws {
    let store = try Desk.makeStore(Desk(count: 1))
    let outcome = Recorder<Int>()
    Threads.start {
      let top = Self.diamond(99, Counter())
      outcome.append(store[top])
    }.wait()
    #expect(outcome.values.count == 1)
  }
}
