import Lensed

/// Derived values, and rows that are sub-states.
enum DerivedRows {
  static var pairs: [Pair] {
    [
      Pair(
        "derived-untouched",
        "a derived value, nothing touched / two property reads",
        target: Target(atMost: 1.5, aim: 1.2),
        allocations: .noneOnEitherSide
      ) {
        (try reading(1_000), try readingProperties())
      },
      Pair(
        "derived-inputs-1000000",
        "a derived value, nothing touched, inputs of 1,000,000 / of 100",
        target: Target(atMost: 1.1, aim: 1.05),
        allocations: .noneOnEitherSide
      ) {
        (try reading(1_000_000), try reading(100))
      },
      Pair(
        "element-1000000",
        "an element edited by id among 1,000,000 / among 100",
        target: Target(atMost: 4, aim: 2),
        allocations: .noneOnEitherSide
      ) {
        (try editing(among: 1_000_000), try editing(among: 100))
      },
      Pair(
        "row-observers-10000",
        "an element edited beside 10,000 observers of other rows / none",
        target: Target(atMost: 1.75, aim: 1.2),
        allocations: .noneOnEitherSide
      ) {
        (
          try editing(among: 10_001, observing: 10_000), try editing(among: 10_001)
        )
      },
      Pair(
        "row-observed",
        "an element edited that is observed, as 10,000 others are / that nobody observes",
        target: Target(atMost: 8, aim: 3),
        allocations: .noneOnEitherSide
      ) {
        (try editingObserved(among: 10_001), try editing(among: 10_001))
      },
    ]
  }

  static func reading(_ count: Int) throws -> Side {
    let store = try RowsApp.store(rows: count)
    var sum = store[RowsApp.total]
    return .synchronous("Store, derived from \(count) rows") { turns in
      for _ in 0..<turns { sum &+= store[RowsApp.total] }
      _ = opaque(sum)
    }
  }

  static func readingProperties() throws -> Side {
    let store = try RowsApp.store(rows: 1_000)
    var sum = 0
    return .synchronous("Store, two properties") { turns in
      for _ in 0..<turns { sum &+= store.factor &+ store.factor }
      _ = opaque(sum)
    }
  }

  /// One edit where each row has an observer.
  static func editingObserved(among count: Int) throws -> Side {
    let store = try RowsApp.store(rows: count)
    let subscriptions = (0..<count).map { id in
      store.states(\.rows, id: id).subscribe { row in swallow(row?.amount ?? 0) }
    }
    let action = RowsApp.Add.sample
    return .synchronous("Store with \(count) rows, all observed", keeping: subscriptions) { turns in
      for _ in 0..<turns { store.dispatch(action) }
    }
  }

  /// One edit of an array, which finds out by comparing whose observer is to be called.
  static func editingByHand(among count: Int) -> Side {
    let list = opaque(ComparedList(rows: count))
    let amount = RowsApp.Add.sample.action.amount
    return .synchronous("an array of \(count) rows, compared") { turns in
      for _ in 0..<turns { list.edit(0, by: amount) }
    }
  }

  static func editing(among count: Int, observing observed: Int = 0) throws -> Side {
    let store = try RowsApp.store(rows: count)
    let subscriptions = (1..<(observed + 1)).map { id in
      store.states(\.rows, id: id).subscribe { _ in }
    }
    let action = RowsApp.Add.sample
    return .synchronous(
      "Store with \(count) rows, \(observed) observed", keeping: subscriptions
    ) { turns in
      for _ in 0..<turns { store.dispatch(action) }
    }
  }
}
