/// The first few of many, in an order that does not depend on the run.
struct Ranking<Element> {
  /// How many there are.
  private(set) var count = 0
  private(set) var top: [Element] = []

  /// Largest first; those alike go by name.
  ///
  /// - Complexity: O(*n* log *k*) in the number of elements and the limit.
  init(
    _ elements: some Sequence<Element>, top limit: Int, by size: (Element) -> Int,
    named name: (Element) -> some Comparable
  ) {
    func precedes(_ left: Element, _ right: Element) -> Bool {
      (size(right), name(left)) < (size(left), name(right))
    }
    for element in elements {
      count += 1
      if top.count == limit, let last = top.last, !precedes(element, last) { continue }
      var (low, high) = (0, top.count)
      while low < high {
        let middle = (low + high) / 2
        if precedes(top[middle], element) { low = middle + 1 } else { high = middle }
      }
      top.insert(element, at: low)
      if top.count > limit { top.removeLast() }
    }
  }
}

extension Ranking: Sendable where Element: Sendable {}
extension Ranking: Equatable where Element: Equatable {}
