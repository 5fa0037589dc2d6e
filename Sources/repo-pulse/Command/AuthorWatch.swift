import Lensed

/// Tells what changes for one author, as it changes.
struct AuthorWatch: Sendable {
  let name: ByteString
  let output: Output
  let style: Style

  /// Ends with the store; whatever came while a line was written is one change.
  func follow(
    _ authors: StateStream<Author?>, after beginning: Author = Author()
  ) async throws {
    var previous = beginning
    for await author in authors {
      // A history that is read anew begins without the author.
      if (author?.commits ?? 0) < previous.commits { previous = Author() }
      guard let author, author != previous else { continue }
      try output.write(line(author, after: previous))
      previous = author
    }
  }

  private func line(_ author: Author, after previous: Author) -> String {
    let canvas = Canvas(style: style)
    let commits = Figure.count(author.commits - previous.commits, "commit")
    let since = author.firstDay.map { " since \($0)" } ?? ""
    return canvas.heading(DisplayText(name.text).text) + "  +" + commits + ", "
      + canvas.lines(author.lines - previous.lines) + " lines  "
      + canvas.faint("now \(Figure.count(author.commits))\(since)") + "\n"
  }
}
