import Lensed

/// What a store keeps in memory for each value that is derived, each subscription, and what it takes itself.
enum MemoryRows {
  static var all: [Memory] {
    [
      Memory(
        "memory-derived", "a derived value of two inputs, a number",
        atMost: MemoryLayout<Int>.size + 256
      ) { count in
        let store = try RowsApp.store(rows: 10)
        // What they are made with is the program's; what they come to is the store's.
        let derived = (0..<count).map { number in
          Derived(\RowsApp.rows, \RowsApp.factor) { rows, factor in rows.count &* factor &+ number }
        }
        return {
          var sum = 0
          for value in derived { sum &+= store[value] }
          return (store, opaque(sum))
        }
      },
      Memory("memory-subscription", "a subscription to a sub-state", atMost: 960) { count in
        let store = try CounterApp.store()
        return { (0..<count).map { _ in store.states(\.counter).subscribe { swallow($0.value) } } }
      },
      Memory("memory-row", "a subscription to a row", atMost: 1_600) { count in
        let store = try RowsApp.store(rows: count)
        return { (0..<count).map { id in store.states(\.rows, id: id).subscribe { _ in } } }
      },
      Memory("memory-store", "a store of three sub-states from a blueprint", atMost: 3_072) {
        count in
        let blueprint = try ThreeParts.blueprint()
        return { (0..<count).map { _ in blueprint.makeStore(initialState: ThreeParts()) } }
      },
    ]
  }
}
