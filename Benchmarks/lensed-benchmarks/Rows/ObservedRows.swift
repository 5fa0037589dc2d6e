import Lensed
import Observation

/// The cost of an observed store's own dispatch, against setting a property of an observable class.
enum ObservedRows {
  static var pairs: [Pair] {
    [setting, tracking, row]
  }

  /// Changes and reads a value without tracking.
  ///
  /// Each turn reads the value: an observed store releases a property that is not read any more.
  private static var setting: Pair {
    Pair(
      "observed-dispatch",
      "ObservedStore, its own dispatch and a read / @Observable setter and a read",
      target: Target(atMost: 4, aim: 3)
    ) {
      let (observed, counter) = try await (ObservedApp.observedStore(), ObservedCounter())
      return (
        .onMain("ObservedStore, one tracked sub-state") { turns in
          for turn in 0..<turns {
            observed.dispatch(ObservedAction(value: turn))
            swallow(observed.value)
          }
        },
        .onMain("@Observable class, its setter") { turns in
          for turn in 0..<turns {
            counter.value = turn
            swallow(counter.value)
          }
        }
      )
    }
  }

  /// Reads the value with tracking before each change, as a view does.
  private static var tracking: Pair {
    Pair(
      "observed-tracking",
      "the same, tracked and notified each time",
      target: Target(atMost: 3, aim: 2)
    ) {
      let (observed, counter) = try await (ObservedApp.observedStore(), ObservedCounter())
      return (
        .onMain("ObservedStore, one tracked sub-state") { turns in
          for turn in 0..<turns {
            withObservationTracking {
              swallow(observed.value)
            } onChange: {
            }
            observed.dispatch(ObservedAction(value: turn))
          }
        },
        .onMain("@Observable class, its setter") { turns in
          for turn in 0..<turns {
            withObservationTracking {
              swallow(counter.value)
            } onChange: {
            }
            counter.value = turn
          }
        }
      )
    }
  }

  /// Changes and reads a value of a row, through the observed store of that row.
  private static var row: Pair {
    Pair(
      "observed-row",
      "the observed store of a row, its own dispatch and a read / @Observable setter and a read",
      target: Target(atMost: 45, aim: 10),
      allocations: .atMost(2)
    ) {
      let counter = await ObservedCounter()
      let (app, row) = try await ObservedApp.observedRow()
      return (
        .onMain("ObservedStore of a row") { turns in
          withExtendedLifetime(app) {
            for turn in 0..<turns {
              row.dispatch(RowsApp.Add(amount: turn | 1))
              swallow(row.amount)
            }
          }
        },
        .onMain("@Observable class, its setter") { turns in
          for turn in 0..<turns {
            counter.value = turn
            swallow(counter.value)
          }
        }
      )
    }
  }
}
