import LensedTestSupport
import Testing

@testable import Lensed

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

  @Test func `many layers ask once for a value that is given`() throws {
    struct Rate: Sendable, Equatable { var factor = 10 }
    struct Shop: Sendable {
      var rate = Rate()
      var desk = Desk(count: 2)
    }
    let runs = Counter()
    func diamond(_ layers: Int) -> Derived<Desk, Int> {
      let price = Derived(\Desk.count, .given(Rate.self)) { $0 * $1.factor }
      return (0..<layers).reduce(price) { lower, _ in
        let (left, right) = (Derived(lower) { $0 }, Derived(lower) { $0 })
        return Derived(left, right, \Desk.count) {
          runs.increment()
          return max($0, $1) + $2
        }
      }
    }
    try #require(diamond(8).reference.formula.asks.count == 1)
    let top = diamond(30)
    let store = try Store(initialState: Shop(), coverage: .partial, onWarning: { _ in }) {
      Mutator(\Shop.rate) { (rate: inout Rate, _: ClearAction) in rate.factor = 1 }
      Feature<Desk> { Desk.countMutator }.lifted(\Shop.desk, giving: \.rate)
    }
    let scope = store.scope(\.desk)
    #expect(scope[top] == 80 && runs.value == 30)
    store.dispatch(CountAction.add(1))
    #expect(scope[top] == 120 && runs.value == 60)
    let lifted = Derived(top.lifted(\Shop.desk), top.lifted(\Shop.desk), \Shop.rate) {
      $0 + $1 + $2.factor
    }
    #expect(lifted.reference.formula.asks.count == 1)
    #expect(store[lifted] == 250 && runs.value == 60)
  }

  @Test(arguments: [false, true])
  func `each layer that lifts the one below twice, by one lens, computes it once`(
    isStored: Bool
  ) throws {
    struct Rate: Sendable, Equatable { var factor = 10 }
    let lens =
      isStored
      ? Lens<Desk, Desk>(name: "desk", \.self)
      : Lens(get: { $0 }, set: { _, desk in desk })
    let runs = Counter()
    func diamond(upon lowest: Derived<Desk, Int>) -> Derived<Desk, Int> {
      (0..<12).reduce(lowest) { lower, _ in
        Derived(lower.lifted(lens), lower.lifted(lens)) {
          runs.increment()
          return max($0, $1) + 1
        }
      }
    }
    let top = diamond(upon: Derived(\Desk.count) { $0 })
    #expect((top.value(in: Desk(count: 1)), runs.value) == (13, 12))
    let store = try Desk.makeStore(Desk(count: 1))
    #expect((store[top], runs.value) == (13, 24))
    let price = Derived(\Desk.count, .given(Rate.self)) { $0 * $1.factor }
    #expect(diamond(upon: price).reference.formula.asks.count == 1)
  }

  @Test func `what is asked for in several parts is asked for in each`() throws {
    struct Rate: Sendable, Equatable { var factor = 10 }
    struct Shop: Sendable {
      var rate = Rate()
      var other = Rate(factor: 3)
      var left = Desk(count: 2)
      var right = Desk(count: 5)
    }
    let price = Derived(\Desk.count, .given(Rate.self)) { $0 * $1.factor }
    let counting = Feature<Desk> { Desk.countMutator }
    let store = try Store(initialState: Shop(), coverage: .partial, onWarning: { _ in }) {
      counting.tagged(Int.self).lifted(\Shop.left, giving: \.rate)
      counting.tagged(Bool.self).lifted(\Shop.right, giving: \.other)
    }
    let right = Derived(price.lifted(\Shop.right), price.lifted(\Shop.right)) { $0 + $1 }
    let all = Derived(right, price.lifted(\Shop.left), right) { "\($0) \($1) \($2)" }
    #expect(all.reference.formula.asks.count == 2)
    #expect(store[all] == "30 20 30")
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
