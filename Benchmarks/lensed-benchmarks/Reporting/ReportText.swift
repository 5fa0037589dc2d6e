/// A report as text for a terminal.
struct ReportText {
  let report: Report

  var text: String {
    var parts = [report.machine.sentence]
    if !report.pairs.isEmpty { parts.append(pairs) }
    if !report.curves.isEmpty { parts.append(curves) }
    if !report.memory.isEmpty { parts.append(memory) }
    if !report.rates.isEmpty { parts.append(rates) }
    parts.append(summary)
    return parts.joined(separator: "\n\n")
  }

  private var pairs: String {
    var table = TextTable([
      .leading("what / against what"),
      .trailing("median ns"), .trailing("min"),
      .trailing("against"), .trailing("min"),
      .trailing("ratio"), .trailing("middle half"),
      .trailing("allocs"), .trailing("against"),
      .trailing("at most"), .trailing("aim"),
      .leading("verdict"),
    ])
    for pair in report.pairs {
      table.add([
        pair.title,
        Wording.nanoseconds(pair.subject.medianNanoseconds),
        Wording.nanoseconds(pair.subject.minimumNanoseconds),
        Wording.nanoseconds(pair.baseline.medianNanoseconds),
        Wording.nanoseconds(pair.baseline.minimumNanoseconds),
        Wording.ratio(pair.ratio),
        "\(Wording.ratio(pair.spread.low)) to \(Wording.ratio(pair.spread.high))",
        Wording.allocations(pair.subject.allocationsPerAction),
        Wording.allocations(pair.baseline.allocationsPerAction),
        pair.target.map { Wording.ratio($0.atMost) } ?? limit(of: pair),
        pair.target.map { Wording.ratio($0.aim) } ?? "",
        Wording.verdict(pair.verdict),
      ])
    }
    return table.text
  }

  private var curves: String {
    var table = TextTable([
      .leading("curve, ns per action"), .leading("line"), .leading("growth"),
      .leading("size: median ns"),
    ])
    for curve in report.curves {
      for line in curve.lines {
        table.add([
          curve.title, line.name, line.growth.rawValue,
          line.points.map { point in
            "\(Wording.grouped(Double(point.size))): "
              + Wording.nanoseconds(point.medianNanoseconds)
          }.joined(separator: "  "),
        ])
      }
    }
    return table.text
  }

  private var memory: String {
    var table = TextTable([
      .leading("in memory"), .trailing("bytes"), .trailing("at most"), .trailing("aim"),
      .leading("verdict"),
    ])
    for row in report.memory {
      table.add([
        row.title, row.bytes.map(Wording.bytes) ?? "", Wording.bytes(row.atMost),
        Wording.bytes(row.aim), Wording.verdict(row.verdict),
      ])
    }
    return table.text
  }

  private var rates: String {
    var table = TextTable([
      .leading("rate"), .trailing("in a second"), .trailing("middle half"),
    ])
    for rate in report.rates {
      table.add([
        rate.title, Wording.perSecond(rate.perSecond), Wording.perSecond(rate.spread),
      ])
    }
    return table.text
  }

  private var summary: String {
    var lines: [String] = []
    if report.pairs.contains(where: { $0.subject.allocations == nil }) {
      lines.append("Allocations cannot be counted in this build; their column is empty.")
    }
    let headroom = report.pairs.map(\.headroom).max() ?? 1
    if headroom > 1 {
      lines.append("A quick run: ratios may exceed their target by \(headroom)x before they fail.")
    }
    if let backgroundLoad = report.backgroundLoad, backgroundLoad > 0.1 {
      lines.append(
        "Other processes used \(Int(backgroundLoad * 100))% of the machine before this run: do not "
          + "trust the ratios, least of all those of several threads."
      )
    }
    let failures = report.failures
    for curve in report.rises {
      lines.append(
        "  \(curve.id): \(Wording.ratio(curve.ratio ?? 0)) at the largest size, where at most "
          + "\(Wording.ratio(curve.atMost ?? 0)) passes")
    }
    for row in report.excesses {
      let (bytes, most) = (Wording.bytes(row.bytes ?? 0), Wording.bytes(row.atMost))
      lines.append("\(row.id): \(bytes), over the target of \(most).")
    }
    if report.pairs.isEmpty {
      lines.append("No benchmark here has a target.")
    } else if !report.misses {
      lines.append("All targets are met.")
    } else if !failures.isEmpty {
      lines.append("\(failures.count) of \(report.pairs.count) miss their target:")
      for pair in failures { lines.append("  \(pair.id): \(reason(pair))") }
    }
    return lines.joined(separator: "\n")
  }

  private func limit(of pair: PairResult) -> String {
    pair.allocationLimit.isNone ? "" : "\(pair.allocationLimit.text) allocs"
  }

  private func reason(_ pair: PairResult) -> String {
    if pair.verdict == .allocates {
      return "\(Wording.grouped(Double(pair.subject.allocations ?? 0))) and "
        + "\(Wording.grouped(Double(pair.baseline.allocations ?? 0))) allocations in "
        + "\(Wording.grouped(Double(pair.subject.actions))) actions, where at most "
        + "\(pair.allocationLimit.text) an action pass (\(pair.subject.name), \(pair.baseline.name))"
    }
    let most = pair.target?.atMost ?? .nan
    return "\(Wording.ratio(pair.ratio)), over the target of \(Wording.ratio(most))"
  }
}
