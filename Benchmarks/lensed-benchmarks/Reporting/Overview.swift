import Foundation

/// The few figures that somebody wants to know who has never seen Lensed.
struct Overview {
  let report: Report

  /// What is shown, and the work by hand that it stands beside.
  private struct Row {
    let what: String
    let id: String
    let byHand: String
    /// The figure of memory that belongs to it.
    var memory: String?
  }

  private static let rows = [
    Row(
      what: "dispatch an action to two reducers", id: "dispatch",
      byHand: "a mutex around the two reducers"),
    Row(
      what: "the same, heard by one observer", id: "dispatch-observed",
      byHand: "a mutex, the reducers, a call of a closure"),
    Row(
      what: "an action of an array of 100", id: "array-100", byHand: "a loop over the reducers"),
    Row(
      what: "the same dispatch on 8 threads at once", id: "threads-8",
      byHand: "a POSIX mutex around the two reducers"),
    Row(what: "read a property", id: "read-property", byHand: "read the field under a mutex"),
    Row(what: "read the state", id: "read-state", byHand: "copy the struct under a mutex"),
    Row(
      what: "read a derived value that is up to date", id: "derived-untouched",
      byHand: "read the two properties", memory: "memory-derived"),
    Row(
      what: "start an effect and wait for its end", id: "effect",
      byHand: "start a task and wait for its end"),
    Row(
      what: "subscribe to a property, and cancel", id: "subscribe-cancel",
      byHand: "make an `AsyncStream`, and finish it", memory: "memory-subscription"),
    Row(
      what: "make a store of three properties", id: "make-store",
      byHand: "make a dictionary of three entries", memory: "memory-store"),
  ]

  /// The table; nil where the run measured nothing of it.
  var table: MarkdownTable? {
    let measured = Self.rows.compactMap { row in
      report.pairs.first { $0.id == row.id }.map { cells(of: row, $0) }
    }
    if measured.isEmpty { return nil }
    return MarkdownTable(["to", "Lensed", "in memory", "by hand", "to"], measured)
  }

  /// The rows of the picture: those of the table whose two sides do the same.
  var bars: [BarChart.Row] {
    Self.rows.filter { !["read-state", "make-store"].contains($0.id) }.compactMap { row in
      report.pairs.first { $0.id == row.id }.map {
        BarChart.Row(
          what: row.what, against: "by hand: " + row.byHand.replacing("`", with: ""), pair: $0)
      }
    }
  }

  private func cells(of row: Row, _ pair: PairResult) -> [String] {
    let bytes = report.memory.first { $0.id == row.memory }.flatMap(\.bytes)
    return [
      row.what, time(pair.subject), bytes.map(Wording.bytes) ?? "", time(pair.baseline),
      row.byHand,
    ]
  }

  private func time(_ side: SideResult) -> String {
    "\(Wording.nanoseconds(side.medianNanoseconds)) ns"
  }

  /// The cost of one dispatch as an app grows, in each direction in one picture; nil where not all was measured.
  var growth: CurveResult? {
    let named = [
      ("curve-sub-states", "properties"), ("curve-observers", "observers of others"),
      ("curve-threads", "threads at once"), ("curve-stores", "stores in turn"),
    ]
    let lines = named.compactMap { id, name in
      report.curves.first { $0.id == id }?.lines.first.map {
        CurveResult.Line(name: name, points: $0.points.filter { $0.size > 0 }, growth: $0.growth)
      }
    }
    if lines.count < named.count { return nil }
    return CurveResult(
      id: "overview", title: "What one dispatch costs as an app grows", unit: "of each",
      lines: lines, atMost: nil, headroom: nil)
  }
}
