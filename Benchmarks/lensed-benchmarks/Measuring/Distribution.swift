/// Figures in order of size, and the summaries that a few wild ones among them do not move.
struct Distribution {
  private let sorted: [Double]

  init(_ figures: [Double]) { sorted = figures.sorted() }

  var minimum: Double { sorted.first ?? .nan }
  var median: Double { quantile(0.5) }

  /// The figure below which this share of them lies, between neighbours in proportion.
  func quantile(_ share: Double) -> Double {
    guard let last = sorted.indices.last else { return .nan }
    let place = share * Double(last)
    let below = Int(place)
    let above = min(below + 1, last)
    return sorted[below] + (sorted[above] - sorted[below]) * (place - Double(below))
  }
}
