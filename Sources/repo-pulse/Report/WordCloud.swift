/// The words most frequent in the subjects, as many as fill three lines.
struct WordCloud: Equatable, Sendable {
  private let ranking: Ranking<Tally<String>>

  init(_ ranking: Ranking<Tally<String>>) {
    self.ranking = ranking
  }

  func rows(on canvas: Canvas) -> [String] {
    if ranking.top.isEmpty { return [] }
    var rows = [""]
    var width = 0
    for tally in ranking.top {
      let (word, figure) = (DisplayText(tally.id), Figure.count(tally.count))
      let entry = 2 + word.width + 1 + figure.count
      if width + entry > canvas.width {
        if rows.count == 3 { break }
        rows.append("")
        width = 0
      }
      rows[rows.count - 1] += "  \(word.text) \(canvas.faint(figure))"
      width += entry
    }
    return ["", canvas.heading("Words", "of the subjects")] + rows
  }
}
