/// A list that allocates nothing for a single element, its usual length.
enum InlineList<Element: Sendable>: Sendable {
  case none
  case one(Element)
  case several([Element])

  init() { self = .none }

  /// The elements of an array; a single one is stored without it.
  init(_ elements: [Element]) {
    switch elements.count {
    case 0: self = .none
    case 1: self = .one(elements[0])
    default: self = .several(elements)
    }
  }

  var isEmpty: Bool {
    if case .none = self { true } else { false }
  }

  /// The elements as an array.
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

  func first(where isMeant: (Element) -> Bool) -> Element? {
    switch self {
    case .none: nil
    case .one(let element): isMeant(element) ? element : nil
    case .several(let elements): elements.first(where: isMeant)
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

// MARK: Tables

/// A table that allocates nothing for a single entry, its usual size; looking up, adding and removing are O(1).
struct InlineTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private var only: (key: Key, value: Value)?
  // The further entries; after `only` was removed, all of them. Nil until there was one.
  private var others: [Key: Value]?

  var isEmpty: Bool { only == nil && others?.isEmpty != false }

  var count: Int { (only == nil ? 0 : 1) + (others?.count ?? 0) }

  var values: [Value] { (only.map { [$0.value] } ?? []) + (others ?? [:]).values }

  func contains(where isMeant: (Value) -> Bool) -> Bool {
    if let only, isMeant(only.value) { return true }
    return others?.values.contains(where: isMeant) ?? false
  }

  subscript(key: Key) -> Value? {
    get {
      if let only, only.key == key { return only.value }
      return others?[key]
    }
    set {
      if only?.key == key {
        only = newValue.map { (key, $0) }
      } else if let newValue, isEmpty {
        only = (key, newValue)
      } else if newValue != nil || others != nil {
        others = others ?? [:]
        others?[key] = newValue
      }
    }
  }

  /// Removes the entries whose values satisfy a predicate, and returns those values.
  mutating func removeAll(where isMeant: (Value) -> Bool) -> InlineList<Value> {
    var removed = InlineList<Value>()
    if let value = only?.value, isMeant(value) {
      removed.append(value)
      only = nil
    }
    others = others?.filter { _, value in
      let stays = !isMeant(value)
      if !stays { removed.append(value) }
      return stays
    }
    return removed
  }
}
