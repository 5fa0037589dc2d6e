import Lensed
import LensedTestSupport
import Observation
import Testing

/// Lists of three kinds, whose rows are reduced one by one, or all at once.
enum RowScene {
  struct Row: Sendable, Equatable, Identifiable {
    var id: Int
    var title = ""
  }

  struct State: Sendable, Equatable {
    var rows: Entities<Row> = []
    var list: [Row] = []
    var table: [String: Int] = [:]
    var other = 0
  }

  enum RowAction: Action, Hashable {
    case rename(String)
    case identify(Int)
    case keep
  }

  /// What edits the collections as a whole.
  enum ListAction: Action, Hashable {
    case insert(Int, String)
    case remove(Int)
    case rename(Int, String)
    case reverse
  }

  struct Count: Action { let amount: Int }
  struct Table: Action { let values: [String: Int] }

  static let row = Reducer { (row: inout Row, action: RowAction) in
    switch action {
    case .rename(let title): row.title = title
    case .identify(let id): row.id = id
    case .keep: break
    }
  }
  static let rows = Mutator(\State.rows, row.identified())
    .on(ListAction.self) { rows, action in
      switch action {
      case .insert(let id, let title): rows.append(Row(id: id, title: title))
      case .remove(let id): rows.remove(id: id)
      case .rename(let id, let title): rows[id: id]?.title = title
      case .reverse: rows = Entities(rows.reversed(), uniquingIDsWith: { first, _ in first })
      }
    }
  enum Plain {}
  static let list = Mutator(\State.list, row.identified().tagged(Plain.self))
    .on(ListAction.self) { list, action in
      switch action {
      case .insert(let id, let title): list.append(Row(id: id, title: title))
      case .remove(let id): list.removeAll { $0.id == id }
      case .rename(let id, let title):
        for index in list.indices where list[index].id == id { list[index].title = title }
      case .reverse: list.reverse()
      }
    }
  static let table = Mutator(
    \State.table,
    Reducer { (value: inout Int, count: Count) in value += count.amount }.keyed()
  )
  .on(Table.self) { table, action in table = action.values }
  static let other = Mutator(\State.other) { (other: inout Int, count: Count) in
    other += count.amount
  }

  static func makeStore(_ ids: some Sequence<Int> = 0..<10) throws -> Store<State> {
    let rows = ids.map { Row(id: $0, title: "\($0)") }
    return try Store(
      initialState: State(rows: try Entities(rows), list: rows, table: ["a": 1, "b": 2])
    ) {
      Self.rows
      Self.list
      table
      other
    }
  }

  static func rename(_ id: Int, _ title: String) -> ElementAction<Int, RowAction> {
    ElementAction(id: id, action: .rename(title))
  }
}
