extension Rate {
  /// Measures the number of events in a second.
  func measure(
    _ effort: Effort,
    progress: (_ round: Int, _ count: Int) -> Void
  ) async throws -> RateResult {
    let rounds = try await Rounds(
      of: [try await side()],
      count: effort.rounds(share: 0.25),
      effort: effort,
      progress: progress
    )
    let rates = Distribution(rounds.samples[0].map { 1e9 / $0.nanosecondsPerAction })
    return RateResult(
      id: id,
      title: title,
      perSecond: rates.median,
      spread: Spread(of: rates)
    )
  }
}
