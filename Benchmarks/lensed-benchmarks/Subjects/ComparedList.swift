import Synchronization

/// A list written by hand, each row of which has an observer.
///
/// An edit compares the rows with those before it, and calls the observers of those that differ.
final class ComparedList: Sendable {
  private struct Contents {
    var rows: [RowsApp.Row]
    let observers: [@Sendable (RowsApp.Row) -> Void]
  }

  private let contents: Mutex<Contents>

  init(rows count: Int) {
    contents = Mutex(
      Contents(
        rows: (0..<count).map { RowsApp.Row(id: $0) },
        observers: Array(repeating: { swallow($0.amount) }, count: count)))
  }

  func edit(_ index: Int, by amount: Int) {
    let calls = contents.withLock { contents in
      let former = contents.rows
      contents.rows[index].amount &+= amount
      return contents.rows.indices.filter { contents.rows[$0] != former[$0] }
        .map { (contents.observers[$0], contents.rows[$0]) }
    }
    for (observer, row) in calls { observer(row) }
  }
}
