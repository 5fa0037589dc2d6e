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
      var result = try await pair.measure(effort, progress: progress.round)
      for _ in 1..<effort.attempts where result.verdict == .missed {
        let other = try await pair.measure(effort, progress: progress.round)
        if other.verdict == .allocates || other.ratio < result.ratio { result = other }
      }
      report.pairs.append(result)
    }
    for curve in suite.curves {
      progress.begin(curve.title)
      var result = try await curve.measure(effort, progress: progress.round)
      for _ in 1..<effort.attempts where result.verdict == .missed {
        let other = try await curve.measure(effort, progress: progress.round)
        if let ratio = other.ratio, ratio < result.ratio ?? .infinity { result = other }
      }
      report.curves.append(result)
    }
    for rate in suite.rates {
      progress.begin(rate.title)
      report.rates.append(try await rate.measure(effort, progress: progress.round))
    }
    return report
  }
}
