import Lensed

/// The cost of having no middleware, and of the first one.
enum MiddlewareRows {
  static var pairs: [Pair] { [absent, one, changes, history] }

  private static var absent: Pair {
    Pair(
      "middleware-absent",
      "a store made with no middleware / made without the argument",
      target: Target(atMost: 1.05, aim: 1),
      allocations: .noneOnEitherSide
    ) {
      (try dispatching(past: [], as: "Store, middleware: []"), try DispatchRows.dispatching())
    }
  }

  private static var one: Pair {
    Pair(
      "middleware-one",
      "one idle middleware / none",
      target: Target(atMost: 75, aim: 15),
      allocations: .atMost(1)
    ) {
      (
        try dispatching(past: [IdleMiddleware<CounterApp>()], as: "Store with one middleware"),
        try DispatchRows.dispatching()
      )
    }
  }

  private static var changes: Pair {
    Pair(
      "changes-idle",
      "one idle reader of changes / none",
      target: Target(atMost: 60, aim: 15),
      allocations: .atMost(1)
    ) {
      let store = try CounterApp.store()
      let reader = store.changes(buffering: .bounded(16, dropping: .oldest)).makeAsyncIterator()
      let action = CounterAction.sample
      return (
        .synchronous("Store with a reader of changes", keeping: reader) { turns in
          for _ in 0..<turns { store.dispatch(action) }
        },
        try DispatchRows.dispatching()
      )
    }
  }

  private static var history: Pair {
    Pair(
      "middleware-history",
      "a History of 100 commits / one middleware",
      target: nil,
      allocations: .atMost(3)
    ) {
      (
        try dispatching(past: [History<CounterApp>(limit: 100)], as: "Store with a History"),
        try dispatching(past: [IdleMiddleware<CounterApp>()], as: "Store with one middleware")
      )
    }
  }

  private static func dispatching(
    past middleware: [any Middleware<CounterApp>], as name: String
  ) throws -> Side {
    let store = try CounterApp.store(middleware: middleware)
    let action = CounterAction.sample
    return .synchronous(name) { turns in
      for _ in 0..<turns { store.dispatch(action) }
    }
  }
}
