/// What came out of a rate.
struct RateResult: Codable {
  let id: String
  let title: String
  let perSecond: Double
  /// Between which rates the middle half of the rounds lie.
  ///
  /// Wide where tasks are woken: a reader keeps up without ever waiting, or is woken each time.
  let spread: Spread
}
