import Lensed
import LensedTestSupport
import Testing

@Suite("A derived value of a part, in a scope and lifted", .timeLimit(.minutes(30)))
struct DerivedScopeTests {
  struct House: Sendable {
    var left = Desk(count: 1)
    var right = Desk(count: 2)
    var log: [Int] = []
  }
  enum Left {}
  enum Right {}

  /// A value that counts how many of its kind there are.
  struct Counted: Sendable {
    let live: LiveCount.Token
    let count: Int
  }

  static func makeStore() throws -> Store<House> {
    try Store(initialState: House()) {
      Desk.countMutator.lifted(Lens(\House.left)).tagged(Left.self)
      Desk.titleMutator.lifted(Lens(\House.left)).tagged(Left.self)
      Desk.notesMutator.lifted(Lens(\House.left)).tagged(Left.self)
      Desk.countMutator.lifted(Lens(\House.right)).tagged(Right.self)
      Desk.titleMutator.lifted(Lens(\House.right)).tagged(Right.self)
      Desk.notesMutator.lifted(Lens(\House.right)).tagged(Right.self)
      Constant(\House.log)
    }
  }

  @Test func `each scope has a value of its own`() throws {
    let (store, runs) = (try Self.makeStore(), Counter())
    let double = Derived(\Desk.count) { count in
      runs.increment()
      return 2 * count
    }
    let left = store.scope(\.left, actions: .tagged(Left.self))
    let right = store.scope(\.right, actions: .tagged(Right.self))
    #expect((left[double], right[double]) == (2, 4))
    left.dispatch(CountAction.add(1))
    #expect((left[double], right[double]) == (4, 4))
    #expect(runs.value == 3)
  }

  @Test func `lifted, it is one with the scope's`() throws {
    let (store, runs) = (try Self.makeStore(), Counter())
    let double = Derived(\Desk.count) { count in
      runs.increment()
      return 2 * count
    }
    #expect(store.scope(\.left)[double] == 2)
    #expect(store[double.lifted(\House.left)] == 2)
    #expect(store[double.lifted(Lens(\House.left))] == 2)
    #expect(runs.value == 1)
    let sum = Derived(double.lifted(\House.left), double.lifted(\House.right)) { $0 + $1 }
    #expect(store[sum] == 6)
    #expect(runs.value == 2)
    store.dispatch(Tagged<Right, CountAction>(.add(1)))
    #expect(store[sum] == 8)
    #expect(runs.value == 3)
  }

  @Test func `through functions that cannot be compared it is right, and computed each time`()
    throws
  {
    let (store, runs) = (try Self.makeStore(), Counter())
    let lens = Lens<House, Desk>(
      name: "left", get: { $0.left },
      set: { house, desk in
        var house = house
        house.left = desk
        return house
      })
    let double = Derived(\Desk.count) { count in
      runs.increment()
      return 2 * count
    }
    let scope = store.scope(lens)
    #expect(scope[double] == 2)
    #expect(scope[double] == 2)
    #expect(runs.value == 2)
    let heard = Recorder<Int>()
    let subscription = scope.states(double).subscribe { heard.append($0) }
    store.dispatch(Tagged<Left, CountAction>(.add(1)))
    store.dispatch(Tagged<Right, CountAction>(.add(1)))
    #expect(heard.values == [2, 4])
    subscription.cancel()
  }

  @Test func `those that nobody can ask for any more are released, wherever they are seen from`()
    throws
  {
    let (store, live) = (try Self.makeStore(), LiveCount())
    for _ in 0..<500 {
      let derived = Derived(\Desk.count) { Counted(live: live.token(), count: $0) }
      #expect(store.scope(\.left)[derived].count == 1)
      #expect(store[derived.lifted(\House.right)].count == 2)
      #expect(live.value <= 18)
    }
  }

  @Test func `a scope outlives its store, and derives from the last state`() throws {
    var store: Store<House>? = try Self.makeStore()
    let double = Derived(\Desk.count) { 2 * $0 }
    let scope = try #require(store?.scope(\.left))
    #expect(scope[double] == 2)
    store?.dispatch(Tagged<Left, CountAction>(.add(1)))
    store = nil
    #expect(scope[double] == 4)
    #expect(scope[double] == 4)
  }
}
