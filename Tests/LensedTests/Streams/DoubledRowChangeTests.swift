import Lensed
import LensedTestSupport
import Testing

@Suite("A change that concerns a row touches it, also where rows have one id")
struct DoubledRowChangeTests {
  private struct Item: Sendable, Equatable, Identifiable {
    var id: Int
    var count = 0
  }

  private struct Row: Sendable, Equatable, Identifiable {
    var id: Int
    var title = 0
    var items = [Item(id: 0), Item(id: 1)]
  }

  private struct State: Sendable, Equatable {
    var rows: [Row] = []
    var others = 0

    func row(_ id: Int) -> Row? { rows.first { $0.id == id } }
  }

  private struct Identify: Action { let id: Int }
  private struct Rename: Action { let title: Int }
  private struct Add: Action {}

  private typealias Element<Content: Action> = ElementAction<Int, Content>

  private static func makeStore() throws -> Store<State> {
    let item = Reducer { (item: inout Item, _: Add) in item.count += 1 }
      .on(Identify.self) { item, action in item.id = action.id }
    let row = Reducer { (row: inout Row, action: Identify) in row.id = action.id }
      .on(Rename.self) { row, action in row.title = action.title }
    return try Store(initialState: State(), coverage: .partial, onWarning: { _ in }) {
      Mutator(\.rows, .combine(row.identified(), item.identified().lifted(\Row.items).identified()))
      Mutator(\.others) { (others: inout Int, _: Add) in others += 1 }
    }
  }

  /// An action for one of the rows 0 to 4, or an array or a list of some.
  private static func action(_ random: inout SeededGenerator) -> any Action {
    func number() -> Int { Int.random(in: 0..<5, using: &random) }
    func single() -> any Action {
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1: Element(id: number(), action: Identify(id: number()))
      case 2: Element(id: number(), action: Rename(title: number()))
      case 3: Element(id: number(), action: Element(id: number() % 3, action: Add()))
      case 4:
        Element(id: number(), action: Element(id: number() % 3, action: Identify(id: number() % 3)))
      default: Add()
      }
    }
    switch Int.random(in: 0..<3, using: &random) {
    case 0: return single()
    case 1: return ActionList((0...number()).map { _ in single() })
    default:
      return (0...number()).map { _ in Element(id: number(), action: Identify(id: number())) }
    }
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func `in the scope of the row and in that of the whole, after any actions`(seed: UInt64)
    async throws
  {
    var random = SeededGenerator(seed: seed)
    let store = try Self.makeStore()
    for step in 0..<40 {
      if step % 8 == 0 {
        let ids = (0..<4).map { _ in Int.random(in: 0..<5, using: &random) }
        store.replaceState(
          State(rows: ids.enumerated().map { Row(id: $1, title: 10 * step + $0) }))
      }
      var rows = (0..<5).compactMap { store.scope(\.rows, id: $0) }
        .map { $0.changes(keepingPrevious: true).makeAsyncIterator() }
      var whole = store.changes(keepingPrevious: true).makeAsyncIterator()
      let action = Self.action(&random)
      store.dispatch(action)
      for index in rows.indices {
        let change = try #require(await rows[index].next())
        let previous = try #require(change.previous)
        #expect(previous == change.state || change.touches(\.self), "\(step): \(action)")
        #expect(
          previous.title == change.state.title || change.touches(\.title), "\(step): \(action)")
        #expect(
          previous.items == change.state.items || change.touches(\.items), "\(step): \(action)")
      }
      let change = try #require(await whole.next())
      let previous = try #require(change.previous)
      let edited = change.difference(of: \.rows).edited
      for id in 0..<5 {
        let (row, former) = (change.state.row(id), previous.row(id))
        if row == former { continue }
        let touches = change.touches(Derived(RowPath(\State.rows, id: id)) { $0 })
        #expect(touches, "\(step), row \(id): \(action)")
        #expect(row == nil || former == nil || edited.contains(id), "\(step), row \(id): \(action)")
      }
    }
  }
}
