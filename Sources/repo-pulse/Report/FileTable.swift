/// The files that changed most often, under the names they have today.
struct FileTable {
  static let limit = 10

  let files: Files

  func rows(on canvas: Canvas) -> [String] {
    let ranking = Ranking(files.records, top: FileTable.limit, by: \.changes)
    guard let largest = ranking.top.first?.value.changes else { return [] }
    let counts = Figure.count(largest).count
    let figures = canvas.columns(for: ranking.top.map(\.value.lines))
    let bars = 12
    let paths = max(16, canvas.width - counts - bars - 2 * figures - 9)
    return [
      "",
      canvas.heading(
        "Files", "\(Figure.count(files.records.count)), by commits that changed them"),
    ]
      + ranking.top.map { path, record in
        "  " + Figure.count(record.changes).leading(counts) + "  "
          + canvas.bar(record.changes, of: largest, columns: bars) + "  "
          + DisplayText(path.text).shortenedAtStart(to: paths).padded(to: paths) + "  "
          + canvas.lines(record.lines, columns: figures)
      }
  }
}
