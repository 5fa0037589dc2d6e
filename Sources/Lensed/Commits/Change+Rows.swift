extension Change {
  /// Which rows of a collection were inserted, removed, edited, since the state before.
  ///
  /// ```swift
  /// for await change in store.changes(keepingPrevious: true) {
  ///   let difference = change.difference(of: \.rows)
  ///   list.reload(difference.edited)
  /// }
  /// ```
  ///
  /// Of an action for one row, or an array of them, only these rows are compared. Of any other commit that touches
  /// the collection, `Entities` and their sorted form compare what they do not share with the state before, and other
  /// collections all. The ids are in the order of the rows, or in that of such actions. In a dictionary the order of the
  /// ids is any, and nothing counts as moved.
  ///
  /// It needs `changes(buffering:keepingPrevious:)` with `keepingPrevious: true`, and traps without.
  ///
  /// - Complexity: O(*k*) for actions for *k* rows; otherwise O(*d* log *n*) in what differs between two versions of
  ///   `Entities`, and O(*n*) for other collections; O(1) if nothing touched the collection.
  public func difference<Rows: RowCollection>(
    of keyPath: any KeyPath<State, Rows> & Sendable
  ) -> EntitiesDifference<Rows.RowID> where Rows.Row: Equatable {
    difference(of: keyPath, by: { isSameValue($1, $0) })
  }

  /// Which rows of a collection were inserted, removed, edited, by a comparison of rows.
  public func difference<Rows: RowCollection>(
    of keyPath: any KeyPath<State, Rows> & Sendable,
    by areEquivalent: (_ newer: Rows.Row, _ older: Rows.Row) -> Bool
  ) -> EntitiesDifference<Rows.RowID> {
    let former = requireFormer(for: "difference(of: \(keyPath))")
    var difference = EntitiesDifference<Rows.RowID>()
    if !touches(keyPath) { return difference }
    let (rows, formerRows) = (state[keyPath: keyPath], former.value[keyPath: keyPath])
    guard !(Rows.self is any MovingRows.Type), let ids = editedRows(of: keyPath),
      // Where a named row is not there, one may have got its id meanwhile, or another id.
      ids.allSatisfy({ rows.row(id: $0) != nil })
    else { return rows.difference(fromRows: formerRows, by: areEquivalent) }
    difference.edited = ids.filter { id in
      guard let row = rows.row(id: id), let former = formerRows.row(id: id) else { return false }
      return !areEquivalent(row, former)
    }
    return difference
  }

  /// The ids of the rows that the commit can have edited, each once; nil where it can have done anything else.
  private func editedRows<Rows: RowCollection>(
    of keyPath: any KeyPath<State, Rows> & Sendable
  ) -> [Rows.RowID]? {
    let path = part.appending(PartPath(keyPath))
    let footprint = path.footprint
    // Behind a row or another child, the ids that an action names may be those of what holds it: a type can contain
    // itself. What lies at an offset has nothing of the sort before it.
    guard ownCause == .action, path.offset != nil, let bytes = footprint.bytes else { return nil }
    var (ids, seen) = ([Rows.RowID](), Set<Rows.RowID>())
    let areNamed = touched.allNamedElements(
      of: footprint, in: ObjectIdentifier(Rows.self), at: bytes.lowerBound, by: members
    ) { element, action in
      func id<A: Action>(in action: A) -> Rows.RowID {
        StateAddress.reading(action, as: A.self) { element.id(in: $0, as: Rows.RowID.self) }
      }
      let id = id(in: action)
      if seen.insert(id).inserted { ids.append(id) }
      return true
    }
    return areNamed ? ids : nil
  }
}
