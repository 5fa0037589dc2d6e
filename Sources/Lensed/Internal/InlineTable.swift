/// A table that allocates nothing for a single entry, its usual size.
///
/// - Complexity: Looking up, adding and removing are O(1).
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
