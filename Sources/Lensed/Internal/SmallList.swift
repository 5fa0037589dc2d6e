/// A list that takes no memory of its own for a single element, which is most often all there is.
struct SmallList<Element: Sendable>: Sendable {
  private var first: Element?
  private var others: [Element] = []

  init() {}

  var isEmpty: Bool { first == nil }

  /// The elements as an array.
  var all: [Element] { (first.map { [$0] } ?? []) + others }

  mutating func append(_ element: Element) {
    if first == nil { first = element } else { others.append(element) }
  }

  func forEach(_ body: (Element) -> Void) {
    if let first { body(first) }
    for other in others { body(other) }
  }

  func map<Other>(_ transform: (Element) -> Other) -> SmallList<Other> {
    var list = SmallList<Other>()
    forEach { list.append(transform($0)) }
    return list
  }
}
