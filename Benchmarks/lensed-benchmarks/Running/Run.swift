import Foundation

/// One pass through a suite.
struct Run {
  let suite: Suite
  let effort: Effort

  func report() async throws -> Report {
    let company = Company()
    defer { withExtendedLifetime(company) {} }
    let progress = Progress(
      total: suite.pairs.count + suite.curves.count + suite.rates.count
    )
    defer { progress.end() }

    var report = Report(machine: .current, date: Date(), isQuick: effort.isQuick)
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
    return report
  }
}
