import Lensed

/// What hearing of a commit costs.
enum ReaderRows {
  static var pairs: [Pair] {
    [
      Pair(
        "fast-reader",
        "a fast reader, per commit heard / AsyncStream",
        target: Target(atMost: 1.0 / 3, aim: 0.1)
      ) {
        (try reading(), readingStream())
      }
    ]
  }

  static var rates: [Rate] {
    [
      Rate("heard-by-1", "commits heard, one reader") { try hearing(readers: 1) },
      Rate("heard-by-100", "commits heard, a hundred readers") {
        try hearing(readers: 100)
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
        continuation.yield(hand.dispatchGivingState(action))
      }
    }
  }

  /// Readers in tasks of their own, while one thread dispatches without a pause: what they hear is
  /// counted, and what conflation spares them is not.
  private static func hearing(readers count: Int) throws -> Side {
    let store = try CounterApp.store()
    let action = CounterAction.sample
    let heard = Tally()
    let readers = (0..<count).map { _ in
      let states = store.states
      return Task { @concurrent in
        for await state in states {
          swallow(state.counter.value)
          heard.add(1)
        }
      }
    }
    let leave = {
      for reader in readers { reader.cancel() }
      for reader in readers { await reader.value }
    }
    return .tallied("Store.states", tearDown: leave, effects: { heard.value }) { turns in
      for _ in 0..<turns { store.dispatch(action) }
    }
  }
}
