import Foundation

/// A report as a picture.
struct Plot {
  let report: Report

  var document: String {
    let bars = BarChart(report.pairs)
    let rows = Double((report.curves.count + 2) / 3)
    let gap = 16.0
    let overview = Overview(report: report).growth
    let head = 64.0
    let barsTop = head + (overview == nil ? 0 : CurveChart.height + gap)
    let curvesTop = barsTop + bars.height
    let curvesHeight = report.curves.isEmpty ? 0 : 44 + rows * (CurveChart.height + gap)
    let ratesTop = curvesTop + curvesHeight
    let ratesHeight = report.rates.isEmpty ? 0 : 104.0
    var drawing = Drawing(width: 1_012, height: ratesTop + ratesHeight + 34)

    drawing.text("Lensed, measured against code written by hand", x: 28, y: 40, style: "title")
    if let overview {
      CurveChart(curve: overview, width: drawing.width - 56).draw(in: &drawing, x: 28, y: head)
    }
    bars.draw(in: &drawing, at: barsTop)
    if !report.curves.isEmpty {
      drawing.text(
        "Cost of one action as a size grows", x: 28, y: curvesTop + 28, style: "heading"
      )
    }
    for (index, curve) in report.curves.enumerated() {
      CurveChart(curve: curve).draw(
        in: &drawing,
        x: 28 + Double(index % 3) * (CurveChart.width + gap),
        y: curvesTop + 44 + Double(index / 3) * (CurveChart.height + gap)
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

  func write(to path: String) throws {
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
