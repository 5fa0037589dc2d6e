import Lensed

/// The hours of the day and the years in which the work was done, a column for each.
struct Rhythm: Equatable, Sendable {
  /// The hours, drawn; nil where no commit has one.
  private let hours: String?
  /// Commits per year.
  private let years: [Int: Int]

  init(hours: Entities<Tally<Int>>, years: [Int: Int]) {
    let largest = hours.map(\.count).max()
    self.hours = largest.map { largest in
      (0..<24).map { Figure.column(hours[id: $0]?.count ?? 0, of: largest) }.joined()
    }
    self.years = years
  }

  static func years(of days: Entities<Tally<Day>>) -> [Int: Int] {
    days.reduce(into: [:]) { $0[$1.id.civil.year, default: 0] += $1.count }
  }

  func rows(on canvas: Canvas) -> [String] {
    guard let hours else { return [] }
    let line = canvas.faint("  Hours    ") + canvas.paint(hours, .bar)
    return ["", line, canvas.faint("           0     6     12    18")] + yearRows(canvas)
  }

  /// One line, for the latest years that it has room for.
  private func yearRows(_ canvas: Canvas) -> [String] {
    guard let first = years.keys.min(), let last = years.keys.max(), first < last else {
      return []
    }
    let start = max(first, last - (canvas.width - 24))
    let largest = years.values.max() ?? 0
    let columns = (start...last).map { Figure.column(years[$0] ?? 0, of: largest) }.joined()
    let period = canvas.faint("  \(start) to \(last)")
    return [canvas.faint("  Years    ") + canvas.paint(columns, .bar) + period]
  }
}
