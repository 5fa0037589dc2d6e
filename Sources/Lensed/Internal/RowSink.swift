/// One run of a reducer on a sub-state of which rows are observed.
struct RowTouch {
  /// The row that the action was for.
  struct Row {
    let collection: ObjectIdentifier
    let place: StateAddress
    /// The hash of the id, and where the id lies.
    let hash: Int
    let id: StateAddress
  }

  let slot: Int
  let revision: UInt64
  /// Nil where the reducer may have edited all of it.
  let row: Row?
}

/// Is notified of runs of reducers where rows are observed, under the lock.
///
/// The table of observers keeps it as long as the store lives.
final class RowSink: Sendable {
  let touch: @Sendable (RowTouch) -> CommitFlags

  init(_ touch: @escaping @Sendable (RowTouch) -> CommitFlags) { self.touch = touch }
}
