/// `Entities` that stay sorted.
///
/// ```swift
/// var byTitle = todos.sorted { $0.title < $1.title }   // SortedEntities<Todo>
/// byTitle.insert(Todo(id: 3, title: "Nap"))            // at its place
/// byTitle[id: 3]?.title = "Zap"                        // moves to the end
/// ```
///
/// **Guarantees.** The elements are in ascending order after each call, if the order is a strict weak
/// ordering. An inserted element is placed after the elements that are equal to it in the order. An
/// edited element stays where it is if it still belongs between its neighbours.
///
/// **Cost.** Finding the place of an element takes O(log *n*) comparisons. Everything else costs the same as in
/// `Entities`, versions that share included.
///
/// Two collections are equal if they have equal elements in the same order; their orders are not
/// compared. It can be encoded, as an array, but not decoded: decode `Entities` and sort them.
public struct SortedEntities<Element: Identifiable> {
  /// The order: whether the first element belongs before the second.
  public typealias Order = @Sendable (Element, Element) -> Bool

  /// The elements, as plain `Entities` in ascending order.
  @inlinable
  public var entities: Entities<Element> { rows }
  @usableFromInline var rows: Entities<Element>
  @usableFromInline let areInIncreasingOrder: Order

  /// Creates a sorted collection; equal elements keep their order.
  ///
  /// - Complexity: O(*n* log *n*).
  public init(
    _ entities: Entities<Element> = Entities(), by areInIncreasingOrder: @escaping Order
  ) {
    rows = entities
    self.areInIncreasingOrder = areInIncreasingOrder
    rows.sort(by: areInIncreasingOrder)
  }

  /// Whether there is an element with an id.
  public func contains(id: Element.ID) -> Bool { entities.contains(id: id) }

  /// The position of the element with an id.
  public func index(id: Element.ID) -> Int? { entities.index(id: id) }

  /// The first position whose element satisfies a condition, which all later ones satisfy, too.
  ///
  /// ```swift
  /// let first = byTitle.partitioningIndex { $0.title >= "N" }
  /// ```
  ///
  /// - Returns: That position; the end index if no element satisfies the condition.
  /// - Complexity: O(log *n*).
  @inlinable
  public func partitioningIndex<Failure: Error>(
    where belongsToSecondPart: (Element) throws(Failure) -> Bool
  ) throws(Failure) -> Int {
    try (0..<rows.count).partitioningIndex { index throws(Failure) in
      try belongsToSecondPart(rows[index])
    }
  }

  /// Inserts an element at its place, unless its id is known.
  ///
  /// - Returns: Whether it was inserted, and the position of the element that has the id now.
  @discardableResult
  public mutating func insert(_ element: Element) -> (inserted: Bool, index: Int) {
    if let index = entities.index(id: element.id) { return (false, index) }
    return rows.insert(element, at: partitioningIndex { areInIncreasingOrder(element, $0) })
  }

  /// Replaces the element with the same id; does nothing if there is none.
  ///
  /// - Returns: The replaced element; nil if there was none.
  @discardableResult
  public mutating func update(_ element: Element) -> Element? {
    guard let label = rows.label(of: element.id) else { return nil }
    defer { place(label) }
    return rows.update(element)
  }

  /// Replaces the element with the same id, or inserts the element if there is none.
  ///
  /// - Returns: The replaced element; nil if the element was inserted.
  @discardableResult
  public mutating func upsert(_ element: Element) -> Element? {
    if let replaced = update(element) { return replaced }
    insert(element)
    return nil
  }

  /// The element with an id; nil if there is none.
  ///
  /// An edit is in place, and then moves the element to its place. A value that is set at an unknown id
  /// is upserted by its own id.
  public subscript(id id: Element.ID) -> Element? {
    get { entities[id: id] }
    _modify {
      guard let label = rows.label(of: id) else {
        var element: Element?
        defer { if let element { upsert(element) } }
        yield &element
        return
      }
      // An edited element keeps its label, whatever becomes of its id.
      defer { place(label) }
      yield &rows[id: id]
    }
  }

  /// Edits the element with an id in place, and then moves it to its place.
  ///
  /// - Returns: The result of `body`; nil if there is no such element.
  @discardableResult
  public mutating func modify<Result, Failure: Error>(
    id: Element.ID, _ body: (inout Element) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    guard let label = rows.label(of: id) else { return nil }
    defer { place(label) }
    return try rows.modify(id: id, body)
  }

