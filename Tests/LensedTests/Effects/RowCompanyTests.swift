import Lensed
import LensedTestSupport
import LensedTesting
import Testing

/// Rows in each of which an effect runs: an action for one of them is no concern of the others.
@Suite(
  "An action for one row asks nothing of the other rows in which an effect runs",
  .timeLimit(.minutes(30)))
struct RowCompanyTests {
  private struct Row: Sendable, Identifiable {
    struct ID: Hashable, Sendable {
      let number: Int
      let comparisons: Counter

      static func == (one: ID, other: ID) -> Bool {
        one.comparisons.increment()
        return one.number == other.number
      }

      func hash(into hasher: inout Hasher) { hasher.combine(number) }
    }

    let id: ID
    let reads: Counter
    var number = 0
    private var session: Int? = 1
    var counted: Int? {
      reads.increment()
      return session
    }

    init(_ number: Int, _ comparisons: Counter, _ reads: Counter) {
      (id, self.reads) = (ID(number: number, comparisons: comparisons), reads)
    }
  }

  private struct App: Sendable {
    var rows = Entities<Row>()
  }

  private struct Go: Action {}
  private struct Touch: Action {}
  private struct Stop: Action {}

  enum Word: CaseIterable, Sendable { case tied, cancelled }

  /// How often a tie was read, and how often ids were compared, for an action for one of so many rows.
  private func questions(
    of word: Word, rows count: Int
  ) async throws -> (reads: Int, comparisons: Int) {
    let (comparisons, reads, gate) = (Counter(), Counter(), Gate())
    let effect = Effect<Row>(on: Go.self) { _, _ in try await gate.wait() }
    let row = Feature<Row> {
      Mutator(\Row.number) { (number: inout Int, _: Touch) in number += 1 }
        .on(Go.self) { _, _ in }
        .on(Stop.self) { _, _ in }
      switch word {
      case .tied: effect.tied(to: \.counted)
      case .cancelled: effect.cancelled(on: Stop.self)
      }
    }
    let all = (0..<count).map { Row($0, comparisons, reads) }
    let store = try Store(initialState: App(rows: Entities(all)), coverage: .partial) {
      row.identified().lifted(\.rows)
    }
    for row in all { store.dispatch(Go().element(row.id)) }
    await gate.waitForWaiters(count)
    let former = (reads.value, comparisons.value)
    switch word {
    case .tied: store.dispatch(Touch().element(all[3].id))
    case .cancelled: store.dispatch(Stop().element(all[3].id))
    }
    let found = (reads.value - former.0, comparisons.value - former.1)
    gate.open()
    try await store.settled()
    return found
  }

  @Test(arguments: Word.allCases)
  func `which a tie reads, and a cancelling action looks for`(_ word: Word) async throws {
    let (few, many) = (
      try await questions(of: word, rows: 10), try await questions(of: word, rows: 300)
    )
    #expect(many.reads <= few.reads + 4, "\(many), \(few)")
    #expect(many.comparisons <= few.comparisons + 40, "\(many), \(few)")
  }

  private struct Box: Sendable { var rows: [Row] = [] }
  private struct Shelf: Sendable {
    var rows = Entities<Row>()
    var byKey: [Int: Row] = [:]
    var array: [Row] = []
    var boxes: [Box] = []
    var boxesByKey: [Int: Box] = [:]
  }
  private struct Load: Action {}

  enum Lift: CaseIterable, Sendable { case ids, keys, offsets, offsetsInOffsets, offsetsInKeys }

  /// How often a value was read, and how often ids were compared, for an action for one of so many rows.
  private func questions(
    of lift: Lift, rows count: Int, isAsync: Bool
  ) async throws -> (reads: Int, comparisons: Int) {
    let (comparisons, reads, comings) = (Counter(), Counter(), Counter())
    let row = Feature<Row>("row", onInstall: { _ in comings.increment() }) {
      if isAsync {
        AsyncMutator(\Row.number) { (number: Int, _: Touch) in AsyncResult(value: number + 1) }
      } else {
        Mutator(\Row.number) { (number: inout Int, _: Touch) in number += 1 }
      }
      Effect(whenChanged: \Row.counted) { _, _ -> Void in }
    }
    let box = row.offset().lifted(\Box.rows)
    let feature: Feature<Shelf> =
      switch lift {
      case .ids: row.identified().lifted(\Shelf.rows)
      case .keys: row.keyed().lifted(\Shelf.byKey)
      case .offsets: row.offset().lifted(\Shelf.array)
      case .offsetsInOffsets: box.offset().lifted(\Shelf.boxes)
      case .offsetsInKeys: box.keyed().lifted(\Shelf.boxesByKey)
      }
    let all = (0..<count).map { Row($0, comparisons, reads) }
    let byNumber = Dictionary(uniqueKeysWithValues: all.map { ($0.id.number, $0) })
    let state = try Shelf(
      rows: Entities(all), byKey: byNumber, array: all,
      boxes: [Box(rows: all), Box(rows: all)], boxesByKey: [0: Box(rows: all), 1: Box(rows: all)])
    let store = try Store(initialState: state, coverage: .partial) { feature }
    try await store.settled()
    #expect(comings.value == (lift == .offsetsInOffsets || lift == .offsetsInKeys ? 2 : 1) * count)
    let former = (reads.value, comparisons.value)
    let touch: any Action =
      switch lift {
      case .ids: Touch().element(all[3].id)
      case .keys, .offsets: Touch().element(3)
      case .offsetsInOffsets, .offsetsInKeys: Touch().element(3).element(1)
      }
    try await store.dispatch(touch).finish()
    return (reads.value - former.0, comparisons.value - former.1)
  }

  @Test(arguments: Lift.allCases, [false, true])
  func `whose value an effect compares, and in which a feature is`(
    _ lift: Lift, isAsync: Bool
  ) async throws {
    let few = try await questions(of: lift, rows: 10, isAsync: isAsync)
    let many = try await questions(of: lift, rows: 300, isAsync: isAsync)
    #expect(few.reads > 0)
    #expect(many.reads <= few.reads + 4, "\(many), \(few)")
    #expect(many.comparisons <= few.comparisons + 40, "\(many), \(few)")
  }
}
