import Lensed

/// The cost of an action from an asynchronous sequence.
enum SequenceRows {
  private static let count = 100_000

  static var pairs: [Pair] { [stream, ready] }

  private static var stream: Pair {
    Pair(
      "async-stream",
      "AsyncStream of 100,000, per action / for await, mutex",
      target: Target(atMost: 1.2, aim: 1),
      share: 0.35
    ) {
      let store = try CounterApp.store()
      let hand = opaque(HandStore())
      let action = CounterAction.sample
      let prepare = { StreamedActions(action, count: count).stream }
      return (
        .prepared("Store", actions: count, prepare: prepare) { stream in
          try await store.dispatch(stream).finish()
        },
        .prepared("for await, mutex, reducers", actions: count, prepare: prepare) { stream in
          for await action in stream { hand.dispatch(action) }
        }
      )
    }
  }

  private static var ready: Pair {
    Pair(
      "ready-sequence",
      "a sequence that never suspends, per action / for await",
      target: Target(atMost: 2, aim: 1.3),
      share: 0.35
    ) {
      let store = try CounterApp.store()
      let hand = opaque(HandStore())
      let actions = opaque(ReadyActions(action: .sample, count: count))
      return (
        .prepared("Store", actions: count, prepare: { actions }) { actions in
          try await store.dispatch(actions).finish()
        },
        .prepared("for await, mutex, reducers", actions: count, prepare: { actions }) { actions in
          for await action in actions { hand.dispatch(action) }
        }
      )
    }
  }
}
