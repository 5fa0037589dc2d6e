import Foundation

/// A report as the tables of a Markdown document.
///
/// The document keeps its words: only what stands between the two marks is written.
struct MarkdownReport {
  let report: Report

  private static let (begin, end) = ("<!-- measured: begin -->", "<!-- measured: end -->")

  /// Writes the tables into a document, between its marks, or at its end where it has none.
  func write(to path: String) throws {
    let old = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    try document(in: old).write(toFile: path, atomically: true, encoding: .utf8)
  }

  /// A document with the tables in place of those that it had.
  func document(in old: String) -> String {
    let new = "\(Self.begin)\n\n\(text)\n\n\(Self.end)"
    guard let begin = old.range(of: Self.begin),
      let end = old.range(of: Self.end, range: begin.upperBound..<old.endIndex)
    else { return old.isEmpty ? new + "\n" : old + "\n" + new + "\n" }
    return old.replacingCharacters(in: begin.lowerBound..<end.upperBound, with: new)
  }

  private var text: String {
    var parts = [report.machine.sentence]
    if !report.pairs.isEmpty { parts.append(pairs) }
    if !report.memory.isEmpty { parts.append(memory) }
    if !report.rates.isEmpty { parts.append(rates) }
    if !report.curves.isEmpty { parts.append(curves) }
    return parts.joined(separator: "\n\n")
  }

  private var pairs: String {
    table(
      ["what / against what", "ns", "against", "ratio", "at most", "allocations", ""],
      report.pairs.map { pair in
        [
          pair.title,
          Wording.nanoseconds(pair.subject.medianNanoseconds),
          Wording.nanoseconds(pair.baseline.medianNanoseconds),
          Wording.ratio(pair.ratio),
          pair.target.map { Wording.ratio($0.atMost) } ?? "",
          Wording.allocations(pair.subject.allocationsPerAction) + " / "
            + Wording.allocations(pair.baseline.allocationsPerAction),
          Wording.verdict(pair.verdict),
        ]
      })
  }

  private var memory: String {
    table(
      ["in memory", "", "at most", ""],
      report.memory.map { row in
        [
          row.title, row.bytes.map(Wording.bytes) ?? "", Wording.bytes(row.atMost),
          Wording.verdict(row.verdict),
        ]
      })
  }

  private var rates: String {
    table(
      ["in a second", ""], report.rates.map { [$0.title, Wording.perSecond($0.perSecond)] })
  }

  private var curves: String {
    table(
      ["as a size grows, ns per action", "", "growth", "size: ns"],
      report.curves.flatMap { curve in
        curve.lines.map { line in
          [
            curve.title, line.name, line.growth.rawValue,
            line.points.map { point in
              "\(Wording.grouped(Double(point.size))): "
                + Wording.nanoseconds(point.medianNanoseconds)
            }.joined(separator: ", "),
          ]
        }
      })
  }

  private func table(_ heading: [String], _ rows: [[String]]) -> String {
    func line(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }
    let rule = "|" + String(repeating: "---|", count: heading.count)
    return ([line(heading), rule] + rows.map(line)).joined(separator: "\n")
  }
}
