/// The words most frequent in the subjects, as many as fill three lines.
struct WordCloud {
  static let limit = 40
  private static let rowLimit = 3

  let words: Words

  func rows(on canvas: Canvas) -> [String] {
    let ranking = Ranking(words.counts, top: WordCloud.limit, by: \.self)
    guard !ranking.top.isEmpty else { return [] }
    var rows: [String] = []
    var row = ""
    var width = 0
    for (word, count) in ranking.top {
      let word = DisplayText(word)
      let figure = Figure.count(count)
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
