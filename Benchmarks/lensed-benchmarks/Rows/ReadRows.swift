import Lensed

/// The cost of reading the state.
enum ReadRows {
  static var pairs: [Pair] { [property, lens, whole] }

  private static var property: Pair {
    Pair(
      "read-property",
      "store.counter / the field under a mutex",
      target: Target(atMost: 1.5, aim: 1.2),
      allocations: .noneOnEitherSide
    ) {
      let (store, hand) = (try CounterApp.store(), opaque(HandStore()))
      return (
        .synchronous("Store, one stored property") { turns in
          for _ in 0..<turns { swallow(store.counter.value) }
        },
        .synchronous("mutex, the field") { turns in
          for _ in 0..<turns { swallow(hand.counter.value) }
        }
      )
    }
  }

  private static var lens: Pair {
    Pair(
      "read-lens",
      "store[lens] / store.counter",
      target: Target(atMost: 1.5, aim: 1.2),
      allocations: .noneOnEitherSide
    ) {
      let (store, lens) = (try CounterApp.store(), opaque(Lens(\CounterApp.counter)))
      return (
        .synchronous("Store, a lens") { turns in
          for _ in 0..<turns { swallow(store[lens].value) }
        },
        .synchronous("Store, one stored property") { turns in
          for _ in 0..<turns { swallow(store.counter.value) }
        }
      )
    }
  }

  private static var whole: Pair {
    Pair(
      "read-state",
      "store.state / the struct under a mutex",
      target: Target(atMost: 1.5, aim: 1.2),
      allocations: .noneOnEitherSide
    ) {
      let (store, hand) = (try CounterApp.store(), opaque(HandStore()))
      return (
        .synchronous("Store, the state") { turns in
          for _ in 0..<turns { StateObserver.observe(store.state) }
        },
        .synchronous("mutex, the struct") { turns in
          for _ in 0..<turns { StateObserver.observe(hand.whole) }
        }
      )
    }
  }
}
