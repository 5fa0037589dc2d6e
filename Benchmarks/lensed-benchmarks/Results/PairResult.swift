/// The result of a pair.
struct PairResult: Codable {
  let id: String
  let title: String
  let subject: SideResult
  let baseline: SideResult
  /// The subject's median divided by the baseline's.
  let ratio: Double
  /// The quartiles of the ratios of the single rounds.
  let spread: Spread
  let target: Target?
  let allocationLimit: AllocationLimit
  let headroom: Double

  var verdict: Verdict {
    if allocates { return .allocates }
    guard let target else {
      return allocationLimit.isNone || subject.allocations == nil ? .noted : .met
    }
    if ratio <= target.aim { return .aim }
    if ratio <= target.atMost { return .met }
    return ratio <= target.atMost * headroom ? .tolerated : .missed
  }

  private var allocates: Bool { allocationLimit.isExceeded(by: subject, baseline) }
}
