import Lensed
import Synchronization

/// Rows in a persistent vector written by hand, as a tree of arrays of 32.
///
/// An edit copies the arrays on its path that some code holds, and writes into the others. A row's id is its position, so
/// there is no index.
indirect enum HandRows: Sendable {
  case leaf([RowsApp.Row])
  case branch([HandRows], width: Int)

  init(_ count: Int) {
    var level = stride(from: 0, to: count, by: 32).map { first in
      HandRows.leaf((first..<min(first + 32, count)).map { RowsApp.Row(id: $0) })
    }
    var width = 32
    while level.count > 1 {
      level = stride(from: 0, to: level.count, by: 32).map { first in
        .branch(Array(level[first..<min(first + 32, level.count)]), width: width)
      }
      width *= 32
    }
    self = level[0]
  }

  mutating func add(_ amount: Int, at position: Int) {
    switch self {
    case .leaf(var rows):
      self = .leaf([])
      rows[position].amount &+= amount
      self = .leaf(rows)
    case .branch(var children, let width):
      self = .leaf([])
      children[position / width].add(amount, at: position % width)
      self = .branch(children, width: width)
    }
  }
}

/// A store of such rows written by hand.
final class HandRowStore: Sendable {
  private let rows: Mutex<HandRows>

  init(_ count: Int) { rows = Mutex(HandRows(count)) }

  var version: HandRows { rows.withLock { $0 } }

  func dispatch(_ action: RowsApp.Add, id: Int) {
    rows.withLock { $0.add(action.amount, at: id) }
  }
}

/// `Entities` behind a mutex.
final class HandEntities: Sendable {
  private let rows: Mutex<Entities<RowsApp.Row>>

  init(_ rows: Entities<RowsApp.Row>) { self.rows = Mutex(rows) }

  func row(id: Int) -> RowsApp.Row? { rows.withLock { $0[id: id] } }
}
