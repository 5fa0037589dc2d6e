import Foundation

/// Ratios as bars, with what they compare in a column of its own.
///
/// A bar starts at equal cost and extends to the left if Lensed costs less.
struct BarChart {
  static let rowHeight = 36.0

  /// What is compared, in two lines, and how it came out.
  struct Row {
    let what: String
    let against: String
    let pair: PairResult
  }

  let rows: [Row]
  /// Whether the limits and the aims are shown.
  let showsTargets: Bool

  /// All pairs that have a limit.
  init(_ pairs: [PairResult]) {
    rows = pairs.filter { $0.target != nil }.map { pair in
      let halves = pair.title.components(separatedBy: " / ")
      let others = halves.dropFirst().joined(separator: " / ")
      return Row(what: halves[0], against: others.isEmpty ? "" : "/ \(others)", pair: pair)
    }
    showsTargets = true
  }

  /// A few, in the words of somebody who has never seen Lensed.
  init(rows: [Row]) {
    self.rows = rows
    showsTargets = false
  }

  var height: Double { rows.isEmpty ? 0 : 86 + Double(rows.count) * Self.rowHeight }

  /// Where the bars begin, right of the widest text.
  private var left: Double {
    let widths = rows.flatMap {
      [
        Drawing.width(of: $0.what, style: "label"), Drawing.width(of: $0.against, style: "small"),
      ]
    }
    return 28 + (widths.max() ?? 0) + 20
  }

  /// The least width of a drawing that has room for the texts and for the bars.
  var width: Double { left + 380 + Self.values }

  /// The room for the figures at the right.
  private static let values = 170.0

  func draw(in drawing: inout Drawing, at top: Double) {
    guard !rows.isEmpty else { return }
    let right = drawing.width - Self.values
    let costs = rows.flatMap { row in
      let target = showsTargets ? row.pair.target : nil
      return [
        row.pair.ratio, row.pair.spread.low, row.pair.spread.high, target?.aim ?? 1,
        target?.atMost ?? 1,
      ]
    }
    let low = pow(2, floor(log2(min(costs.min() ?? 1, 0.5))))
    let high = pow(2, ceil(log2(max(costs.max() ?? 1, 2))))
    let scale = LogScale(low...high, onto: left...right)
    let one = scale.place(of: 1)
    let first = top + 70
    let bottom = first + Double(rows.count) * Self.rowHeight

    drawing.text("Cost compared with the same work by hand", x: 28, y: top + 22, style: "heading")
    if showsTargets { legend(in: &drawing, at: top + 22) }
    let powers = Int(log2(low))...Int(log2(high))
    // Where they stand close, every other one has its name.
    let step = (right - left) / Double(powers.count) < 44 ? 2 : 1
    for power in powers {
      let x = scale.place(of: pow(2, Double(power)))
      drawing.line(x1: x, y1: first - 8, x2: x, y2: bottom, style: power == 0 ? "one" : "grid")
      if !power.isMultiple(of: step) { continue }
      let name = power < 0 ? "1/\(1 << -power)x" : "\(1 << power)x"
      drawing.text(name, x: x, y: first - 14, style: "small", anchor: .middle)
    }
    drawing.text("cheaper", x: one - 12, y: top + 42, style: "small", anchor: .end)
    drawing.text("more expensive", x: one + 12, y: top + 42, style: "small")
    for (index, row) in rows.enumerated() {
      draw(row, in: &drawing, scale: scale, at: first + Double(index) * Self.rowHeight)
    }
  }

  private func draw(_ row: Row, in drawing: inout Drawing, scale: LogScale, at top: Double) {
    let (middle, pair) = (top + Self.rowHeight / 2, row.pair)
    drawing.text(row.what, x: 28, y: middle - 2, style: "label")
    drawing.text(row.against, x: 28, y: middle + 12, style: "small")
    let one = scale.place(of: 1)
    let end = scale.place(of: pair.ratio)
    let style = showsTargets ? style(of: pair.verdict) : "bar-met"
    drawing.box(
      x: min(one, end), y: middle - 7, width: max(abs(end - one), 4), height: 14, corner: 2,
      style: style)
    drawing.line(
      x1: scale.place(of: pair.spread.low), y1: middle,
      x2: scale.place(of: pair.spread.high), y2: middle, style: "spread")
    if showsTargets, let target = pair.target {
      let most = scale.place(of: target.atMost)
      let aim = scale.place(of: target.aim)
      drawing.line(x1: most, y1: middle - 12, x2: most, y2: middle + 12, style: "mark")
      drawing.line(x1: aim, y1: middle - 12, x2: aim, y2: middle + 12, style: "aim-mark")
    }
    let nanoseconds = showsTargets ? "" : Wording.nanoseconds(pair.subject.medianNanoseconds)
    drawing.text(
      nanoseconds.isEmpty
        ? Wording.ratio(pair.ratio) : "\(nanoseconds) ns, \(Wording.ratio(pair.ratio))",
      x: drawing.width - 28, y: middle + 4, style: "value \(style)", anchor: .end)
  }

  private func legend(in drawing: inout Drawing, at y: Double) {
    var end = drawing.width - 28
    func place(_ name: String, _ mark: (inout Drawing, Double) -> Void) {
      drawing.text(name, x: end, y: y, style: "small", anchor: .end)
      end -= Drawing.width(of: name, style: "small") + 8
      mark(&drawing, end)
      end -= 22
    }
    for (name, style) in [("at most", "mark"), ("aim", "aim-mark")] {
      place(name) { $0.line(x1: $1, y1: y - 12, x2: $1, y2: y + 4, style: style) }
    }
    let names = [
      ("over target", "bar-missed"), ("within target", "bar-met"), ("aim reached", "bar-aim"),
    ]
    for (name, style) in names {
      place(name) { $0.box(x: $1 - 8, y: y - 9, width: 11, height: 11, corner: 2, style: style) }
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
