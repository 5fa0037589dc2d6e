/// What came out of a rate.
struct RateResult: Codable {
  let id: String
  let title: String
  let perSecond: Double
}
