extension ObservedStore {
  /// Reads one row of a collection, or nil if it is not there; its readers are notified when it differs.
  ///
  /// ```swift
  /// Text(observed[\.rows, id: 7]?.title ?? "")
  /// ```
  ///
  /// Actions for other rows do not concern it. Unlike `observed[\.rows[3]]`, it never traps.
  public subscript<Rows: RowCollection & SendableMetatype>(
    _ keyPath: any KeyPath<State, Rows> & Sendable, id id: Rows.RowID
  ) -> Rows.Row? where Rows.RowID: Sendable, Rows.Row: Sendable & Equatable {
    read(keyPath, id) { TrackedValue.differ(Rows.Row?.self, $0) }
  }

  /// Reads one row of a collection that is not `Equatable`; its readers are notified when a reducer ran that may
  /// have edited it.
  @_disfavoredOverload
  public subscript<Rows: RowCollection & SendableMetatype>(
    _ keyPath: any KeyPath<State, Rows> & Sendable, id id: Rows.RowID
  ) -> Rows.Row? where Rows.RowID: Sendable, Rows.Row: Sendable {
    read(keyPath, id) { _ in true }
  }

  private func read<Rows: RowCollection & SendableMetatype>(
    _ keyPath: any KeyPath<State, Rows> & Sendable, _ id: Rows.RowID,
    _ compare: @escaping (_ values: StateAddress) -> Bool
  ) -> Rows.Row? where Rows.RowID: Sendable, Rows.Row: Sendable {
    read(
      memo: ObservedRowKey(keyPath: keyPath, id: id),
      at: { .row(id, of: PartPath(keyPath, for: .stream)) }, compare
    ).value
  }
}

/// What a row was read by.
private struct ObservedRowKey<ID: Hashable>: Hashable {
  let keyPath: AnyKeyPath
  let id: ID
}
