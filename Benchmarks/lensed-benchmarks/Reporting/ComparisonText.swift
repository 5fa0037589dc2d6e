import Foundation

/// A comparison of a report with an earlier one, as text.
struct ComparisonText {
  let now: Report
  let then: Report

  var text: String {
    var parts = ["Compared with \(then.date.formatted(.iso8601)) (\(then.machine.sentence)):"]
    if !now.pairs.isEmpty { parts.append(pairs) }
    if !now.curves.isEmpty { parts.append(curves) }
    if !now.rates.isEmpty { parts.append(rates) }
    return parts.joined(separator: "\n\n")
  }

  private var pairs: String {
    var table = TextTable([
      .leading("pair"), .trailing("ns now"), .trailing("then"), .trailing("now/then"),
      .trailing("ratio now"), .trailing("then"), .trailing("now/then"),
      .trailing("allocs now"), .trailing("then"),
    ])
    for pair in now.pairs {
      let old = then.pairs.first { $0.id == pair.id }
      table.add([
        pair.id,
        Wording.nanoseconds(pair.subject.medianNanoseconds),
        old.map { Wording.nanoseconds($0.subject.medianNanoseconds) } ?? "new",
        change(pair.subject.medianNanoseconds, old?.subject.medianNanoseconds),
        Wording.ratio(pair.ratio),
        old.map { Wording.ratio($0.ratio) } ?? "",
        change(pair.ratio, old?.ratio),
        Wording.allocations(pair.subject.allocationsPerAction),
        old.map { Wording.allocations($0.subject.allocationsPerAction) } ?? "",
      ])
    }
    return table.text
  }

  private var curves: String {
    var table = TextTable([
      .leading("curve, last point"), .leading("line"), .trailing("ns now"), .trailing("then"),
      .trailing("now/then"), .leading("growth now"), .leading("then"),
    ])
    for curve in now.curves {
      let before = then.curves.first { $0.id == curve.id }
      for line in curve.lines {
        let old = before?.lines.first { $0.name == line.name }
        let last = line.points.last?.medianNanoseconds
        let oldLast = old?.points.last?.medianNanoseconds
        table.add([
          curve.id, line.name,
          last.map(Wording.nanoseconds) ?? "",
          oldLast.map(Wording.nanoseconds) ?? "new",
          last.map { change($0, oldLast) } ?? "",
          line.growth.rawValue,
          old?.growth.rawValue ?? "",
        ])
      }
    }
    return table.text
  }

  private var rates: String {
    var table = TextTable([
      .leading("rate"), .trailing("now"), .trailing("then"), .trailing("now/then"),
    ])
    for rate in now.rates {
      let old = then.rates.first { $0.id == rate.id }
      table.add([
        rate.title, Wording.perSecond(rate.perSecond),
        old.map { Wording.perSecond($0.perSecond) } ?? "new",
        change(rate.perSecond, old?.perSecond),
      ])
    }
    return table.text
  }

  private func change(_ now: Double, _ then: Double?) -> String {
    then.map { Wording.ratio(now / $0) } ?? ""
  }
}
