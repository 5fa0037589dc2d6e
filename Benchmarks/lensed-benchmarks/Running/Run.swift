import Foundation

/// One pass through a suite.
struct Run {
  let suite: Suite
  let effort: Effort

  func report() async throws -> Report {
    let idleThread = IdleThread()
    defer { withExtendedLifetime(idleThread) {} }
    let progress = ProgressLine(total: suite.count)
    defer { progress.end() }

    var report = Report(
      machine: .current, date: Date(), isQuick: effort.isQuick,
      backgroundLoad: try await BackgroundLoad.share()
    )
    // First, while little has been allocated and freed.
    for row in suite.memory {
      progress.begin(row.title)
      report.memory.append(try await row.measure(progress: progress.round))
    }
    for pair in suite.pairs {
      progress.begin(pair.title)
      report.pairs.append(try await pair.measure(effort, progress: progress.round))
    }
    for curve in suite.curves {
      progress.begin(curve.title)
      report.curves.append(try await curve.measure(effort, progress: progress.round))
    }
    for rate in suite.rates {
      progress.begin(rate.title)
      report.rates.append(try await rate.measure(effort, progress: progress.round))
    }
    for _ in 1..<effort.attempts { try await measureMissedAgain(&report, progress) }
    return report
  }

  /// Measures what has missed its target once more, and keeps the least ratio.
  ///
  /// It comes after all of the others: what disturbed a row disturbs it still, if it is measured again at once.
  private func measureMissedAgain(_ report: inout Report, _ progress: ProgressLine) async throws {
    for (place, pair) in suite.pairs.enumerated()
    where report.pairs[place].verdict == .missed {
      progress.show(pair.title)
      let other = try await pair.measure(effort, progress: progress.round)
      if other.verdict == .allocates || other.ratio < report.pairs[place].ratio {
        report.pairs[place] = other
      }
    }
    for (place, curve) in suite.curves.enumerated()
    where report.curves[place].verdict == .missed {
      progress.show(curve.title)
      let other = try await curve.measure(effort, progress: progress.round)
      if let ratio = other.ratio, ratio < report.curves[place].ratio ?? .infinity {
        report.curves[place] = other
      }
    }
  }
}
