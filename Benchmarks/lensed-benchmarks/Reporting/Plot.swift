import Foundation

/// A report as a picture.
struct Plot {
  let report: Report

  var document: String {
    let bars = BarChart(report.pairs)
    let width = max(1_012, bars.width)
    let gap = 16.0
    let columns = max(1, Int((width - 56 + gap) / (CurveChart.width + gap)))
    let rows = Double((report.curves.count + columns - 1) / columns)
    let barsTop = 64.0
    let curvesTop = barsTop + bars.height
    let curvesHeight = report.curves.isEmpty ? 0 : 44 + rows * (CurveChart.height + gap)
    let ratesTop = curvesTop + curvesHeight
    let ratesHeight = report.rates.isEmpty ? 0 : 104.0
    var drawing = Drawing(width: width, height: ratesTop + ratesHeight + 34)

    drawing.text("Lensed, measured against code written by hand", x: 28, y: 40, style: "title")
    bars.draw(in: &drawing, at: barsTop)
    if !report.curves.isEmpty {
      drawing.text(
        "Cost of one action as a size grows", x: 28, y: curvesTop + 28, style: "heading"
      )
    }
    for (index, curve) in report.curves.enumerated() {
      CurveChart(curve: curve).draw(
        in: &drawing,
        x: 28 + Double(index % columns) * (CurveChart.width + gap),
        y: curvesTop + 44 + Double(index / columns) * (CurveChart.height + gap)
      )
    }
    rates(in: &drawing, at: ratesTop)
    drawing.text(
      "\(report.machine.sentence)\(report.isQuick ? "; quick run" : "")",
      x: 28, y: drawing.height - 14, style: "small"
    )
    return drawing.document(
      title: "Lensed, measured against code written by hand",
      styleSheet: Palette.styleSheet
    )
  }

  /// The few figures of the overview, on one screen.
  var overview: String {
    let overview = Overview(report: report)
    let (bars, growth) = (BarChart(rows: overview.bars), overview.growth)
    let barsTop = 64 + (growth == nil ? 0 : CurveChart.height + 16)
    var drawing = Drawing(width: max(1_012, bars.width), height: barsTop + bars.height + 34)
    drawing.text("Lensed, measured against code written by hand", x: 28, y: 40, style: "title")
    if let growth {
      CurveChart(curve: growth, width: drawing.width - 56).draw(in: &drawing, x: 28, y: 64)
    }
    bars.draw(in: &drawing, at: barsTop)
    drawing.text(report.machine.sentence, x: 28, y: drawing.height - 14, style: "small")
    return drawing.document(
      title: "Lensed, measured against code written by hand",
      styleSheet: Palette.styleSheet
    )
  }

  static func write(_ document: String, to path: String) throws {
    try Data(document.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
  }

  private func rates(in drawing: inout Drawing, at top: Double) {
    guard !report.rates.isEmpty else { return }
    drawing.text("In one second", x: 28, y: top + 22, style: "heading")
    let width = (drawing.width - 56) / Double(report.rates.count)
    for (index, rate) in report.rates.enumerated() {
      let x = 28 + Double(index) * width
      drawing.text(
        Wording.perSecond(rate.perSecond).replacingOccurrences(of: "/s", with: ""),
        x: x, y: top + 56, style: "big"
      )
      drawing.text(rate.title, x: x, y: top + 76, style: "small")
    }
  }
}
