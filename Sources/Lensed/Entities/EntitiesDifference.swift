/// The difference between two versions of `Entities`, by id.
///
/// ```swift
/// let difference = new.difference(from: old)
/// for id in difference.edited { reload(id) }
/// ```
public struct EntitiesDifference<ID: Hashable> {
  /// The ids only the newer version has, in its order.
  public var inserted: [ID] = []
  /// The ids only the older version has, in its order.
  public var removed: [ID] = []
  /// The ids of both versions whose elements differ, in the order of the newer one.
  public var edited: [ID] = []
  /// Whether the elements of both versions have another order among each other.
  public var isReordered = false

  /// Creates an empty difference.
  public init() {}

  /// Whether the two versions are equal.
  public var isEmpty: Bool {
    inserted.isEmpty && removed.isEmpty && edited.isEmpty && !isReordered
  }
}

extension EntitiesDifference: Equatable, Hashable {}
extension EntitiesDifference: Sendable where ID: Sendable {}

extension Entities {
  /// The difference from an older version, with a comparison of elements.
  ///
  /// - Complexity: O(*n* + *m*).
  public func difference(
    from older: Entities, by areEquivalent: (_ newer: Element, _ older: Element) -> Bool
  ) -> EntitiesDifference<Element.ID> {
    var difference = EntitiesDifference<Element.ID>()
    var former = -1
    for element in self {
      guard let index = older.index(id: element.id) else {
        difference.inserted.append(element.id)
        continue
      }
      if !areEquivalent(element, older[index]) { difference.edited.append(element.id) }
      if index < former { difference.isReordered = true }
      former = index
    }
    if count - difference.inserted.count < older.count {
      difference.removed = older.ids.filter { !contains(id: $0) }
    }
    return difference
  }
}

extension Entities where Element: Equatable {
  /// The difference from an older version.
  ///
  /// - Complexity: O(*n* + *m*).
  public func difference(from older: Entities) -> EntitiesDifference<Element.ID> {
    difference(from: older, by: ==)
  }
}
