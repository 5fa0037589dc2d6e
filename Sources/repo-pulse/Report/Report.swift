/// The final state, made to be looked at.
struct Report {
  /// What the reading took, which no two runs agree on.
  struct Cost {
    var duration: Duration
    var peakMemory: Int
  }

  let title: String
  let state: PulseState
  var cost: Cost?

  func text(on canvas: Canvas) -> String {
    let map = HeatMap(state.activity.calendar).map { [""] + $0.rows(on: canvas) } ?? []
    let rows =
      summary(canvas) + [""]
      + AuthorBars(authors: state.authors).rows(on: canvas) + map
      + Rhythm(activity: state.activity).rows(on: canvas)
      + FileTable(files: state.files).rows(on: canvas)
      + WordCloud(words: state.words).rows(on: canvas)
      + (cost.map { ["", price($0, canvas)] } ?? [])
    return rows.joined(separator: "\n") + "\n"
  }

  private func summary(_ canvas: Canvas) -> [String] {
    let totals = state.totals
    let days = state.activity.calendar.keys
    let period = days.min().flatMap { first in days.max().map { "\(first) to \($0)" } } ?? ""
    let merges = totals.merges == 0 ? "" : " (\(Figure.count(totals.merges, "merge")))"
    return [
      canvas.heading(DisplayText(title).shortened(to: canvas.width - 28).text, period),
      "  " + Figure.count(totals.commits, "commit") + merges + " by "
        + Figure.count(state.authors.count, "author"),
      "  " + Figure.count(state.files.records.count, "file") + ", " + canvas.lines(totals.lines)
        + " lines",
    ]
  }

  private func price(_ cost: Cost, _ canvas: Canvas) -> String {
    let totals = state.totals
    let commits = Figure.count(Figure.rate(totals.commits, in: cost.duration))
    let actions = Figure.count(Figure.rate(totals.actions, in: cost.duration))
    return canvas.faint(
      "\(Figure.duration(cost.duration)): \(commits) commits/s, \(actions) actions/s, "
        + "peak memory \(Figure.megabytes(cost.peakMemory))")
  }
}
