// The rows that the actions of a commit name, for what is notified later, with a report of the commit.
//
// An action may give its row another id. Then no row has the id that the action names, or another one has it by now, and
// another row may have been replaced: all rows count as touched. The run says so (`RunOutcome.changedID`).

extension TouchedParts {
  /// Hands out the identity of an element with each action that named one, where the commit touched nothing of a part
  /// but elements of one collection, at an offset in the state, that the actions name.
  ///
  /// - Returns: Whether that is so, no element got another id, and `body` was true for each.
  func allNamedElements(
    of part: Footprint, in collection: ObjectIdentifier, at offset: Int,
    by actions: [any Action], _ body: (_ element: ElementIdentity, _ action: any Action) -> Bool
  ) -> Bool {
    if changesID { return false }
    for cases in cases(of: part) {
      var isMet = false
      for action in actions {
        for answer in cases where answer.handles(type(of: action)) {
          guard let element = answer.element, element.collection == collection,
            answer.offset == offset, body(element, action)
          else { return false }
          isMet = true
        }
      }
      // Its reducer ran, so it handles an action that is not seen here as it was dispatched.
      if !isMet { return false }
    }
    return true
  }

  /// Whether the commit can have touched other rows alone than the one that a part is, or lies in.
  ///
  /// It is called under the lock of the store, or with a copy of the state.
  ///
  /// - Parameters:
  ///   - part: The part; false where it has no row, or that lies in a collection without a fixed place.
  ///   - actions: The single actions of the commit, as the store knows them.
  ///   - locate: Locates what is at an offset of the state of the store, after the commit.
  /// - Returns: Whether that is proved.
  func areOfOtherRows(
    than part: Footprint, by actions: [any Action], _ locate: (_ offset: Int) -> StateAddress
  ) -> Bool {
    guard let label = part.row, let offset = part.bytes?.lowerBound else { return false }
    let collection = locate(offset)
    return allNamedElements(of: part, in: label.collection, at: offset, by: actions) {
      element, action in
      func isOther<A: Action>(_ action: A) -> Bool {
        StateAddress.reading(action, as: A.self) { action in
          let row = element.row(in: collection, of: action)
          return row.hash != label.hash || !label.isOf(row.id)
        }
      }
      return isOther(action)
    }
  }
}

extension CommitRecord {
  /// The same commit for a reader of a part of the state; under the lock of the store.
  func forReader(of part: Footprint) -> CommitRecord {
    if cause != .action || part.row == nil { return self }
    var copy = self
    copy.isOfOtherRows = touched.areOfOtherRows(than: part, by: actions.members) { offset in
      state.advanced(by: offset)
    }
    return copy
  }
}
