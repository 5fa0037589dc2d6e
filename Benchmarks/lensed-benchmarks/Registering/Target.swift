/// What a ratio has to reach, and what it would better reach.
struct Target: Codable {
  let atMost: Double
  let aim: Double
}
