/// Elements that have a key in common, in their order.
///
/// ```swift
/// let columns = cards.grouped(by: \.column)   // Entities<EntityGroup<Column, Card>>
/// columns[id: .doing]?.rows.count
/// ```
public struct EntityGroup<Key: Hashable, Element: Identifiable>: Identifiable {
  /// The key.
  public let id: Key
  @usableFromInline var storedRows: Entities<Element>

  /// The elements.
  @inlinable
  public var rows: Entities<Element> { storedRows }

  @usableFromInline
  init(id: Key, rows: Entities<Element>) { (self.id, storedRows) = (id, rows) }
}

extension EntityGroup: Equatable where Element: Equatable {}
extension EntityGroup: Hashable where Element: Hashable {}
extension EntityGroup: Sendable where Key: Sendable, Element: Sendable, Element.ID: Sendable {}

extension Entities {
  /// The elements in groups by a key; groups are in the order of their first elements.
  ///
  /// - Complexity: O(*n* log *n*).
  @inlinable
  public func grouped<Key: Hashable>(
    by key: (Element) -> Key
  ) -> Entities<EntityGroup<Key, Element>> {
    var groups = Entities<EntityGroup<Key, Element>>()
    rows.forEachRow { groups.add(LabelledRow(element: $0, label: $1), by: key) }
    return groups
  }

  /// Adds a row to its group, which has the label of its first row, so that groups are in the order of these.
  @inlinable
  mutating func add<Key, Row>(
    _ row: LabelledRow<Row>, by key: (Row) -> Key
  ) where Element == EntityGroup<Key, Row> {
    let id = key(row.element)
    guard let label = label(of: id) else {
      var group = EntityGroup(id: id, rows: Entities<Row>())
      group.storedRows.insert(row.element, label: row.label)
      return insert(group, label: row.label)
    }
    modify(id: id) { $0.storedRows.insert(row.element, label: row.label) }
    if row.label < label { relabel(label, row.label) }
  }

  @inlinable
  mutating func remove<Key, Row>(
    _ row: LabelledRow<Row>, by key: (Row) -> Key
  ) where Element == EntityGroup<Key, Row> {
    let id = key(row.element)
    guard let label = label(of: id) else {
      // A group whose key does not equal itself has one row, and so its label.
      if id != id { remove(label: row.label) }
      return
    }
    let first = modify(id: id) { group -> UInt64? in
      group.storedRows.remove(label: row.label)
      return group.storedRows.rows.label(at: 0)
    }
    if let first = first.flatMap({ $0 }) {
      if first != label { relabel(label, first) }
    } else {
      remove(label: label)
    }
  }

  /// Replaces edited rows in their groups, and returns those that belong to another group now.
  @inlinable
  mutating func replace<Key, Row>(
    _ rows: [(row: LabelledRow<Row>, former: Row)], by key: (Row) -> Key
  ) -> [(row: LabelledRow<Row>, former: Row)] where Element == EntityGroup<Key, Row> {
    rows.filter { row, former in
      let id = key(row.element)
      return id != key(former)
        || modify(id: id) { $0.storedRows.replace(row.label, with: row.element) } != true
    }
  }

  @inlinable
  mutating func relabel(_ label: UInt64, _ new: UInt64) {
    if let element = remove(label: label) { insert(element, label: new) }
  }
}
