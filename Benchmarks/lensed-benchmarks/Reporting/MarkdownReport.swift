import Foundation

/// A report as the tables of a Markdown document.
///
/// The document keeps its words: only what stands between two marks is written, first the overview, then all
/// that was measured.
struct MarkdownReport {
  let report: Report

  /// Writes the tables into a document, between its marks, or at its end where it has none.
  func write(to path: String) throws {
    let old = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    try document(in: old).write(toFile: path, atomically: true, encoding: .utf8)
  }

  /// A document with the tables in place of those that it had.
  func document(in old: String) -> String {
    var new = old
    if let overview = Overview(report: report).table {
      new = Self.replacing("overview", in: new, by: overview.text)
    }
    return Self.replacing("measured", in: new, by: text)
  }

  /// A document with a text between the two marks of a name, or at its end where it has none.
  private static func replacing(_ name: String, in old: String, by text: String) -> String {
    let (first, last) = ("<!-- \(name): begin -->", "<!-- \(name): end -->")
    let new = "\(first)\n\n\(text)\n\n\(last)"
    guard let begin = old.range(of: first),
      let end = old.range(of: last, range: begin.upperBound..<old.endIndex)
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
    MarkdownTable(
      ["what / against what", "ns", "against", "ratio", "at most", "aim", "allocations", ""],
      report.pairs.map { pair in
        [
          pair.title,
          Wording.nanoseconds(pair.subject.medianNanoseconds),
          Wording.nanoseconds(pair.baseline.medianNanoseconds),
          Wording.ratio(pair.ratio),
          pair.target.map { Wording.ratio($0.atMost) } ?? "",
          pair.target.map { Wording.ratio($0.aim) } ?? "",
          Wording.allocations(pair.subject.allocationsPerAction) + " / "
            + Wording.allocations(pair.baseline.allocationsPerAction),
          Wording.verdict(pair.verdict),
        ]
      }
    ).text
  }

  private var memory: String {
    MarkdownTable(
      ["in memory", "", "at most", "aim", ""],
      report.memory.map { row in
        [
          row.title, row.bytes.map(Wording.bytes) ?? "", Wording.bytes(row.atMost),
          Wording.bytes(row.aim),
          Wording.verdict(row.verdict),
        ]
      }
    ).text
  }

  private var rates: String {
    MarkdownTable(
      ["in a second", "", "middle half of the rounds"],
      report.rates.map {
        [$0.title, Wording.perSecond($0.perSecond), Wording.perSecond($0.spread)]
      }
    ).text
  }

  private var curves: String {
    MarkdownTable(
      ["as a size grows, ns per action", "", "growth", "ratio", "at most", "size: ns"],
      report.curves.flatMap { curve in
        curve.lines.enumerated().map { number, line in
          [
            curve.title, line.name, line.growth.rawValue,
            number == 0 ? curve.ratio.map(Wording.ratio) ?? "" : "",
            number == 0 ? curve.atMost.map(Wording.ratio) ?? "" : "",
            line.points.map { point in
              "\(Wording.grouped(Double(point.size))): "
                + Wording.nanoseconds(point.medianNanoseconds)
            }.joined(separator: ", "),
          ]
        }
      }
    ).text
  }
}
