/// Finds how many turns make a sample that lasts long enough, and warms the side up on the way.
struct Calibration {
  let turns: Int

  init(of side: Side, lasting shortest: Double) async throws {
    if let turns = side.turns {
      _ = try await side.take(turns)
      self.turns = turns
      return
    }
    var turns = 1
    while true {
      let sample = try await side.take(turns)
      if sample.nanoseconds >= shortest { break }
      // Straight to the number that this sample promises, but never by leaps: the first turns are
      // the slowest and promise too little.
      let promised = Double(turns) * shortest / max(sample.nanoseconds, 1) * 1.1
      turns = min(turns * 8, max(turns + 1, Int(promised)))
    }
    self.turns = turns
  }
}
