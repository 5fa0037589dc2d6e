import Foundation

/// The ratios of the pairs as bars.
///
/// A bar starts at equal cost and extends to the left if Lensed costs less.
struct BarChart {
  static let rowHeight = 30.0

  let pairs: [PairResult]

  init(_ pairs: [PairResult]) { self.pairs = pairs.filter { $0.target != nil } }

  var height: Double { pairs.isEmpty ? 0 : 86 + Double(pairs.count) * Self.rowHeight }

  func draw(in drawing: inout Drawing, at top: Double) {
    guard !pairs.isEmpty else { return }
    let left = 440.0
    let right = drawing.width - 120
    let smallest = pairs.map { min($0.ratio, $0.spread.low, $0.target?.aim ?? 1) }.min() ?? 1
    let largest = pairs.map { max($0.ratio, $0.spread.high, $0.target?.atMost ?? 1) }.max() ?? 1
    let low = pow(2, floor(log2(min(smallest, 0.5))))
    let high = pow(2, ceil(log2(max(largest, 2))))
    let scale = LogScale(low...high, onto: left...right)
    let one = scale.place(of: 1)
    let first = top + 70
    let bottom = first + Double(pairs.count) * Self.rowHeight

    drawing.text("Cost compared with the same work by hand", x: 28, y: top + 22, style: "heading")
    legend(in: &drawing, at: top + 22)
    for power in Int(log2(low))...Int(log2(high)) {
      let x = scale.place(of: pow(2, Double(power)))
      drawing.line(x1: x, y1: first - 8, x2: x, y2: bottom, style: power == 0 ? "one" : "grid")
      let name = power < 0 ? "1/\(1 << -power)x" : "\(1 << power)x"
      drawing.text(name, x: x, y: first - 14, style: "small", anchor: .middle)
    }
    drawing.text("cheaper than by hand", x: one - 26, y: top + 42, style: "small", anchor: .end)
    drawing.text("more expensive", x: one + 26, y: top + 42, style: "small")
    for (index, pair) in pairs.enumerated() {
      row(pair, in: &drawing, scale: scale, at: first + Double(index) * Self.rowHeight)
    }
  }

  private func row(_ pair: PairResult, in drawing: inout Drawing, scale: LogScale, at top: Double) {
    let middle = top + Self.rowHeight / 2
    drawing.text(pair.title, x: 28, y: middle + 4, style: "label")
    let one = scale.place(of: 1)
    let end = scale.place(of: pair.ratio)
    drawing.box(
      x: min(one, end), y: middle - 7, width: max(abs(end - one), 4), height: 14, corner: 2,
      style: style(of: pair.verdict)
    )
    drawing.line(
      x1: scale.place(of: pair.spread.low), y1: middle,
      x2: scale.place(of: pair.spread.high), y2: middle, style: "spread"
    )
    if let target = pair.target {
      let most = scale.place(of: target.atMost)
      let aim = scale.place(of: target.aim)
      drawing.line(x1: most, y1: middle - 12, x2: most, y2: middle + 12, style: "mark")
      drawing.line(x1: aim, y1: middle - 12, x2: aim, y2: middle + 12, style: "aim-mark")
    }
    drawing.text(
      Wording.ratio(pair.ratio), x: drawing.width - 28, y: middle + 4,
      style: "value \(style(of: pair.verdict))", anchor: .end
    )
  }

  private func legend(in drawing: inout Drawing, at y: Double) {
    let x = drawing.width - 28
    drawing.text("at most", x: x, y: y, style: "small", anchor: .end)
    drawing.line(x1: x - 46, y1: y - 12, x2: x - 46, y2: y + 4, style: "mark")
    drawing.text("aim", x: x - 60, y: y, style: "small", anchor: .end)
    drawing.line(x1: x - 86, y1: y - 12, x2: x - 86, y2: y + 4, style: "aim-mark")
    let names = [
      ("over target", "bar-missed"), ("within target", "bar-met"), ("aim reached", "bar-aim"),
    ]
    var end = x - 106
    for (name, style) in names {
      drawing.text(name, x: end, y: y, style: "small", anchor: .end)
      end -= Double(name.count) * 6.4 + 17
      drawing.box(x: end, y: y - 9, width: 11, height: 11, corner: 2, style: style)
      end -= 14
    }
  }

  private func style(of verdict: Verdict) -> String {
    switch verdict {
    case .aim: "bar-aim"
    case .met, .noted: "bar-met"
    case .tolerated, .missed, .allocates: "bar-missed"
    }
  }
}
