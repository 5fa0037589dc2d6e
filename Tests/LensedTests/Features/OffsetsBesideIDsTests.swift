import Lensed
import LensedTestSupport
import LensedTesting
import Testing

/// Offsets and ids of one type, in one array: `ElementAction<Int, A>` names an element by its offset for one part, and by
/// its id for another.
@Suite(
  "A feature of rows notices what is reduced by another name of the row", .timeLimit(.minutes(30)))
struct OffsetsBesideIDsTests {
  private struct Row: Sendable, Equatable, Identifiable {
    var id: Int
    var isChosen = false
  }
  private struct List: Sendable, Equatable { var rows = [5, 2, 1, 0].map { Row(id: $0) } }
  private struct Flip: Action {}
  /// Makes another row of it.
  private struct Replace: Action {}
  private struct Start: Action {}

  enum Name: CaseIterable, Sendable {
    case offset, id

    /// How a row is named.
    func name(_ id: Int, in rows: [Int]) -> Int { self == .id ? id : rows.firstIndex(of: id) ?? -1 }
  }

  /// The parts are lifted by their names.
  private static func makeStore(
    reducing reduced: Name, watching watched: Name, _ feature: Feature<Row>
  ) throws -> Store<List> {
    let row = Reducer { (row: inout Row, _: Flip) in row.isChosen.toggle() }
      .on(Replace.self) { row, _ in row.id += 10 }
    return try Store(initialState: List()) {
      Mutator(\.rows, reduced == .id ? row.identified() : row.offset())
      watched == .id
        ? feature.identified().lifted(\List.rows) : feature.offset().lifted(\List.rows)
    }
  }

  @Test(arguments: Name.allCases, Name.allCases)
  func `a value that changes`(reduced: Name, watched: Name) async throws {
    let log = Recorder<Int>()
    let store = try Self.makeStore(
      reducing: reduced, watching: watched,
      Feature { Effect(whenChanged: \Row.isChosen) { _, context in log.append(context.state.id) } })
    for id in [2, 0, 1, 2] {
      let name = reduced.name(id, in: [5, 2, 1, 0])
      try await store.dispatch(Flip().element(name)).finish()
    }
    #expect(log.values == [2, 0, 1, 2])
  }

  @Test(arguments: Name.allCases, Name.allCases)
  func `a row that goes`(reduced: Name, watched: Name) async throws {
    let log = Recorder<String>()
    let gate = Gate()
    let store = try Self.makeStore(
      reducing: reduced, watching: watched,
      Feature("row", onInstall: { _ in }, onRemove: { log.append("left") }) {
        Effect(on: Start.self) { _, _ in
          log.append("began")
          do { try await gate.wait() } catch { log.append("ended") }
        }
      })
    let ids = [5, 2, 1, 0]
    let task = store.dispatch(Start().element(watched.name(2, in: ids)))
    await log.waitForCount(1)
    store.dispatch(Replace().element(reduced.name(2, in: ids)))
    gate.open()
    try await task.finish()
    #expect(log.values.sorted() == ["began", "ended", "left"])
  }

  @Test(arguments: 0..<16) func `a value in a row of a row`(number: Int) async throws {
    struct Box: Sendable, Equatable, Identifiable {
      let id: Int
      var rows = [5, 2, 1, 0].map { Row(id: $0) }
    }
    struct Shelf: Sendable, Equatable { var boxes = [3, 1, 0].map { Box(id: $0) } }
    let names = (0..<4).map { number >> $0 & 1 == 0 ? Name.offset : .id }
    let (reduced, watched) = (names[..<2], names[2...])
    let log = Recorder<[Int]>()
    let row = Reducer { (row: inout Row, _: Flip) in row.isChosen.toggle() }
    let inner: Reducer<Box> = (reduced[1] == .id ? row.identified() : row.offset())
      .lifted(\.rows)
    let feature = Feature<Row> {
      Effect(whenChanged: \Row.isChosen) { isChosen, context in
        log.append([context.state.id, isChosen ? 1 : 0])
      }
    }
    let box =
      watched[3] == .id
      ? feature.identified().lifted(\Box.rows) : feature.offset().lifted(\Box.rows)
    let store = try Store(initialState: Shelf()) {
      Mutator(\.boxes, reduced[0] == .id ? inner.identified() : inner.offset())
      watched[2] == .id
        ? box.identified().lifted(\Shelf.boxes) : box.offset().lifted(\Shelf.boxes)
    }
    for (id, boxID) in [(2, 1), (0, 1), (2, 0), (1, 3), (2, 1)] {
      let action = Flip().element(reduced[1].name(id, in: [5, 2, 1, 0]))
        .element(reduced[0].name(boxID, in: [3, 1, 0]))
      try await store.dispatch(action).finish()
    }
    #expect(log.values == [[2, 1], [0, 1], [2, 1], [1, 1], [2, 0]], "\(names)")
  }
}
