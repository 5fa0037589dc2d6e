import LensedTestSupport
import Testing

@testable import Lensed

@Suite(
  "The table of a store's routes grows with the types of its actions", .timeLimit(.minutes(30)))
struct RouteCacheTests {
  private struct App: Sendable, Equatable {
    var count = 0
    var other = 0
  }

  private enum Root {}
  private enum Zero<Rest> {}
  private enum One<Rest> {}

  /// One of many types of action.
  private struct Step<Tag>: Action {
    var amount = 1
  }

  /// A reducer, and a function that dispatches, for each of 2^depth types of action.
  private static func kinds(depth: Int) -> [Kind] {
    func open<Tag>(_ tag: Tag.Type, _ depth: Int) -> [Kind] {
      if depth == 0 { return [Kind(tag)] }
      return open(Zero<Tag>.self, depth - 1) + open(One<Tag>.self, depth - 1)
    }
    return open(Root.self, depth)
  }

  private struct Kind: Sendable {
    let type: any Action.Type
    let reducer: Reducer<Int>
    let dispatch: @Sendable (Store<App>) -> Void

    init<Tag>(_ tag: Tag.Type) {
      type = Step<Tag>.self
      reducer = Reducer { (count: inout Int, step: Step<Tag>) in count += step.amount }
      dispatch = { $0.dispatch(Step<Tag>()) }
    }
  }

  private static func store(_ kinds: [Kind]) throws -> Store<App> {
    let reducer = kinds.map(\.reducer).reduce(Reducer<Int>.identity) { .combine($0, $1) }
    return try Store(initialState: App()) {
      Mutator(\.count, reducer)
      Constant(\.other)
    }
  }

  @Test(arguments: [1, 3, 4, 7, 8])
  func `each type of action finds its reducers, however many types there are`(depth: Int) throws {
    let kinds = Self.kinds(depth: depth)
    let store = try Self.store(kinds)
    for _ in 0..<3 {
      for kind in kinds { kind.dispatch(store) }
    }
    #expect(store.count == 3 * kinds.count)
  }

  @Test(arguments: [1, 2, 3, 6, 9])
  func `no type of action takes the place of another, and all are found in a few steps`(
    depth: Int
  ) throws {
    let kinds = Self.kinds(depth: depth)
    let store = try Self.store(kinds)
    for _ in 0..<2 {
      for kind in kinds { kind.dispatch(store) }
    }
    let steps = store.core.withTable { _ in
      kinds.map { kind -> Int? in
        let key = ObjectIdentifier(kind.type)
        guard let place = store.core.cache.fastEntry(of: key) else { return nil }
        let distance = place.bits &- store.core.cache.address(of: key).bits
        // Those at the end go on at the beginning.
        return Int(bitPattern: distance) < 0
          ? 1 : Int(distance) / MemoryLayout<RouteCacheEntry>.stride
      }
    }
    #expect(!steps.contains(nil))
    #expect(steps.reduce(0) { $0 + ($1 ?? 0) } <= 2 * kinds.count)
  }

  @Test func `threads dispatch while the table grows under them`() throws {
    let kinds = Self.kinds(depth: 7)
    let rounds = 40
    for _ in 0..<rounds {
      let store = try Self.store(kinds)
      Threads.run(4) { index in
        for place in kinds.indices {
          kinds[(place * 7 + index * 31) % kinds.count].dispatch(store)
          kinds[place % 3].dispatch(store)
        }
      }
      #expect(store.count == 4 * 2 * kinds.count)
    }
  }

  @Test func `stores without routes share a table, and none sees another's routes`() throws {
    let kinds = Self.kinds(depth: 2)
    let stores = try (0..<20).map { _ in try Self.store(kinds) }
    for (index, store) in stores.enumerated() where index.isMultiple(of: 2) {
      kinds[index % kinds.count].dispatch(store)
    }
    #expect(stores.map(\.count) == (0..<20).map { $0.isMultiple(of: 2) ? 1 : 0 })
  }

  @Test(.warnsOnPurpose)
  func `a store with one route keeps it apart from others, and finds it when a second comes`()
    throws
  {
    let kinds = Self.kinds(depth: 4)
    let stores = try kinds.map { _ in try Self.store(kinds) }
    for (kind, store) in zip(kinds, stores) {
      for _ in 0..<3 { kind.dispatch(store) }
    }
    #expect(stores.allSatisfy { $0.count == 3 })
    for (kind, store) in zip(kinds.reversed(), stores) {
      kind.dispatch(store)
      store.dispatch(Unknown())
    }
    for (kind, store) in zip(kinds, stores) { kind.dispatch(store) }
    #expect(stores.allSatisfy { $0.count == 5 })
  }

  /// What no reducer handles.
  private struct Unknown: Action {}

  @Test(.enabled(if: isOptimized && countsAllocations))
  func `the first dispatch of a store allocates a route, and its place in the table`() async {
    await #expect(processExitsWith: .success) {
      let kinds = RouteCacheTests.kinds(depth: 1)
      let reducer = kinds.map(\.reducer).reduce(Reducer<Int>.identity) { .combine($0, $1) }
      let blueprint = try StoreBlueprint<App> {
        Mutator(\.count, reducer)
        Mutator(\.other, reducer)
      }
      let stores = (0..<100).map { _ in blueprint.makeStore(initialState: App()) }
      kinds[0].dispatch(stores[0])
      let made = allocationsOfOneRun {
        for store in stores.dropFirst() { kinds[0].dispatch(store) }
      }
      #expect(made <= 10 * 99)
      // Else the optimiser closes each store in the loop.
      withExtendedLifetime(stores) {}
    }
  }
}
