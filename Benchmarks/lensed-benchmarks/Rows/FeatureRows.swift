import Lensed

/// A feature in each row of a collection, its effect, and the ways to one row.
enum FeatureRows {
  static var pairs: [Pair] {
    [
      Pair(
        "row-feature",
        "an action for a row of a feature / of a reducer that is lifted to the rows",
        target: Target(atMost: 3, aim: 1.5),
        allocations: .noneOnEitherSide
      ) {
        (try editing(among: 1_000), try reducing(among: 1_000))
      },
      Pair(
        "row-scope",
        "an action through the scope of a row / for the row, to the store",
        target: Target(atMost: 6, aim: 2),
        allocations: .noneOnEitherSide
      ) {
        (try editingInScope(among: 1_000), try editing(among: 1_000))
      },
      Pair(
        "row-read",
        "a row of a store, read by its id / the row of Entities under a mutex",
        target: Target(atMost: 2.5, aim: 1.5),
        allocations: .noneOnEitherSide
      ) {
        let store = try RowsApp.store(rows: 1_000)
        let hand = HandEntities(store.rows)
        return (
          .synchronous("Store, a row") { turns in
            for turn in 0..<turns { swallow(store[\.rows, id: turn & 511]?.amount ?? 0) }
          },
          .synchronous("mutex, a row") { turns in
            for turn in 0..<turns { swallow(hand.row(id: turn & 511)?.amount ?? 0) }
          }
        )
      },
      Pair(
        "feature-rows-100000",
        "a dispatch to a feature lifted identified over 100,000 idle rows / over 10",
        target: Target(atMost: 1.2, aim: 1.05),
        allocations: .noneOnEitherSide
      ) {
        (try editing(among: 100_000), try editing(among: 10))
      },
      Pair(
        "feature-effect",
        "the effect of a feature in one of 100,000 rows, started and finished / an effect alone",
        target: Target(atMost: 6, aim: 1.5),
        allocations: .atMost(22)
      ) {
        (try working(among: 100_000), try workingAlone())
      },
    ]
  }

  static func editing(among count: Int) throws -> Side {
    let store = try RowsApp.store(features: count)
    let action = RowsApp.Add.sample
    return .synchronous("Store with \(count) features") { turns in
      for _ in 0..<turns { store.dispatch(action) }
    }
  }

  static func reducing(among count: Int) throws -> Side {
    let store = try RowsApp.store(rows: count)
    let action = RowsApp.Add.sample
    return .synchronous("Store with \(count) rows") { turns in
      for _ in 0..<turns { store.dispatch(action) }
    }
  }

  static func editingInScope(among count: Int) throws -> Side {
    let store = try RowsApp.store(features: count)
    guard let scope = store.scope(\.rows, id: 0) else { fatalError("The row 0 is not there.") }
    let action = opaque(RowsApp.Add(amount: 1))
    return .synchronous("scope of a row") { turns in
      withExtendedLifetime(store) {
        for _ in 0..<turns { scope.dispatch(action) }
      }
    }
  }

  static func working(among count: Int) throws -> Side {
    let store = try RowsApp.store(features: count)
    let action = RowsApp.Reload.sample
    return .asynchronous("Store with \(count) features, effect, finish()") { turns in
      for _ in 0..<turns { try await store.dispatch(action).finish() }
    }
  }

  static func workingAlone() throws -> Side {
    let store = try Store(initialState: RowsApp.Row(id: 0), RowsApp.row)
    let action = opaque(RowsApp.Reload())
    return .asynchronous("Store of one feature, effect, finish()") { turns in
      for _ in 0..<turns { try await store.dispatch(action).finish() }
    }
  }
}
