import Foundation

/// A line on standard error with the current benchmark.
///
/// It is shown only on a terminal, not in a log.
final class ProgressLine {
  private let total: Int
  private let isShown = isatty(STDERR_FILENO) == 1
  private let begun = ContinuousClock.now
  private var done = 0
  private var title = ""

  init(total: Int) { self.total = total }

  func begin(_ title: String) {
    done += 1
    show(title)
  }

  func show(_ title: String) {
    self.title = title
    show(step: "preparing")
  }

  func round(_ round: Int, of count: Int) { show(step: "\(round + 1)/\(count)") }

  func end() {
    guard isShown else { return }
    write("\r\u{1B}[2K")
  }

  private func show(step: String) {
    guard isShown else { return }
    write(
      "\r\u{1B}[2K[\(done)/\(total), \((ContinuousClock.now - begun).components.seconds) s] \(title) \(step)"
    )
  }

  private func write(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
  }
}
