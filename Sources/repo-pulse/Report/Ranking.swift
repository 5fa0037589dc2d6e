/// The first few of many, in an order that does not depend on the run.
struct Ranking<Element> {
  /// How many there are.
  let count: Int
  let top: [Element]

  /// Largest first; those alike go by name.
  init(
    _ elements: some Sequence<Element>, top limit: Int, by size: (Element) -> Int,
    named name: (Element) -> some Comparable
  ) {
    let sorted = elements.sorted { (size($1), name($0)) < (size($0), name($1)) }
    count = sorted.count
    top = Array(sorted.prefix(limit))
  }
}

extension Ranking: Sendable where Element: Sendable {}
extension Ranking: Equatable where Element: Equatable {}
