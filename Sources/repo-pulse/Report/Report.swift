/// A state, made to be looked at.
struct Report {
  /// What the reading took, which no two runs agree on.
  struct Cost {
    var duration: Duration
    var peakMemory: Int
  }

  let title: String
  let totals: Totals
  let shown: Findings.Shown
  var cost: Cost?

  func text(on canvas: Canvas) -> String {
    let map = shown.map.map { [""] + $0.rows(on: canvas) } ?? []
    let rows =
      summary(canvas) + [""]
      + shown.authors.rows(on: canvas) + map + shown.rhythm.rows(on: canvas)
      + shown.files.rows(on: canvas) + shown.words.rows(on: canvas)
      + (cost.map { ["", price($0, canvas)] } ?? [])
    return rows.joined(separator: "\n") + "\n"
  }

  private func summary(_ canvas: Canvas) -> [String] {
    let days = shown.map?.period
    let period = days.map { "\($0.lowerBound) to \($0.upperBound)" } ?? ""
    let merges = totals.merges == 0 ? "" : " (\(Figure.count(totals.merges, "merge")))"
    return [
      canvas.heading(DisplayText(title).shortened(to: canvas.width - 28).text, period),
      "  " + Figure.count(totals.commits, "commit") + merges + " by "
        + Figure.count(shown.authors.count, "author"),
      "  " + Figure.count(shown.files.count, "file") + ", " + canvas.lines(totals.lines)
        + " lines",
    ]
  }

  private func price(_ cost: Cost, _ canvas: Canvas) -> String {
    let commits = Figure.count(Figure.rate(totals.commits, in: cost.duration))
    let actions = Figure.count(Figure.rate(totals.actions, in: cost.duration))
    return canvas.faint(
      "\(Figure.duration(cost.duration)): \(commits) commits/s, \(actions) actions/s, "
        + "peak memory \(Figure.megabytes(cost.peakMemory))")
  }
}
