import Lensed

/// What middleware costs where there is none, and what the first one costs.
enum MiddlewareRows {
  static var pairs: [Pair] { [absent, one, history] }

  private static var absent: Pair {
    Pair(
      "middleware-absent",
      "a store made with no middleware / made without the word",
      target: Target(atMost: 1.05, aim: 1),
      heapless: .both
    ) {
      (try dispatching(past: [], as: "Store, middleware: []"), try DispatchRows.dispatching())
    }
  }

  private static var one: Pair {
    Pair(
      "middleware-one",
      "one middleware that lets everything proceed / none",
      target: nil
    ) {
      (
        try dispatching(past: [Bystander()], as: "Store with one middleware"),
        try DispatchRows.dispatching()
      )
    }
  }

  private static var history: Pair {
    Pair(
      "middleware-history",
      "a History of 100 commits / one middleware",
      target: nil
    ) {
      (
        try dispatching(past: [History<CounterApp>(limit: 100)], as: "Store with a History"),
        try dispatching(past: [Bystander()], as: "Store with one middleware")
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

/// Middleware that neither judges nor listens.
private struct Bystander: Middleware {
  typealias State = CounterApp
}
