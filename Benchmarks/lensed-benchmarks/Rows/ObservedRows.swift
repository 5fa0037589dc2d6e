import Lensed
import Observation

/// What a view's own dispatch costs, against setting a property of an observable class.
enum ObservedRows {
  static var pairs: [Pair] {
    [setting, drawing]
  }

  /// Nobody is told: what changing a value costs by itself.
  private static var setting: Pair {
    Pair(
      "observed-dispatch",
      "ObservedStore, its own dispatch / @Observable setter",
      target: Target(atMost: 3, aim: 2)
    ) {
      let (mirror, counter) = try await (ObservedApp.mirror(), ObservedCounter())
      return (
        .onMain("ObservedStore, one tracked sub-state") { turns in
          for turn in 0..<turns { mirror.dispatch(ObservedAction(value: turn)) }
        },
        .onMain("@Observable class, its setter") { turns in
          for turn in 0..<turns { counter.value = turn }
        }
      )
    }
  }

  /// A view reads the value again after each change, and is told of the next.
  private static var drawing: Pair {
    Pair(
      "observed-drawing",
      "the same, read and told of each time",
      target: Target(atMost: 3, aim: 2)
    ) {
      let (mirror, counter) = try await (ObservedApp.mirror(), ObservedCounter())
      return (
        .onMain("ObservedStore, one tracked sub-state") { turns in
          for turn in 0..<turns {
            withObservationTracking {
              swallow(mirror.value)
            } onChange: {
            }
            mirror.dispatch(ObservedAction(value: turn))
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
}
