/// The lower and upper quartile of some figures.
struct Spread: Codable {
  let low: Double
  let high: Double

  init(of figures: Distribution) {
    low = figures.quantile(0.25)
    high = figures.quantile(0.75)
  }
}
