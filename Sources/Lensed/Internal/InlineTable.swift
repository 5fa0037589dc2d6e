/// A table that takes no memory of its own for a single entry, which is most often all there is.
///
/// - Complexity: Looking up, adding and removing are O(1).
struct InlineTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private var only: (key: Key, value: Value)?
  // The others; also the first of several, once the one above has left. Nil until there was one.
  private var others: [Key: Value]?

  var isEmpty: Bool { only == nil && others?.isEmpty != false }

  var count: Int { (only == nil ? 0 : 1) + (others?.count ?? 0) }

  var values: [Value] { (only.map { [$0.value] } ?? []) + (others ?? [:]).values }

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

  /// Takes out the entries whose values are meant, and gives these.
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
