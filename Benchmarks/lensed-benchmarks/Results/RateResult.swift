/// The result of a rate.
struct RateResult: Codable {
  let id: String
  let title: String
  let perSecond: Double
  /// The quartiles of the rounds.
  ///
  /// They are far apart where tasks are woken: in some rounds a reader never waits, in others it is
  /// woken each time.
  let spread: Spread
}
