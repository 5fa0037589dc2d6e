import Lensed
import LensedTestSupport
import Testing

@Suite("Warnings are the same, however actions are dispatched", .timeLimit(.minutes(30)))
struct ArrayWarningTests {
  private struct Row: Sendable, Equatable, Identifiable {
    var id: Int
    var count = 0
  }

  private struct Board: Sendable, Equatable {
    var list = [Row(id: 1), Row(id: 2)]
    var entities: Entities<Row> = [Row(id: 1), Row(id: 2)]
  }

  private enum Step: Action, Hashable { case identify(Int), add, leave }
  private typealias Element = ElementAction<Int, Step>

  /// The reducers that handle the steps.
  private enum Handling: CaseIterable {
    case aReducerOfARow, twoReducersOfARow, twoReducersOfAllRows

    private var row: Reducer<Row> {
      if self == .aReducerOfARow {
        return Reducer { (row: inout Row, step: Step) in
          switch step {
          case .identify(let id): row.id = id
          case .add: row.count += 1
          case .leave: row.id = -1
          }
        }
      }
      let id = Reducer { (id: inout Int, step: Step) in
        if case .identify(let new) = step { id = new }
        if case .leave = step { id = -1 }
      }
      let count = Reducer { (count: inout Int, step: Step) in if step == .add { count += 1 } }
      return .combine(id.lifted(\.id), count.lifted(\.count))
    }

    var list: Reducer<[Row]> {
      self == .twoReducersOfAllRows
        ? .combine(Self.aReducerOfARow.row.identified(), row.identified()) : row.identified()
    }
    var entities: Reducer<Entities<Row>> {
      self == .twoReducersOfAllRows
        ? .combine(Self.aReducerOfARow.row.identified(), row.identified()) : row.identified()
    }
  }

  private static let steps = [
    Element(id: 1, action: .identify(5)), Element(id: 2, action: .identify(1)),
    Element(id: 1, action: .add), Element(id: 2, action: .add), Element(id: 5, action: .add),
    Element(id: 2, action: .leave), Element(id: 9, action: .add),
  ]

  /// Each sequence of one to three steps; without the optimiser, a third of those of three.
  private static let sequences: [[Element]] = {
    let one = steps.map { [$0] }
    let two = one.flatMap { start in steps.map { start + [$0] } }
    let three = two.flatMap { start in steps.map { start + [$0] } }
    var generator = SeededGenerator(seed: 66)
    let count = isOptimized ? three.count : three.count / 3
    return one + two + three.shuffled(using: &generator).prefix(count)
  }()

  @Test(arguments: Handling.allCases.flatMap { [($0, true), ($0, false)] })
  private func `an element is missing where its action ran nowhere, and only there`(
    _ handling: Handling, _ areEntities: Bool
  ) throws {
    var wrong: [[Element]] = []
    for steps in Self.sequences {
      func dispatch(
        _ body: (Store<Board>) throws -> Void
      ) throws -> (state: Board, warnings: [String]) {
        let warnings = Recorder<StoreWarning>()
        let store = try Store(
          initialState: Board(), coverage: .partial, onWarning: { warnings.append($0) }
        ) {
          if areEntities { Mutator(\.entities, handling.entities) }
          if !areEntities { Mutator(\.list, handling.list) }
        }
        try body(store)
        return (store.state, warnings.values.map { "\($0.kind) \($0.element ?? "")" })
      }
      var missing: Set<String> = []
      let single = try dispatch { store in
        for step in steps {
          let rows = areEntities ? Array(store.entities) : store.list
          if !rows.contains(where: { $0.id == step.id }) {
            missing.insert("missingElement \(step.id)")
          }
          store.dispatch(step)
        }
      }
      let array = try dispatch { $0.dispatch(steps) }
      let list = try dispatch { $0.dispatch(steps as [any Action]) }
      let found = Set(single.warnings.filter { $0.hasPrefix("missingElement") })
      if found != missing || array != single || list != single { wrong.append(steps) }
    }
    #expect(wrong == [])
  }
}
