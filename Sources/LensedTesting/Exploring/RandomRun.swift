#if canImport(Testing)
  internal import Lensed
  internal import Testing

  /// A run of random actions.
  struct RandomRun: Sendable {
    let actions: Generator<any Action>
    let seed: UInt64
    let steps: Int
    /// Whether one step in eight moves the clock.
    let movesClock: Bool

    func explore<State: Sendable>(
      _ trial: Trial<State>, threads: Int, at location: SourceLocation
    ) async -> Exploration {
      var random = SeededGenerator(seed: seed)
      let list: [any Action] = (0..<max(0, steps)).map { _ in
        movesClock && UInt64.random(in: 0..<8, using: &random) == 0
          ? NextDeadline() : actions.next(&random)
      }
      if threads > 1 {
        return await ThreadedRun(trial: trial, seed: seed, location: location)
          .explore(list, threads: threads)
      }
      return await Explorer(trial: trial, seed: seed, location: location, form: "actions")
        .explore(list.map { .dispatch($0) })
    }
  }
#endif
