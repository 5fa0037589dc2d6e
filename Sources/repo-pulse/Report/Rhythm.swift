/// The hours of the day and the years in which the work was done, a column for each.
struct Rhythm {
  let activity: Activity

  func rows(on canvas: Canvas) -> [String] {
    guard activity.clock.contains(where: { $0 > 0 }) else { return [] }
    return ["", hours(canvas), canvas.faint("           0     6     12    18")] + years(canvas)
  }

  private func hours(_ canvas: Canvas) -> String {
    let largest = activity.clock.max() ?? 0
    let columns = activity.clock.map { Figure.column($0, of: largest) }.joined()
    return canvas.faint("  Hours    ") + canvas.style.paint(columns, .bar)
  }

  /// One line, for the latest years that it has room for.
  private func years(_ canvas: Canvas) -> [String] {
    var commits: [Int: Int] = [:]
    for (day, count) in activity.calendar {
      commits[day.civil.year, default: 0] += count
    }
    guard let first = commits.keys.min(), let last = commits.keys.max(), first < last else {
      return []
    }
    let start = max(first, last - (canvas.width - 24))
    let largest = commits.values.max() ?? 0
    let columns = (start...last).map { Figure.column(commits[$0] ?? 0, of: largest) }.joined()
    return [
      canvas.faint("  Years    ") + canvas.style.paint(columns, .bar)
        + canvas.faint("  \(start) to \(last)")
    ]
  }
}
