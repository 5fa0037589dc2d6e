/// The number and length of samples in a run.
struct Effort {
  let isQuick: Bool
  let rounds: Int
  /// The minimum duration of a sample, in nanoseconds.
  let shortestSample: Double
  /// The factor by which a ratio can exceed its target before it fails.
  let headroom: Double
  /// The number of attempts for a ratio that misses its target; the least of them counts.
  ///
  /// A ratio that misses for a reason misses again. One that misses because of what else the machine did does not.
  let attempts: Int

  /// Few short samples.
  ///
  /// A busy machine distorts them, so ratios get head-room and a second attempt; allocation counts
  /// do not.
  static let quick = Effort(
    isQuick: true, rounds: 15, shortestSample: 1e6, headroom: 2.5, attempts: 2
  )
  static let full = Effort(
    isQuick: false, rounds: 61, shortestSample: 2e6, headroom: 1, attempts: 3
  )

  func rounds(share: Double) -> Int { max(5, Int(Double(rounds) * share)) }
}
