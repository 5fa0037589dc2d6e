/// What is said before the measuring, which takes a while.
struct Introduction {
  let suite: Suite
  let isQuick: Bool

  var text: String {
    let kinds = [
      (suite.pairs.count, "comparison"), (suite.curves.count, "curve"), (suite.rates.count, "rate"),
      (suite.memory.count, "figure of memory"),
    ]
    let counts = kinds.filter { $0.0 > 0 }.map { count, name in
      count == 1 ? "1 \(name)" : "\(count) \(Self.plural(of: name))"
    }
    return """
      Lensed beside the same work written by hand, both sides in turn in one process:
      \(counts.joined(separator: ", ")). This takes \(time).

      """
  }

  private static func plural(of name: String) -> String {
    name == "figure of memory" ? "figures of memory" : name + "s"
  }

  /// As long as it takes on two cores of 3 GHz, where nothing runs beside it.
  private var time: String {
    let seconds = Double(suite.count) * (isQuick ? 0.6 : 1.3)
    return seconds < 50
      ? "about \(max(5, Int(seconds / 5) * 5)) seconds"
      : "about \(Int((seconds / 60).rounded(.up))) minutes"
  }
}
