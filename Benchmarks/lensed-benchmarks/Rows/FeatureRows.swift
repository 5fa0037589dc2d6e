import Lensed

/// A feature in each row of a collection, and its effect.
enum FeatureRows {
  static var pairs: [Pair] {
    [
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
