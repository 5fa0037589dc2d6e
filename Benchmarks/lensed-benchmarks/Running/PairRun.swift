extension Pair {
  /// Measures both sides against each other.
  func measure(
    _ effort: Effort,
    progress: (_ round: Int, _ count: Int) -> Void
  ) async throws -> PairResult {
    let (subject, baseline) = try await sides()
    let rounds = try await Rounds(
      of: [subject, baseline],
      count: effort.rounds(share: share),
      effort: effort,
      progress: progress
    )
    let ratios = Distribution(
      zip(rounds.samples[0], rounds.samples[1]).map {
        $0.nanosecondsPerAction / $1.nanosecondsPerAction
      }
    )
    return PairResult(
      id: id,
      title: title,
      subject: rounds.result(of: 0, subject),
      baseline: rounds.result(of: 1, baseline),
      ratio: rounds.distribution(of: 0).median / rounds.distribution(of: 1).median,
      spread: Spread(of: ratios),
      target: target,
      allocationLimit: allocations,
      headroom: effort.headroom
    )
  }
}

extension Rounds {
  fileprivate func result(of place: Int, _ side: Side) -> SideResult {
    let distribution = distribution(of: place)
    return SideResult(
      name: side.name,
      medianNanoseconds: distribution.median,
      minimumNanoseconds: distribution.minimum,
      allocations: Stopwatch.countsAllocations
        ? samples[place].reduce(0) { $0 + $1.allocations } : nil,
      actions: samples[place].reduce(0) { $0 + $1.actions }
    )
  }
}
