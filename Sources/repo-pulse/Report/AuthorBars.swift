/// Who made the commits: a bar for each of the first, and a row that sums up all the others.
struct AuthorBars {
  /// One author, or the sum of several, as a line of the report.
  private struct Row {
    let name: DisplayText
    let author: Author
    var hasBar = true
  }

  static let limit = 10

  let authors: [ByteString: Author]

  func rows(on canvas: Canvas) -> [String] {
    let ranking = Ranking(authors, top: AuthorBars.limit, by: \.commits)
    let largest = ranking.top.first?.value.commits ?? 0
    let rows = ranking.top.map(row) + sum(ranking.rest)
    let names = min(rows.map(\.name.width).max() ?? 0, 24)
    let counts = rows.map { Figure.count($0.author.commits).count }.max() ?? 0
    let figures = canvas.columns(for: rows.map(\.author.lines))
    let bars = max(4, canvas.width - names - counts - 2 * figures - 9)
    return [canvas.heading("Authors", "\(Figure.count(authors.count)), by commits")]
      + rows.map { row in
        "  " + row.name.padded(to: names) + "  "
          + Figure.count(row.author.commits).leading(counts) + "  "
          + canvas.bar(row.hasBar ? row.author.commits : 0, of: largest, columns: bars) + "  "
          + canvas.lines(row.author.lines, columns: figures)
      }
  }

  private func row(_ name: ByteString, _ author: Author) -> Row {
    Row(name: DisplayText(name.isEmpty ? "(no name)" : name.text), author: author)
  }

  private func sum(_ others: [(name: ByteString, value: Author)]) -> [Row] {
    guard !others.isEmpty else { return [] }
    let sum = others.reduce(into: Author()) { sum, other in
      sum.commits += other.value.commits
      sum.lines += other.value.lines
    }
    let name = DisplayText(Figure.count(others.count, "other"))
    return [Row(name: name, author: sum, hasBar: false)]
  }
}
