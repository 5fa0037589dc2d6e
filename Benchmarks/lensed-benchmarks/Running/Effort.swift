/// How much time a run spends on being sure.
struct Effort {
  let isQuick: Bool
  let rounds: Int
  /// What a sample lasts at least, in nanoseconds.
  let shortestSample: Double
  /// By what factor a ratio may exceed its target before it fails.
  let headroom: Double
  /// How often a ratio that misses its target is measured before that is believed.
  ///
  /// What misses for a reason misses again.
  let attempts: Int

  /// Few short samples, which a busy machine bends: the ratios get head-room and a second attempt,
  /// the counts do not.
  static let quick = Effort(
    isQuick: true, rounds: 15, shortestSample: 1e6, headroom: 2.5, attempts: 2
  )
  static let full = Effort(
    isQuick: false, rounds: 61, shortestSample: 2e6, headroom: 1, attempts: 1
  )

  func rounds(share: Double) -> Int { max(5, Int(Double(rounds) * share)) }
}