  /// Removes the element with an id.
  ///
  /// - Returns: The removed element; nil if there was none.
  @discardableResult
  public mutating func remove(id: Element.ID) -> Element? { rows.remove(id: id) }

  /// Removes the element at a position.
  ///
  /// - Returns: The removed element.
  @discardableResult
  public mutating func remove(at position: Int) -> Element { rows.remove(at: position) }

  /// Removes all elements that satisfy a condition.
  public mutating func removeAll<Failure: Error>(
    where shouldRemove: (Element) throws(Failure) -> Bool
  ) throws(Failure) {
    try rows.removeAll(where: shouldRemove)
  }

  /// Moves the edited element with a label to its place; it stays if it still belongs between its neighbours.
  private mutating func place(_ label: UInt64) {
    guard let position = rows.rows.position(of: label) else { return }
    let element = entities[position]
    if position > 0, areInIncreasingOrder(element, entities[position - 1]) {
      let place = (0..<position).partitioningIndex { areInIncreasingOrder(element, rows[$0]) }
      rows.move(from: position, to: place)
    } else if position + 1 < entities.count, areInIncreasingOrder(entities[position + 1], element) {
      let place = (position + 1..<entities.count).partitioningIndex {
        areInIncreasingOrder(element, rows[$0])
      }
      rows.move(from: position, to: place - 1)
    }
  }
}

extension SortedEntities: Sendable where Element: Sendable, Element.ID: Sendable {}

extension Entities {
  /// Returns the elements in a form that stays sorted; equal elements keep their order.
  ///
  /// For a plain array, write the type: `let array: [Todo] = todos.sorted { … }`.
  ///
  /// - Complexity: O(*n* log *n*).
  public func sorted(
    by areInIncreasingOrder: @escaping SortedEntities<Element>.Order
  ) -> SortedEntities<Element> {
    SortedEntities(self, by: areInIncreasingOrder)
  }
}

// MARK: A collection

extension SortedEntities: RandomAccessCollection {
  /// The first position, 0.
  public var startIndex: Int { 0 }

  /// The position after the last, which is the count.
  public var endIndex: Int { entities.count }

  /// The element at a position; see that of `Entities`.
  ///
  /// - Complexity: O(log *n*).
  public subscript(position: Int) -> Element { entities[position] }

  /// Makes an iterator, which keeps the elements as they are now.
  public func makeIterator() -> Entities<Element>.Iterator { entities.makeIterator() }

  /// An array of what a closure makes of each element, in order.
  public func map<Result, Failure: Error>(
    _ transform: (Element) throws(Failure) -> Result
  ) throws(Failure) -> [Result] {
    try entities.map(transform)
  }
}

extension SortedEntities: Equatable where Element: Equatable {
  /// Whether two collections have equal elements in the same order.
  public static func == (left: SortedEntities, right: SortedEntities) -> Bool {
    left.entities == right.entities
  }
}

extension SortedEntities: Hashable where Element: Hashable {
  /// Hashes the elements in their order.
  public func hash(into hasher: inout Hasher) { entities.hash(into: &hasher) }
}

extension SortedEntities: Encodable where Element: Encodable {
  /// Encodes the elements as an array, in their order.
  public func encode(to encoder: any Encoder) throws { try entities.encode(to: encoder) }
}

extension SortedEntities: CustomStringConvertible, CustomReflectable {
  /// The elements, as an array prints them.
  public var description: String { entities.description }

  /// The elements, as an array is reflected.
  public var customMirror: Mirror { entities.customMirror }
}

extension SortedEntities: RowCollection {
  /// The element with an id; nil if there is none.
  ///
  /// - Complexity: O(log *n*).
  public func row(id: Element.ID) -> Element? { self[id: id] }

  /// The difference from an older version; what the two share is passed over.
  ///
  /// - Complexity: O(*d* log *n*) in what differs.
  public func difference(
    fromRows older: SortedEntities, by areEquivalent: (_ newer: Element, _ older: Element) -> Bool
  ) -> EntitiesDifference<Element.ID> {
    entities.difference(from: older.entities, by: areEquivalent)
  }
}
