/// The number of turns in a sample of a side; finding it also warms the side up.
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
      // The number that this sample suggests, but at most eight times as many: the first turns are
      // the slowest, so they suggest too few.
      let promised = Double(turns) * shortest / max(sample.nanoseconds, 1) * 1.1
      turns = min(turns * 8, max(turns + 1, Int(promised)))
    }
    self.turns = turns
  }
}
