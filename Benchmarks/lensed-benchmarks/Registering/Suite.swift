/// The registered benchmarks, in the order of running and reporting.
struct Suite {
  var pairs: [Pair] = []
  var curves: [Curve] = []
  var rates: [Rate] = []
  var memory: [MemoryRow] = []

  /// The number of benchmarks.
  var count: Int { pairs.count + curves.count + rates.count + memory.count }

  var isEmpty: Bool { count == 0 }

  /// The benchmarks with one of the words in their identifier or title; all, if there are no words.
  func filtered(by words: [String]) -> Suite {
    guard !words.isEmpty else { return self }
    func matches(_ id: String, _ title: String) -> Bool {
      let text = "\(id)\n\(title)".lowercased()
      return words.contains { text.contains($0.lowercased()) }
    }
    return Suite(
      pairs: pairs.filter { matches($0.id, $0.title) },
      curves: curves.filter { matches($0.id, $0.title) },
      rates: rates.filter { matches($0.id, $0.title) },
      memory: memory.filter { matches($0.id, $0.title) }
    )
  }
}
