import Foundation

/// How a cost grows with a size.
enum Growth: String, Codable {
  case flat
  case logarithmic
  case linear

  /// A rise over the whole range that is smaller than this share of where it began is none: it is
  /// the head-room that the flat rows of the table have too.
  static let flatness = 0.2

  /// The shape that fits best.
  ///
  /// The logarithm and the straight line are fitted by least squares, and the closer one stands if
  /// it rises by more than `flatness` and explains more than half of what varies. What falls, as a
  /// fixed cost does that is shared by more and more, is flat.
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

/// The straight line through points that leaves the smallest squares.
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
