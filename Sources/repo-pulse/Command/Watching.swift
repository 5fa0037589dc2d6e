import Lensed

/// Tells what changes for one author, as it changes.
struct AuthorWatch: Sendable {
  let name: ByteString
  let output: Output
  let canvas: Canvas

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
    let commits = Figure.count(author.commits - previous.commits, "commit")
    let lines = canvas.lines(author.lines - previous.lines)
    let since = author.firstDay.map { " since \($0)" } ?? ""
    return canvas.heading(DisplayText(author.name.text).text) + "  +\(commits), \(lines) lines  "
      + canvas.faint("now \(Figure.count(author.commits))\(since)") + "\n"
  }
}

/// The line that moves while the log is read.
struct Progress: Sendable {
  let output: Output

  /// Shows the newest totals at its own pace: what comes in between, the stream leaves out.
  func follow(_ totals: StateStream<Totals>) async {
    let clock = ContinuousClock()
    let start = clock.now
    for await totals in totals where totals.commits > 0 {
      let rate = Figure.count(Figure.rate(totals.commits, in: clock.now - start))
      let reached = totals.reached.map { ", back to \($0)" } ?? ""
      let line = "reading: \(Figure.count(totals.commits, "commit"))\(reached), \(rate)/s"
      output.show(status: DisplayText(line).shortened(to: (output.width ?? 80) - 1).text)
      try? await clock.sleep(for: .milliseconds(60))
    }
    output.show(status: nil)
  }
}
