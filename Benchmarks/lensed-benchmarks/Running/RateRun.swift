extension Rate {
  /// Measures how many there are in a second.
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
    return RateResult(
      id: id,
      title: title,
      perSecond: 1e9 / rounds.distribution(of: 0).median
    )
  }
}
