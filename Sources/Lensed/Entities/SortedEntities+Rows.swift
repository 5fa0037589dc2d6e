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
