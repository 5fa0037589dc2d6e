/// Sorted figures, with summaries that are robust against outliers.
struct Distribution {
  private let sorted: [Double]

  init(_ figures: [Double]) { sorted = figures.sorted() }

  var minimum: Double { sorted.first ?? .nan }
  var median: Double { quantile(0.5) }

  /// The quantile of a share of the figures, interpolated between neighbours.
  func quantile(_ share: Double) -> Double {
    guard let last = sorted.indices.last else { return .nan }
    let place = share * Double(last)
    let below = Int(place)
    let above = min(below + 1, last)
    return sorted[below] + (sorted[above] - sorted[below]) * (place - Double(below))
  }
}
