/// Everything that is registered, in the order in which it is run and shown.
struct Suite {
  var pairs: [Pair] = []
  var curves: [Curve] = []
  var rates: [Rate] = []

  var isEmpty: Bool { pairs.isEmpty && curves.isEmpty && rates.isEmpty }

  /// What has one of the words in its identifier or title; all of it when there are no words.
  func filtered(by words: [String]) -> Suite {
    guard !words.isEmpty else { return self }
    func matches(_ id: String, _ title: String) -> Bool {
      let text = "\(id)\n\(title)".lowercased()
      return words.contains { text.contains($0.lowercased()) }
    }
    return Suite(
      pairs: pairs.filter { matches($0.id, $0.title) },
      curves: curves.filter { matches($0.id, $0.title) },
      rates: rates.filter { matches($0.id, $0.title) }
    )
  }
}
