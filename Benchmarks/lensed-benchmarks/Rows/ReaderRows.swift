import Lensed

/// The cost of reading commits.
enum ReaderRows {
  static var pairs: [Pair] {
    [
      Pair(
        "fast-reader",
        "a fast reader, per commit read / AsyncStream",
        target: Target(atMost: 1.0 / 3, aim: 0.1)
      ) {
        (try reading(), readingStream())
      }
    ]
  }

  static var rates: [Rate] {
    [
      Rate("reads-1-reader", "commits read, one reader") { try reading(readers: 1) },
      Rate("reads-100-readers", "commits read, a hundred readers") {
        try reading(readers: 100)
      },
    ]
  }

  private static func reading() throws -> Side {
    let store = try CounterApp.store()
    let action = CounterAction.sample
    return .asynchronous("Store.states") { turns in
      var left = turns
      for await state in store.states {
        swallow(state.counter.value)
        if left == 0 { break }
        left -= 1
        store.dispatch(action)
      }
    }
  }

  private static func readingStream() -> Side {
    let hand = opaque(HandStore())
    let action = CounterAction.sample
    return .asynchronous("mutex, reducers, AsyncStream bufferingNewest(1)") { turns in
      let (states, continuation) = AsyncStream.makeStream(
        of: CounterApp.self,
        bufferingPolicy: .bufferingNewest(1)
      )
      continuation.yield(CounterApp())
      var left = turns
      for await state in states {
        swallow(state.counter.value)
        if left == 0 { break }
        left -= 1
        continuation.yield(hand.dispatchReturningState(action))
      }
    }
  }

  /// Readers in their own tasks, while one thread dispatches without a pause.
  ///
  /// It counts the states they read, not the commits that conflation skips.
  private static func reading(readers count: Int) throws -> Side {
    let store = try CounterApp.store()
    let action = CounterAction.sample
    let reads = AtomicCounter()
    let readers = (0..<count).map { _ in
      let states = store.states
      return Task { @concurrent in
        for await state in states {
          swallow(state.counter.value)
          reads.add(1)
        }
      }
    }
    let leave = {
      for reader in readers { reader.cancel() }
      for reader in readers { await reader.value }
    }
    return .counting("Store.states", tearDown: leave, effects: { reads.value }) { turns in
      for _ in 0..<turns { store.dispatch(action) }
    }
  }
}
