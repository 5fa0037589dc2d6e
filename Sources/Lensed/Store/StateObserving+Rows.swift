extension StateObserving {
  /// One row of a collection: the element with an id, or nil if there is none.
  ///
  /// ```swift
  /// store[\.rows, id: 7]?.title
  /// ```
  ///
  /// - Complexity: That of finding the element: O(log *n*) for `Entities`, O(1) for dictionaries, O(*n*) for arrays.
  ///   Only the element is copied.
  public subscript<Rows: RowCollection & SendableMetatype>(
    _ keyPath: any KeyPath<State, Rows> & Sendable, id id: Rows.RowID
  ) -> Rows.Row? where Rows.RowID: Sendable {
    let path = view.part.appending(PartPath<Rows.Row?>.row(id, of: PartPath(keyPath)))
    return view.lend(path.read)
  }

  /// The values of one row of a collection from now on, the current one first; nil while it is not there.
  ///
  /// ```swift
  /// for await row in store.states(\.rows, id: 7) { … }
  /// ```
  ///
  /// It emits when the row differs. It is woken by actions for this row, `ElementAction(id: 7, …)`, and by whatever
  /// edits the collection otherwise; by no action for another row. So among ten thousand observed rows, an action
  /// for one costs as if the others were not there. A key path through computed properties is woken for each row.
  ///
  /// With `repeats: .kept` nothing is compared and no value kept.
  @inlinable
  public func states<Rows: RowCollection & SendableMetatype>(
    _ keyPath: any KeyPath<State, Rows> & Sendable, id: Rows.RowID, repeats: Repeats = .removed
  ) -> StateStream<Rows.Row?> where Rows.RowID: Sendable, Rows.Row: Sendable & Equatable {
    let stream = view.stream(of: .row(id, of: PartPath(keyPath, for: .stream)))
    return repeats == .kept ? stream : stream.removeDuplicates()
  }

  /// The values of one row of a collection from now on, the current one first; nil while it is not there.
  ///
  /// Rows of this type cannot be compared, so repeats are kept.
  @_disfavoredOverload
  public func states<Rows: RowCollection & SendableMetatype>(
    _ keyPath: any KeyPath<State, Rows> & Sendable, id: Rows.RowID
  ) -> StateStream<Rows.Row?> where Rows.RowID: Sendable, Rows.Row: Sendable {
    view.stream(of: .row(id, of: PartPath(keyPath, for: .stream)))
  }
}
