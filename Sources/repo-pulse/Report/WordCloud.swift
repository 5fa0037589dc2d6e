/// The words most frequent in the subjects, as many as fill three lines.
struct WordCloud: Equatable, Sendable {
  /// A word, and how often it was met.
  struct Entry: Equatable, Sendable {
    let word: String
    let count: Int
  }

  static let limit = 40
  private static let rowLimit = 3

  private let entries: [(word: DisplayText, figure: String)]

  init(_ ranking: Ranking<Entry>) {
    entries = ranking.top.map { (DisplayText($0.word), Figure.count($0.count)) }
  }

  static func ranking(_ words: Words) -> Ranking<Entry> {
    Ranking(
      words.counts.lazy.map { Entry(word: $0.key, count: $0.value) }, top: limit, by: \.count,
      named: \.word)
  }

  static func == (left: WordCloud, right: WordCloud) -> Bool {
    left.entries.elementsEqual(right.entries, by: ==)
  }

  func rows(on canvas: Canvas) -> [String] {
    if entries.isEmpty { return [] }
    var rows: [String] = []
    var row = ""
    var width = 0
    for (word, figure) in entries {
      let entry = word.width + 1 + figure.count
      if width + 2 + entry > canvas.width {
        rows.append(row)
        (row, width) = ("", 0)
        guard rows.count < WordCloud.rowLimit else { break }
      }
      row += "  \(word.text) \(canvas.faint(figure))"
      width += 2 + entry
    }
    if !row.isEmpty {
      rows.append(row)
    }
    return ["", canvas.heading("Words", "of the subjects")] + rows
  }
}
