/// A collection whose elements are found by id: `Entities`, their sorted form, an array of `Identifiable` elements, a
/// dictionary.
///
/// Its elements are *rows* of a store's state, which are read and observed one by one. Not for you to conform to.
public protocol RowCollection<RowID, Row> {
  /// The id of an element; in a dictionary, its key.
  associatedtype RowID: Hashable
  /// An element; in a dictionary, a value.
  associatedtype Row

  /// The element with an id; nil if there is none.
  func row(id: RowID) -> Row?

  /// Hands out the elements with their ids, in their order; those of a dictionary in any order.
  func forEachRow(_ body: (RowID, Row) -> Void)

  /// Whether the order of the elements means something.
  static var isOrdered: Bool { get }

  /// The difference from an older version.
  func difference(
    fromRows older: Self, by areEquivalent: (_ newer: Row, _ older: Row) -> Bool
  ) -> EntitiesDifference<RowID>
}

extension RowCollection where Self: Sequence, Element == Row, Row: Identifiable, RowID == Row.ID {
  /// Hands out the elements with their ids, in their order.
  public func forEachRow(_ body: (RowID, Row) -> Void) {
    for element in self { body(element.id, element) }
  }
}

extension RowCollection {
  /// Whether the order of the elements means something: in all but dictionaries.
  public static var isOrdered: Bool { true }

  /// The difference from an older version, by a look at every element.
  ///
  /// - Complexity: O(*n* + *m*), and O(*n* log *n*) for elements in another order.
  public func difference(
    fromRows older: Self, by areEquivalent: (_ newer: Row, _ older: Row) -> Bool
  ) -> EntitiesDifference<RowID> {
    var former: [RowID: (position: Int, row: Row)] = [:]
    var position = 0
    older.forEachRow { id, row in
      // Of elements with equal ids the first is the one that is found.
      if former[id] == nil { former[id] = (position, row) }
      position += 1
    }
    var difference = EntitiesDifference<RowID>()
    var (seen, common, positions) = (Set<RowID>(), [RowID](), [Int]())
    forEachRow { id, row in
      if !seen.insert(id).inserted { return }
      guard let old = former[id] else { return difference.inserted.append(id) }
      if !areEquivalent(row, old.row) { difference.edited.append(id) }
      common.append(id)
      positions.append(old.position)
    }
    if Self.isOrdered && zip(positions, positions.dropFirst()).contains(where: { $0 > $1 }) {
      let isKept = longestAscent(of: positions, within: 0..<position)
      difference.moved = zip(common, isKept).compactMap { $1 ? nil : $0 }
    }
    if seen.count - difference.inserted.count < former.count {
      var removed = Set<RowID>()
      older.forEachRow { id, _ in
        if !seen.contains(id) && removed.insert(id).inserted { difference.removed.append(id) }
      }
    }
    return difference
  }
}

/// A collection whose versions share what they have in common: `Entities`, and their sorted form.
///
/// Not for you to conform to.
public protocol VersionedRows<Element> {
  /// An element.
  associatedtype Element: Identifiable

  /// The elements in their order.
  var entities: Entities<Element> { get }

  /// The elements of another collection, in the order that this one is for.
  func holding(_ entities: Entities<Element>) -> Self
}

extension Entities: VersionedRows {
  /// The collection itself.
  @inlinable
  public var entities: Entities { self }

  /// The other collection: it has its own order.
  @inlinable
  public func holding(_ entities: Entities) -> Entities { entities }
}

extension SortedEntities: VersionedRows {
  /// The elements of another collection, in the order of this one; where they are in that order, shared with it.
  ///
  /// - Complexity: O(*n* log *n*), and *n* - 1 comparisons where they are in order.
  public func holding(_ entities: Entities<Element>) -> SortedEntities {
    SortedEntities(entities, by: areInIncreasingOrder)
  }
}

/// A collection in which an edit of one row may move it.
protocol MovingRows {}

extension SortedEntities: MovingRows {}

extension Entities: RowCollection {
  /// The element with an id; nil if there is none.
  ///
  /// - Complexity: O(log *n*).
  @inlinable
  public func row(id: Element.ID) -> Element? { self[id: id] }

  /// The difference from an older version; what the two share is passed over.
  ///
  /// - Complexity: O(*d* log *n*) in what differs.
  public func difference(
    fromRows older: Entities, by areEquivalent: (_ newer: Element, _ older: Element) -> Bool
  ) -> EntitiesDifference<Element.ID> {
    difference(from: older, by: areEquivalent)
  }
}

extension Array: RowCollection where Element: Identifiable {
  /// The first element with an id; nil if there is none.
  ///
  /// - Complexity: O(*n*).
  @inlinable
  public func row(id: Element.ID) -> Element? { first { $0.id == id } }
}

extension Dictionary: RowCollection {
  /// The value of a key; nil if there is none.
  ///
  /// - Complexity: O(1).
  @inlinable
  public func row(id: Key) -> Value? { self[id] }

  /// Hands out the values with their keys, in any order.
  public func forEachRow(_ body: (Key, Value) -> Void) {
    for (key, value) in self { body(key, value) }
  }

  /// The order of a dictionary means nothing.
  public static var isOrdered: Bool { false }
}
