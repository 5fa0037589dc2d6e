import Lensed
import LensedTestSupport
import Testing

/// After the commit the second of two rows with one id is found in place of the first one.
@Suite(
  "The effects and services of a row come to the id that the first of two rows with one id gets",
  .timeLimit(.minutes(30)))
struct DoubledRowEffectTests {
  private struct Row: Sendable, Equatable, Identifiable {
    var id: Int
    var count = 0
  }

  private struct Board: Sendable, Identifiable {
    var id = 0
    var rows = [Row(id: 7), Row(id: 8, count: 5), Row(id: 9)]
  }

  private struct App: Sendable {
    var rows = Board().rows
    var board: Board? = Board()
    var boards = [Board()]
    var others = 0
  }

  private struct Identify: Action { let id: Int }
  private struct Count: Action {}

  private enum Kind: CaseIterable, Sendable {
    case rows, rowsOfAnOptional, rowsOfRows

    func lift(_ row: Feature<Row>) -> Feature<App> {
      let board = row.identified().lifted(\Board.rows)
      return switch self {
      case .rows: row.identified().lifted(\.rows)
      case .rowsOfAnOptional: board.optional().lifted(\.board)
      case .rowsOfRows: board.identified().lifted(\.boards)
      }
    }

    func identify(_ id: Int, _ new: Int) -> any Action {
      let action = ElementAction(id: id, action: Identify(id: new))
      return self == .rowsOfRows ? ElementAction(id: 0, action: action) : action
    }
  }

  @Test(arguments: Kind.allCases, [false, true])
  private func `wherever the rows are, alone and in lists`(_ kind: Kind, _ isInList: Bool)
    async throws
  {
    let log = Recorder<String>()
    let row = Feature<Row> {
      Mutator(\.id) { (id: inout Int, identify: Identify) in id = identify.id }
      Effect(whenChanged: \.count, .serial) { count, context in
        log.append("changed \(context.id): \(count)")
      }
      Effect(whenChanged: \.count, .serial, including: .installation) { count, context in
        log.append("first \(context.id): \(count)")
      }
      Feature("s", onInstall: { log.append("come \($0.id)") }, onRemove: { log.append("left") }) {}
    }
    let store = try Store(initialState: App(), coverage: .partial, onWarning: { _ in }) {
      kind.lift(row)
      Mutator(\.others) { (others: inout Int, _: Count) in others += 1 }
    }
    try await store.settled()
    func heard(by actions: any Action...) async throws -> [String] {
      let before = log.count
      store.dispatch(isInList ? ActionList(actions + [Count()]) : ActionList(actions))
      try await store.settled()
      return log.values[before...].sorted()
    }
    #expect(try await heard(by: kind.identify(8, 7)) == ["left"])
    #expect(
      try await heard(by: kind.identify(7, 1)) == [
        "changed 7: 5", "come 1", "first 1: 0", "first 7: 5",
      ])
    #expect(
      try await heard(by: kind.identify(9, 7), kind.identify(7, 2)) == [
        "changed 7: 0", "come 2", "first 2: 5", "first 7: 0", "left",
      ])
  }
}
