import Lensed

/// The cost of a commit among ten thousand observers of what it touches, or of what it does not.
enum CrowdRows {
  static var pairs: [Pair] { [changes, comings, replacement] }

  private static let crowd = 10_000

  /// A commit that a reader of `changes` is notified of, beside one that only observers are.
  private static var changes: Pair {
    Pair(
      "crowd-changes",
      "10,000 observers and an idle reader of changes / without the reader",
      target: Target(atMost: 1.5, aim: 1.1), share: 0.25
    ) {
      let (store, subscriptions) = try observed(by: crowd)
      let (other, others) = try observed(by: crowd)
      let reader = store.changes(buffering: .bounded(1, dropping: .oldest)).makeAsyncIterator()
      let action = CounterAction.sample
      return (
        .synchronous("with a reader", keeping: (subscriptions, reader)) { turns in
          for _ in 0..<turns { store.dispatch(action) }
        },
        .synchronous("without", keeping: others) { turns in
          for _ in 0..<turns { other.dispatch(action) }
        }
      )
    }
  }

  /// A subscription that comes and goes between commits, and observes something else.
  private static var comings: Pair {
    Pair(
      "crowd-comings",
      "an unrelated subscription comes and goes, 10,000 observers / 10, per observer",
      target: Target(atMost: 2, aim: 1.2), share: 0.25
    ) {
      (try amongComings(observers: crowd), try amongComings(observers: 10))
    }
  }

  private static func amongComings(observers count: Int) throws -> Side {
    let (store, subscriptions) = try CrowdedApp.store(observers: count)
    let action = CounterAction.sample
    return .synchronous("Store with \(count) observers", keeping: subscriptions) { turns in
      for _ in 0..<turns {
        let coming = store.states(\.profile).subscribe { swallow($0.score) }
        store.dispatch(action)
        coming.cancel()
        store.dispatch(action)
      }
    }
  }

  private static var replacement: Pair {
    Pair(
      "crowd-replacement",
      "replaceState with 10,000 observers / a commit with them",
      target: Target(atMost: 2, aim: 1.2), share: 0.25
    ) {
      let (store, subscriptions) = try observed(by: crowd)
      let (other, others) = try observed(by: crowd)
      let action = CounterAction.sample
      let state = other.state
      return (
        .synchronous("replaceState", actionsPerTurn: crowd, keeping: subscriptions) { turns in
          for _ in 0..<turns { store.replaceState(state) }
        },
        .synchronous("dispatch", actionsPerTurn: crowd, keeping: others) { turns in
          for _ in 0..<turns { other.dispatch(action) }
        }
      )
    }
  }

  /// A store whose counter many observe.
  private static func observed(by count: Int) throws -> (
    Store<CounterApp>, [StoreSubscription]
  ) {
    let store = try CounterApp.store()
    return (
      store,
      (0..<count).map { _ in
        store.states(\.counter, repeats: .kept).subscribe { swallow($0.value) }
      }
    )
  }
}
