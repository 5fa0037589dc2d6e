/// A list that allocates nothing for a single element, its usual length.
@usableFromInline
enum InlineList<Element: Sendable>: Sendable {
  case none
  case one(Element)
  case several([Element])

  init() {
    self = .none
  }

  /// The elements of an array; a single one is stored without it.
  @usableFromInline
  init(_ elements: [Element]) {
    switch elements.count {
    case 0: self = .none
    case 1: self = .one(elements[0])
    default: self = .several(elements)
    }
  }

  @usableFromInline
  var isEmpty: Bool {
    if case .none = self { true } else { false }
  }

  /// The elements as an array.
  @usableFromInline
  var all: [Element] {
    switch self {
    case .none: []
    case .one(let element): [element]
    case .several(let elements): elements
    }
  }

  /// The element of a list of one.
  var only: Element? {
    if case .one(let element) = self { element } else { nil }
  }

  mutating func append(_ element: Element) {
    switch consume self {
    case .none:
      self = .one(element)
    case .one(let first):
      self = .several([first, element])
    case .several(var elements):
      elements.append(element)
      self = .several(elements)
    }
  }

  func forEach(_ body: (Element) -> Void) {
    switch self {
    case .none: break
    case .one(let element): body(element)
    case .several(let elements): elements.forEach(body)
    }
  }

  func map<Other>(_ transform: (Element) -> Other) -> InlineList<Other> {
    switch self {
    case .none: .none
    case .one(let element): .one(transform(element))
    case .several(let elements): .several(elements.map(transform))
    }
  }
}

extension InlineList where Element: Equatable {
  func contains(_ element: Element) -> Bool {
    switch self {
    case .none: false
    case .one(let only): only == element
    case .several(let elements): elements.contains(element)
    }
  }
}
