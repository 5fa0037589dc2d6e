import Lensed

/// The memory of stores and subscriptions, of which servers keep thousands.
enum MemoryRows {
  static var all: [MemoryRow] { [store, first, subscription, burst, derived] }

  private static var store: MemoryRow {
    MemoryRow(
      "memory-store", "a store of three sub-states from a blueprint", atMost: 3_072, aim: 3_072
    ) { count in
      try makeStores(count)
    }
  }

  private static var first: MemoryRow {
    MemoryRow(
      "memory-first-dispatch", "its first dispatch", atMost: 800, aim: 500,
      without: { try makeStores($0) },
      make: { count in
        let stores = try makeStores(count)
        for store in stores { store.dispatch(ThreeParts.Step(by: 1)) }
        return stores
      })
  }

  private static var subscription: MemoryRow {
    MemoryRow("memory-subscription", "a subscription", atMost: 600, aim: 500) { count in
      let store = try CounterApp.store()
      return (0..<count).map { _ in
        store.states(\.counter).subscribe { swallow($0.value) }
      }
    }
  }

  /// An observer dispatches 100,000 actions while it is called, which wait until it returns.
  private static var burst: MemoryRow {
    MemoryRow(
      "memory-burst", "100,000 values queued and delivered, then idle: what is still held",
      count: 1, atMost: 256 << 10, aim: 64 << 10
    ) { _ in
      let store = try CounterApp.store()
      let action = CounterAction.sample
      let subscription = store.states(\.counter).subscribe { [weak store] counter in
        guard counter.changes == 1 else { return }
        for _ in 0..<100_000 { store?.dispatch(action) }
      }
      store.dispatch(action)
      return [store, subscription]
    }
  }

  /// What a store keeps of each, beside what the program has made itself.
  private static var derived: MemoryRow {
    MemoryRow(
      "memory-derived", "a derived value of two inputs, a number", atMost: 208, aim: 208,
      without: { [try ManyDerived($0)] },
      make: { count in
        let many = try ManyDerived(count)
        for value in many.values { swallow(many.store[value]) }
        return [many]
      })
  }

  private static func makeStores(_ count: Int) throws -> [Store<ThreeParts>] {
    let blueprint = try ThreeParts.blueprint()
    return (0..<count).map { _ in blueprint.makeStore(initialState: ThreeParts()) }
  }
}
