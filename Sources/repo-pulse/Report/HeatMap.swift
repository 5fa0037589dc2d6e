/// The last year of commits, a column for each week and a row for each day of the week.
struct HeatMap: Equatable, Sendable {
  static let weeks = 53
  private static let months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(
    separator: " ")
  private static let weekdays = ["Mon", "", "Wed", "", "Fri", "", "Sun"]
  private static let margin = 6

  /// From the first commit of all to the last.
  let period: ClosedRange<Day>
  /// Commits per day, of the days that are shown.
  private let calendar: [Day: Int]
  private let firstDay: Day
  private let thresholds: [Int]

  /// Nil when no commit has a date.
  init?(_ days: some Sequence<Tally<Day>>) {
    let calendar = Dictionary(days.lazy.map { ($0.id, $0.count) }) { $1 }
    guard let first = calendar.keys.min(), let last = calendar.keys.max() else { return nil }
    let firstDay = last + (-last.weekday - 7 * (HeatMap.weeks - 1))
    period = first...last
    self.firstDay = firstDay
    self.calendar = calendar.filter { $0.key >= firstDay }
    let counts = self.calendar.values.sorted()
    thresholds = [1, 2, 3].map { counts[$0 * (counts.count - 1) / 4] }
  }

  /// 0 for a day without commits; 4 for one of the busiest quarter of the days that have some.
  func level(of day: Day) -> Int {
    guard let commits = calendar[day], commits > 0 else { return 0 }
    return 1 + thresholds.count { $0 < commits }
  }

  func rows(on canvas: Canvas) -> [String] {
    let isWide = canvas.width >= HeatMap.margin + 2 * HeatMap.weeks + 1
    let shown = "\(max(firstDay, period.lowerBound)) to \(period.upperBound)"
    let months = canvas.faint(monthLabels(cellWidth: isWide ? 2 : 1))
    return [canvas.heading("Activity", shown), months]
      + (0..<7).map { row(weekday: $0, isWide: isWide, canvas) } + [legend(canvas)]
  }

  private func row(weekday: Int, isWide: Bool, _ canvas: Canvas) -> String {
    let days = (0..<HeatMap.weeks).map { firstDay + (7 * $0 + weekday) }.filter {
      $0 <= period.upperBound
    }
    let label = "  " + HeatMap.weekdays[weekday]
    let cells = days.map { canvas.cell(level: level(of: $0)) }
    return canvas.faint(DisplayText(label).padded(to: HeatMap.margin))
      + cells.joined(separator: isWide ? " " : "")
  }

  /// The name of each month above the week in which it begins, where there is room for it.
  private func monthLabels(cellWidth: Int) -> String {
    var line = String(repeating: " ", count: HeatMap.margin)
    for week in 0..<HeatMap.weeks {
      let column = HeatMap.margin + week * cellWidth
      let lastOfWeek = (firstDay + (7 * week + 6)).civil
      guard lastOfWeek.day <= 7, line.count < column || week == 0 else { continue }
      line += "".leading(column - line.count) + HeatMap.months[lastOfWeek.month - 1]
    }
    return line
  }

  private func legend(_ canvas: Canvas) -> String {
    let cells = (0...4).map { canvas.cell(level: $0) }.joined(separator: " ")
    let busiest = calendar.max { ($0.value, $1.key) < ($1.value, $0.key) }
    let remark = busiest.map { "   busiest: \($0.key), \(Figure.count($0.value, "commit"))" } ?? ""
    return canvas.faint("      less ") + cells + canvas.faint(" more\(remark)")
  }
}
