/// The largest ratio that passes, and the ratio to aim for.
struct Target: Codable {
  let atMost: Double
  let aim: Double
}
