// What a value that follows rows is given: the rows that two versions do not share.

/// A row, and its label among those of its version.
@usableFromInline
struct LabelledRow<Element> {
  @usableFromInline let element: Element
  @usableFromInline let label: UInt64

  @inlinable
  init(element: Element, label: UInt64) { (self.element, self.label) = (element, label) }
}

/// What changed from one version of rows to another: removals first, so that no label and no id is there twice.
@usableFromInline
struct RowChanges<Element: Identifiable> {
  @usableFromInline var removed: [LabelledRow<Element>] = []
  @usableFromInline var added: [LabelledRow<Element>] = []
  /// Rows that were edited where they are, with what they were.
  @usableFromInline var edited: [(row: LabelledRow<Element>, former: Element)] = []

  @inlinable
  init(
    from older: Entities<Element>, to newer: Entities<Element>,
    by areEqual: (Element, Element) -> Bool
  ) {
    newer.rows.forEachDifference(
      from: older.rows, areAlike: { $0.id == $1.id && areEqual($0, $1) }
    ) { difference in
      switch difference {
      case .added(let element, let label, _):
        added.append(LabelledRow(element: element, label: label))
      case .removed(let element, let label, _):
        removed.append(LabelledRow(element: element, label: label))
      case .kept(let element, let former, let label, _):
        let row = LabelledRow(element: element, label: label)
        if element.id == former.id { return edited.append((row, former)) }
        removed.append(LabelledRow(element: former, label: label))
        added.append(row)
      }
    }
  }

  @inlinable
  var count: Int { removed.count + added.count + edited.count }

  /// Hands out what was there and is no more, edited rows as they were included.
  @inlinable
  func forEachFormer(_ body: (LabelledRow<Element>) -> Void) {
    for row in removed { body(row) }
    for (row, former) in edited { body(LabelledRow(element: former, label: row.label)) }
  }

  /// Hands out what is there now and was not, edited rows as they are included.
  @inlinable
  func forEachPresent(_ body: (LabelledRow<Element>) -> Void) {
    for row in added { body(row) }
    for (row, _) in edited { body(row) }
  }
}
