/// Samples of several sides, taken in turn, so that a disturbance of the machine affects all alike.
struct Rounds {
  private(set) var samples: [[Sample]]

  init(
    of sides: [Side],
    count: Int,
    effort: Effort,
    progress: (_ round: Int, _ count: Int) -> Void
  ) async throws {
    samples = sides.map { _ in [] }
    var turns: [Int] = []
    for side in sides {
      turns.append(try await Calibration(of: side, lasting: effort.shortestSample).turns)
    }
    for round in 0..<count {
      progress(round, count)
      // In alternating order, so that no side always follows the same one.
      let order = Array(sides.indices)
      for place in round.isMultiple(of: 2) ? order : order.reversed() {
        samples[place].append(try await sides[place].take(turns[place]))
      }
    }
    for side in sides { await side.tearDown() }
  }

  func distribution(of side: Int) -> Distribution {
    Distribution(samples[side].map(\.nanosecondsPerAction))
  }
}
