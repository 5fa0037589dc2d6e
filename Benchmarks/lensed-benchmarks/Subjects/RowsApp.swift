import Lensed

/// A state with a collection of rows, which are reduced one by one.
struct RowsApp: Sendable {
  struct Row: Sendable, Equatable, Identifiable {
    let id: Int
    var amount = 0
  }

  struct Add: Action {
    let amount: Int

    /// For the row with the id 0.
    static var sample: ElementAction<Int, Add> {
      opaque(ElementAction(id: 0, action: Add(amount: 1)))
    }
  }

  struct Reload: Action {
    /// For the row with the id 0.
    static var sample: ElementAction<Int, Reload> {
      opaque(ElementAction(id: 0, action: Reload()))
    }
  }

  var rows: Entities<Row>
  var factor = 2

  /// A row with work of its own.
  static let row = Feature<Row> {
    Constant(\.id)
    Mutator(\.amount) { (amount: inout Int, add: Add) in amount &+= add.amount }
    Effect(on: Reload.self) { _, _ in swallow(1) }
  }

  static func store(features count: Int) throws -> Store<RowsApp> {
    let rows = try Entities((0..<count).map { Row(id: $0) })
    return opaque(
      try Store(initialState: RowsApp(rows: rows)) {
        row.identified().lifted(\.rows)
        Constant(\.factor)
      })
  }

  static func store(
    rows count: Int, middleware: [any Middleware<RowsApp>] = []
  ) throws -> Store<RowsApp> {
    let rows = try Entities((0..<count).map { Row(id: $0) })
    let row = Reducer { (row: inout Row, add: Add) in row.amount &+= add.amount }
    return opaque(
      try Store(initialState: RowsApp(rows: rows), middleware: middleware) {
        Mutator(\.rows, row.identified())
        Constant(\.factor)
      })
  }

  /// What is derived of all rows.
  static let total = Derived(\RowsApp.rows, \RowsApp.factor) { rows, factor in
    rows.reduce(0) { $0 &+ $1.amount } &* factor
  }

  static let isLarge = Derived(total) { $0 > 1_000 }
}

/// A store, and values that are derived of its state.
final class ManyDerived {
  let store: Store<RowsApp>
  let values: [Derived<RowsApp, Int>]

  init(_ count: Int) throws {
    store = try RowsApp.store(rows: 10)
    values = (0..<count).map { number in
      Derived(\RowsApp.rows, \RowsApp.factor) { rows, factor in rows.count &* factor &+ number }
    }
  }
}
