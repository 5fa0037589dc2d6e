import Foundation

/// A curve in a panel with logarithmic axes; a constant cost is a horizontal line.
struct CurveChart {
  static let width = 366.0
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
      Double(least)...Double(most), onto: (x + 70)...(x + width - 24), withZero: least == 0
    )
    let keys = keys(from: x + 14, y + 44)
    let up = LogScale(
      axis, onto: ((keys.last?.y ?? y + 44) + 18)...(y + Self.height - 40), reversed: true)
    grid(in: &drawing, x: x, axis: axis, up: up)
    // From the largest, and none that runs into its neighbour.
    var free = Double.infinity
    for size in Set(points.map(\.size)).sorted(by: >) {
      let (name, place) = (Self.short(size), across.place(of: Double(size)))
      let half = Drawing.width(of: name, style: "small") / 2
      if place + half + 4 > free { continue }
      free = place - half
      drawing.text(name, x: place, y: y + Self.height - 22, style: "small", anchor: .middle)
    }
    drawing.text(
      curve.unit, x: x + width - 14, y: y + Self.height - 7, style: "small", anchor: .end
    )
    for (index, line) in curve.lines.enumerated() {
      drawing.dot(x: keys[index].x + 4, y: keys[index].y - 4, radius: 4, style: "dot-\(index)")
      drawing.text(
        Self.key(of: line), x: keys[index].x + 13, y: keys[index].y, style: "small")
      let places = line.points.map {
        (x: across.place(of: Double($0.size)), y: up.place(of: $0.medianNanoseconds))
      }
      drawing.path(places, style: "line-\(index)")
      for place in places {
        drawing.dot(x: place.x, y: place.y, radius: 3.5, style: "dot-\(index)")
      }
    }
  }

  private static func key(of line: CurveResult.Line) -> String {
    "\(line.name): \(line.growth.rawValue)"
  }

  /// The places of the lines' names: beside each other, and in a further row where they have no room.
  private func keys(from left: Double, _ top: Double) -> [(x: Double, y: Double)] {
    var (x, y) = (left, top)
    return curve.lines.map { line in
      let wide = 13 + Drawing.width(of: Self.key(of: line), style: "small") + 14
      if x + wide > left + width - 28 && x > left { (x, y) = (left, y + 16) }
      defer { x += wide }
      return (x, y)
    }
  }

  private func grid(
    in drawing: inout Drawing, x: Double, axis: ClosedRange<Double>, up: LogScale
  ) {
    var power = axis.lowerBound
    while power <= axis.upperBound * 1.01 {
      let y = up.place(of: power)
      drawing.line(x1: x + 70, y1: y, x2: x + width - 24, y2: y, style: "grid")
      drawing.text(
        Self.time(power), x: x + 64, y: y + 4, style: "small", anchor: .end
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

  /// A power of ten, in nanoseconds, as short as it can be said.
  private static func time(_ nanoseconds: Double) -> String {
    switch nanoseconds {
    case 1e6...: "\(Wording.grouped(nanoseconds / 1e6)) ms"
    case 1e3...: "\(Wording.grouped(nanoseconds / 1e3)) µs"
    default: "\(Wording.grouped(nanoseconds)) ns"
    }
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
