import Lensed

/// The cost of one dispatch.
enum DispatchRows {
  static var pairs: [Pair] {
    [plain, observed, transformed, erased, array, list, alternating]
  }

  private static var plain: Pair {
    Pair(
      "dispatch",
      "one dispatch, two sub-states / mutex, reducers",
      target: Target(atMost: 2, aim: 1.2),
      allocations: .none
    ) {
      (try dispatching(), byHand())
    }
  }

  private static var observed: Pair {
    Pair(
      "dispatch-observed",
      "with one observer / mutex, reducers, closure",
      target: Target(atMost: 3, aim: 1.5),
      allocations: .none
    ) {
      let store = try CounterApp.store()
      let subscription = store.states.subscribe { StateObserver.observe($0) }
      let hand = opaque(HandObservedStore { StateObserver.observe($0) })
      let action = CounterAction.sample
      return (
        .synchronous("Store with a subscriber", keeping: subscription) { turns in
          for _ in 0..<turns { store.dispatch(action) }
        },
        .synchronous("mutex, reducers, one closure call") { turns in
          for _ in 0..<turns { hand.dispatch(action) }
        }
      )
    }
  }

  private static var transformed: Pair {
    Pair(
      "dispatch-operators",
      "an observer behind map, filter and removeDuplicates / one that does the same",
      target: Target(atMost: 2.2, aim: 1.5),
      allocations: .noneOnEitherSide
    ) {
      let (behind, alone) = (try CounterApp.store(), try CounterApp.store())
      let operators = behind.states(\.counter, repeats: .kept).map(\.value).filter { $0 >= 0 }
        .removeDuplicates().subscribe { swallow($0) }
      let last = UncheckedLast()
      let closure = alone.states(\.counter, repeats: .kept).subscribe { counter in
        let value = counter.value
        if value >= 0 && last.changes(to: value) { swallow(value) }
      }
      let action = CounterAction.sample
      return (
        .synchronous("Store, three operators", keeping: operators) { turns in
          for _ in 0..<turns { behind.dispatch(action) }
        },
        .synchronous("Store, one closure", keeping: closure) { turns in
          for _ in 0..<turns { alone.dispatch(action) }
        }
      )
    }
  }

  private static var erased: Pair {
    Pair(
      "dispatch-any",
      "any Action / the concrete dispatch",
      target: Target(atMost: 3, aim: 2)
    ) {
      let store = try CounterApp.store()
      let action: any Action = opaque(CounterAction.sample as any Action)
      return (
        .synchronous("Store, any Action") { turns in
          for _ in 0..<turns { store.dispatch(action) }
        },
        try dispatching()
      )
    }
  }

  private static var array: Pair {
    Pair(
      "array-100",
      "array of 100, per action / bare reducer loop",
      target: Target(atMost: 1.8, aim: 1.2),
      allocations: .none
    ) {
      (try dispatchingArrays(of: 100), loopingOverArrays(of: 100))
    }
  }

  private static var list: Pair {
    Pair(
      "list-100",
      "list of 100 of one type, per action / array of 100",
      target: Target(atMost: 2, aim: 2),
      allocations: .noneOnEitherSide
    ) {
      (
        try dispatching(list: Array(repeating: CounterAction.sample, count: 100)),
        try dispatchingArrays(of: 100)
      )
    }
  }

  private static var alternating: Pair {
    Pair(
      "list-alternating-100",
      "list of 100, two types in turn, per action / array of 100",
      target: Target(atMost: 7, aim: 2),
      // The list of the routes that were run, once for all hundred.
      allocations: .atMost(0.01)
    ) {
      (
        try dispatching(
          list: (0..<50).flatMap { _ in [CounterAction.sample, CounterStep.sample] as [any Action] }
        ),
        try dispatchingArrays(of: 100)
      )
    }
  }

  private static func dispatching(list: [any Action]) throws -> Side {
    let (store, actions) = (try CounterApp.storeOfTwoTypes(), opaque(list))
    return .synchronous("Store, [any Action]", actionsPerTurn: list.count) { turns in
      for _ in 0..<turns { store.dispatch(actions) }
    }
  }

  static func dispatching() throws -> Side {
    let store = try CounterApp.store()
    let action = CounterAction.sample
    return .synchronous("Store") { turns in
      for _ in 0..<turns { store.dispatch(action) }
    }
  }

  static func byHand() -> Side {
    let hand = opaque(HandStore())
    let action = CounterAction.sample
    return .synchronous("mutex, reducers") { turns in
      for _ in 0..<turns { hand.dispatch(action) }
    }
  }

  static func dispatchingArrays(of count: Int) throws -> Side {
    let store = try CounterApp.store()
    let actions = opaque(Array(repeating: CounterAction.sample, count: count))
    return .synchronous("Store", actionsPerTurn: count) { turns in
      for _ in 0..<turns { store.dispatch(actions) }
    }
  }

  static func loopingOverArrays(of count: Int) -> Side {
    let actions = opaque(Array(repeating: CounterAction.sample, count: count))
    var state = CounterApp()
    return .synchronous("reducer loop", actionsPerTurn: count) { turns in
      // A local variable, because each access to a captured one checks exclusivity.
      var local = state
      for _ in 0..<turns {
        for action in actions {
          CounterReducers.counter(&local.counter, action)
          CounterReducers.profile(&local.profile, action)
        }
      }
      state = local
      swallow(state.counter.value)
    }
  }
}

/// The last value of an observer, whose calls never overlap.
private final class UncheckedLast: @unchecked Sendable {
  private var value: Int?

  func changes(to new: Int) -> Bool {
    defer { value = new }
    return value != new
  }
}
