extension SortedEntities: RandomAccessCollection {
  /// The first position, 0.
  public var startIndex: Int { 0 }

  /// The position after the last, which is the count.
  public var endIndex: Int { entities.count }

  /// The element at a position.
  ///
  /// - Complexity: O(1).
  public subscript(position: Int) -> Element { entities[position] }
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
  /// - Complexity: O(1).
  public func row(id: Element.ID) -> Element? { self[id: id] }

  /// Hands out the elements with their ids, in their order.
  public func forEachRow(_ body: (Element.ID, Element) -> Void) {
    for element in self { body(element.id, element) }
  }
}

/// A collection in which an edit of one row may move it.
protocol MovingRows {}

extension SortedEntities: MovingRows {}
