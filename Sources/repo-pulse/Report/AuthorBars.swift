/// Who made the commits: a bar for each of the first, and a row that sums up all the others.
struct AuthorBars: Equatable, Sendable {
  /// The authors with the most commits, and the sum of all the others.
  struct Top: Equatable, Sendable {
    let ranking: Ranking<Author>
    let others: Author

    init(_ authors: some Sequence<Author>) {
      ranking = Ranking(authors, top: AuthorBars.limit, by: \.commits, named: \.name)
      var others = Author()
      for author in authors {
        others.commits += author.commits
        others.lines += author.lines
      }
      for author in ranking.top {
        others.commits -= author.commits
        others.lines = others.lines - author.lines
      }
      self.others = others
    }
  }

  /// One author, or the sum of several, as a line of the report.
  private struct Row: Equatable {
    let name: DisplayText
    let author: Author
    var hasBar = true
  }

  static let limit = 10

  /// How many authors there are.
  let count: Int
  private let rows: [Row]

  init(_ top: Top) {
    count = top.ranking.count
    var rows = top.ranking.top.map { author in
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
