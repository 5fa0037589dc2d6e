/// Who made the commits: a bar for each of the first, and a row that sums up all the others.
struct AuthorBars: Equatable, Sendable {
  /// The authors with the most commits, and the sum of all the others.
  struct Top: Equatable, Sendable {
    let count: Int
    let first: [Author]
    let others: Author

    init(_ authors: some Sequence<Author>) {
      let all = Ranking(authors, top: .max, by: \.commits, named: \.name)
      (count, first) = (all.count, Array(all.top.prefix(10)))
      others = all.top.dropFirst(10).reduce(into: Author()) {
        $0.commits += $1.commits
        $0.lines += $1.lines
      }
    }
  }

  /// One author, or the sum of several, as a line of the report.
  private struct Row: Equatable {
    let name: DisplayText
    let author: Author
    var hasBar = true
  }

  /// How many authors there are.
  let count: Int
  private let rows: [Row]

  init(_ top: Top) {
    count = top.count
    var rows = top.first.map { author in
      Row(
        name: DisplayText(author.name.isEmpty ? "(no name)" : author.name.text), author: author)
    }
    let others = count - rows.count
    if others > 0 {
      let name = DisplayText(Figure.count(others, "other"))
      rows.append(Row(name: name, author: top.others, hasBar: false))
    }
    self.rows = rows
  }

  func rows(on canvas: Canvas) -> [String] {
    let largest = rows.first?.author.commits ?? 0
    let names = min(rows.map(\.name.width).max() ?? 0, 24)
    let counts = rows.map { Figure.count($0.author.commits).count }.max() ?? 0
    let figures = canvas.columns(for: rows.map(\.author.lines))
    let bars = max(4, canvas.width - names - counts - 2 * figures - 9)
    return [canvas.heading("Authors", "\(Figure.count(count)), by commits")]
      + rows.map { row in
        "  " + row.name.padded(to: names) + "  "
          + Figure.count(row.author.commits).leading(counts) + "  "
          + canvas.bar(row.hasBar ? row.author.commits : 0, of: largest, columns: bars) + "  "
          + canvas.lines(row.author.lines, columns: figures)
      }
  }
}
