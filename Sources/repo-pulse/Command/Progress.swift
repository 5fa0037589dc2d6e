import Lensed

/// The line that moves while the log is read.
struct Progress: Sendable {
  private static let pace = Duration.milliseconds(60)

  let output: Output

  /// Shows the newest totals at its own pace: what comes in between, the stream leaves out.
  func follow(_ totals: StateStream<Totals>) async {
    let clock = ContinuousClock()
    let start = clock.now
    for await totals in totals where totals.commits > 0 {
      output.show(status: line(totals, after: clock.now - start))
      try? await clock.sleep(for: Progress.pace)
    }
    output.clearStatus()
  }

  private func line(_ totals: Totals, after duration: Duration) -> String {
    let rate = Figure.count(Figure.rate(totals.commits, in: duration))
    let reached = totals.reached.map { ", back to \($0)" } ?? ""
    let line = "reading: \(Figure.count(totals.commits, "commit"))\(reached), \(rate)/s"
    return DisplayText(line).shortened(to: (output.width ?? 80) - 1).text
  }
}
