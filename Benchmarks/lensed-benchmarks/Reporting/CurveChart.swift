import Foundation

/// A curve in a panel with logarithmic axes; a constant cost is a horizontal line.
struct CurveChart {
  static let width = 308.0
  static let height = 228.0

  let curve: CurveResult
  var width = CurveChart.width

  func draw(in drawing: inout Drawing, x: Double, y: Double) {
    drawing.box(x: x, y: y, width: width, height: Self.height, corner: 8, style: "panel")
    drawing.text(curve.title, x: x + 14, y: y + 24, style: "label")
    let points = curve.lines.flatMap(\.points)
    guard let low = points.map(\.medianNanoseconds).min(),
      let high = points.map(\.medianNanoseconds).max(),
      let least = points.map(\.size).min(), let most = points.map(\.size).max()
    else { return }

    let axis = Self.axis(around: low...high)
    let across = LogScale(
      Double(least)...Double(most), onto: (x + 60)...(x + width - 20), withZero: least == 0
    )
    let up = LogScale(axis, onto: (y + 62)...(y + Self.height - 40), reversed: true)
    grid(in: &drawing, x: x, axis: axis, up: up)
    for size in Set(points.map(\.size)).sorted() {
      drawing.text(
        Self.short(size), x: across.place(of: Double(size)), y: y + Self.height - 22,
        style: "small", anchor: .middle
      )
    }
    drawing.text(
      curve.unit, x: x + width - 14, y: y + Self.height - 7, style: "small", anchor: .end
    )
    for (index, line) in curve.lines.enumerated() {
      key(of: line, index: index, in: &drawing, x: x + 14 + Double(index) * keyWidth, y: y + 44)
      let places = line.points.map {
        (x: across.place(of: Double($0.size)), y: up.place(of: $0.medianNanoseconds))
      }
      drawing.path(places, style: "line-\(index)")
      for place in places {
        drawing.dot(x: place.x, y: place.y, radius: 3.5, style: "dot-\(index)")
      }
    }
  }

  private var keyWidth: Double { (width - 28) / Double(max(curve.lines.count, 2)) }

  private func key(
    of line: CurveResult.Line, index: Int, in drawing: inout Drawing, x: Double, y: Double
  ) {
    drawing.dot(x: x + 4, y: y - 4, radius: 4, style: "dot-\(index)")
    drawing.text("\(line.name): \(line.growth.rawValue)", x: x + 13, y: y, style: "small")
  }

  private func grid(
    in drawing: inout Drawing, x: Double, axis: ClosedRange<Double>, up: LogScale
  ) {
    var power = axis.lowerBound
    while power <= axis.upperBound * 1.01 {
      let y = up.place(of: power)
      drawing.line(x1: x + 60, y1: y, x2: x + width - 20, y2: y, style: "grid")
      drawing.text(
        "\(Wording.grouped(power)) ns", x: x + 54, y: y + 4, style: "small", anchor: .end
      )
      power *= 10
    }
  }

  /// The powers of ten around the costs, at least two, so that noise does not look like growth.
  private static func axis(around costs: ClosedRange<Double>) -> ClosedRange<Double> {
    let low = pow(10, floor(log10(max(costs.lowerBound, 1))))
    let high = pow(10, ceil(log10(max(costs.upperBound, 10))))
    return low...max(high, low * 100)
  }

  private static func short(_ size: Int) -> String {
    switch size {
    case 1_000_000...: "\(size / 1_000_000)M"
    case 1_024: "1,024"
    case 1_000...: "\(size / 1_000)k"
    default: "\(size)"
    }
  }
}
