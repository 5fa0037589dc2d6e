/// One row of a collection, as an input of a derived value: the element with an id, or nil if there is none.
///
/// ```swift
/// let title = Derived(RowPath(\App.rows, id: 7)) { row in row?.title ?? "gone" }
/// ```
///
/// Actions for other rows leave the derived value as it is.
public struct RowPath<State, Rows: RowCollection & SendableMetatype>: Sendable
where Rows.RowID: Sendable, Rows.Row: Sendable {
  private let path: PartPath<Rows.Row?>

  /// The row with an id, of the collection at a key path.
  public init(_ keyPath: any KeyPath<State, Rows> & Sendable, id: Rows.RowID) {
    path = .row(id, of: PartPath(keyPath, for: .input))
  }
}

extension RowPath: DerivedInput {
  /// The element, or nil.
  public typealias Value = Rows.Row?

  /// The way to the row, as an input of a derived value; not for you to call.
  public var derivedSource: DerivedSource<State, Rows.Row?> {
    DerivedSource(kind: .part(path))
  }
}
