/// The files that changed most often, under the names they have today.
struct FileTable: Equatable, Sendable {
  private struct Row: Equatable {
    let path: DisplayText
    let changes: Int
    let lines: Lines
  }

  /// How many files there are.
  let count: Int
  private let rows: [Row]

  init(_ ranking: Ranking<File>) {
    count = ranking.count
    rows = ranking.top.map { file in
      Row(path: DisplayText(file.name.text), changes: file.changes, lines: file.lines)
    }
  }

  func rows(on canvas: Canvas) -> [String] {
    guard let largest = rows.first?.changes else { return [] }
    let counts = Figure.count(largest).count
    let figures = canvas.columns(for: rows.map(\.lines))
    let bars = 12
    let paths = max(16, canvas.width - counts - bars - 2 * figures - 9)
    let remark = "\(Figure.count(count)), by commits that changed them"
    return ["", canvas.heading("Files", remark)]
      + rows.map { row in
        "  " + Figure.count(row.changes).leading(counts) + "  "
          + canvas.bar(row.changes, of: largest, columns: bars) + "  "
          + row.path.shortenedAtStart(to: paths).padded(to: paths) + "  "
          + canvas.lines(row.lines, columns: figures)
      }
  }
}
