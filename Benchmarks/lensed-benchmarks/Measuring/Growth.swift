import Foundation

/// The growth of a cost with a size.
enum Growth: String, Codable {
  case flat
  case logarithmic
  case linear

  /// The largest rise that counts as flat, as a share of the first cost.
  ///
  /// It equals the head-room of the targets for flat costs.
  static let flatness = 0.2

  /// Finds the growth that fits best.
  ///
  /// A logarithm and a straight line are fitted by least squares. The closer one is chosen if it
  /// rises by more than `flatness` and explains more than half of the variance. Otherwise, and if
  /// the cost falls, the growth is flat.
  init(fitting points: [(size: Double, cost: Double)]) {
    let linear = Fit(points.map { ($0.size, $0.cost) })
    let logarithmic = Fit(points.map { (log($0.size + 1), $0.cost) })
    let best = linear.error < logarithmic.error ? linear : logarithmic
    if best.rise <= Self.flatness * best.start || best.explained <= 0.5 {
      self = .flat
    } else {
      self = linear.error < logarithmic.error ? .linear : .logarithmic
    }
  }
}

/// The straight line through points with the smallest squared error.
private struct Fit {
  let start: Double
  let rise: Double
  let error: Double
  let explained: Double

  init(_ points: [(x: Double, y: Double)]) {
    let count = Double(max(points.count, 1))
    let meanX = points.reduce(0) { $0 + $1.x } / count
    let meanY = points.reduce(0) { $0 + $1.y } / count
    let varianceX = points.reduce(0) { $0 + ($1.x - meanX) * ($1.x - meanX) }
    let varianceY = points.reduce(0) { $0 + ($1.y - meanY) * ($1.y - meanY) }
    let together = points.reduce(0) { $0 + ($1.x - meanX) * ($1.y - meanY) }
    let slope = varianceX > 0 ? together / varianceX : 0
    let base = meanY - slope * meanX
    let first = points.map(\.x).min() ?? 0
    let last = points.map(\.x).max() ?? 0
    start = base + slope * first
    rise = slope * (last - first)
    error = points.reduce(0) { $0 + ($1.y - base - slope * $1.x) * ($1.y - base - slope * $1.x) }
    explained = varianceY > 0 ? 1 - error / varianceY : 0
  }
}
