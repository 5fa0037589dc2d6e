/// The list of benchmarks, for `--list`.
struct Catalogue {
  let suite: Suite

  var text: String {
    var table = TextTable([
      .leading("name"), .leading("what"), .trailing("at most"), .trailing("aim"),
      .trailing("allocations at most"),
    ])
    for pair in suite.pairs {
      table.add([
        pair.id, pair.title,
        pair.target.map { Wording.ratio($0.atMost) } ?? "",
        pair.target.map { Wording.ratio($0.aim) } ?? "",
        pair.allocations.text,
      ])
    }
    for curve in suite.curves {
      let sizes = [curve.sizes.first, curve.sizes.last].compactMap { $0 }
        .map { Wording.grouped(Double($0)) }
      table.add([
        curve.id, "\(curve.title), \(sizes.joined(separator: " to "))",
        Wording.ratio(curve.atMost), "", "",
      ])
    }
    for rate in suite.rates { table.add([rate.id, "\(rate.title), in a second", "", "", ""]) }
    for row in suite.memory {
      table.add([
        row.id, "\(row.title), in memory", Wording.bytes(row.atMost), Wording.bytes(row.aim), "",
      ])
    }
    return table.text
  }
}
