import Lensed

/// The cost of an effect, and of effects that a dispatch does not start.
enum EffectRows {
  static var pairs: [Pair] { [run, others] }

  private static var run: Pair {
    Pair(
      "effect",
      "effect started and finished / Task started and awaited",
      target: Target(atMost: 3.25, aim: 2.5),
      allocations: .atMost(5)
    ) {
      let busy = try BusyApp(of: .concurrent)
      let action = CounterAction.sample
      return (
        .asynchronous("Store, effect, finish()") { turns in
          for _ in 0..<turns { try await busy.store.dispatch(action).finish() }
        },
        .asynchronous("Task") { turns in
          for _ in 0..<turns { await Task { @concurrent in swallow(1) }.value }
        }
      )
    }
  }

  private static var others: Pair {
    Pair(
      "other-effects-100",
      "dispatch with 100 effects of other actions / none",
      target: Target(atMost: 1.2, aim: 1.05),
      allocations: .noneOnEitherSide
    ) {
      (try amongEffects(100), try amongEffects(0))
    }
  }

  static func amongEffects(_ count: Int) throws -> Side {
    let busy = try BusyApp(otherEffects: count)
    let store = busy.store
    let action = CounterAction.sample
    return .synchronous("Store with \(count) effects", keeping: busy) { turns in
      for _ in 0..<turns { store.dispatch(action) }
    }
  }
}
