/// What came out of a pair.
struct PairResult: Codable {
  let id: String
  let title: String
  let subject: SideResult
  let baseline: SideResult
  /// The subject's median over the baseline's.
  let ratio: Double
  /// Between which ratios the middle half of the rounds lie, each round compared with itself.
  let spread: Spread
  let target: Target?
  let austerity: Pair.Austerity
  let headroom: Double

  var verdict: Verdict {
    if allocates { return .allocates }
    guard let target else {
      return austerity == .neither || subject.allocations == nil ? .noted : .met
    }
    if ratio <= target.aim { return .aim }
    if ratio <= target.atMost { return .met }
    return ratio <= target.atMost * headroom ? .tolerated : .missed
  }

  private var allocates: Bool {
    let austere: [SideResult] =
      switch austerity {
      case .neither: []
      case .subject: [subject]
      case .both: [subject, baseline]
      }
    return austere.contains { ($0.allocations ?? 0) > 0 }
  }
}
