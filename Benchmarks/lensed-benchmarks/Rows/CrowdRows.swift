import Lensed

/// The cost of a commit among ten thousand observers of what it touches, or of what it does not.
enum CrowdRows {
  static var pairs: [Pair] { [changes, middleware, comings, quietComings, replacement] }

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

  /// The same beside middleware.
  private static var middleware: Pair {
    Pair(
      "crowd-middleware",
      "10,000 observers and one idle middleware / without the middleware",
      target: Target(atMost: 1.5, aim: 1.1), share: 0.25
    ) {
      let (store, subscriptions) = try observed(by: crowd, past: [IdleMiddleware()])
      let (other, others) = try observed(by: crowd)
      let action = CounterAction.sample
      return (
        .synchronous("with middleware", keeping: subscriptions) { turns in
          for _ in 0..<turns { store.dispatch(action) }
        },
        .synchronous("without", keeping: others) { turns in
          for _ in 0..<turns { other.dispatch(action) }
        }
      )
    }
  }

  /// A subscription that comes and goes between commits, among many that no commit calls.
  private static var quietComings: Pair {
    Pair(
      "crowd-quiet-comings",
      "a subscription comes and goes between commits, 10,000 observers of other parts / 10",
      target: Target(atMost: 2, aim: 1.2), share: 0.5
    ) { (try comingAndGoing(among: crowd), try comingAndGoing(among: 10)) }
  }

  private static func comingAndGoing(among count: Int) throws -> Side {
    let (store, subscriptions) = try CrowdedApp.store(observers: count)
    let action = CounterAction.sample
    return .synchronous("\(count) observers", keeping: subscriptions) { turns in
      for _ in 0..<turns {
        store.states(\.first).subscribe { swallow($0) }.cancel()
        store.dispatch(action)
      }
    }
  }

  /// A subscription that comes and goes between commits, and observes something else.
  private static var comings: Pair {
    Pair(
      "crowd-comings",
      "10,000 observers, an unrelated subscription comes and goes / without it",
      target: Target(atMost: 2, aim: 1.2), share: 0.25
    ) {
      let (store, subscriptions) = try observed(by: crowd)
      let (other, others) = try observed(by: crowd)
      let action = CounterAction.sample
      return (
        .synchronous("with comings and goings", keeping: subscriptions) { turns in
          for _ in 0..<turns {
            store.states(\.first).subscribe { swallow($0) }.cancel()
            store.dispatch(action)
          }
        },
        .synchronous("without", keeping: others) { turns in
          for _ in 0..<turns { other.dispatch(action) }
        }
      )
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
  private static func observed(
    by count: Int, past middleware: [any Middleware<CrowdedApp>] = []
  ) throws -> (Store<CrowdedApp>, [StoreSubscription]) {
    let store = try CrowdedApp.store(middleware: middleware)
    return (
      store,
      (0..<count).map { _ in
        store.states(\.counter, repeats: .kept).subscribe { swallow($0.value) }
      }
    )
  }
}
