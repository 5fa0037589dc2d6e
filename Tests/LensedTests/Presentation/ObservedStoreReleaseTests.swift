import LensedTestSupport
import Observation
import Testing

@testable import Lensed

@Suite("ObservedStore: what nobody looks at is released, and not read", .timeLimit(.minutes(30)))
@MainActor
struct ObservedStoreReleaseTests {
  private struct Row: Sendable, Equatable {
    var number = 0
    var children: [Int] = []
    var double: Int { number * 2 }
  }

  private struct Table: Sendable, Equatable {
    var rows: [Row] = []
    var names: [String: Row] = [:]
    var extra: Row?
    var count = 0
  }

  private enum TableAction: Action {
    case resize(Int)
    case write(Int, Int)
    case name(String, Int?)
    case replaceChildren([Int])
  }

  private struct ExtraAction: Action {
    let row: Row?
  }

  nonisolated private static func makeStore() throws -> Store<Table> {
    try Store(
      initialState: Table(rows: (0..<4).map { Row(number: $0, children: [0, 1, 2]) }),
      coverage: .partial
    ) {
      Mutator(\Table.rows) { (rows: inout [Row], action: TableAction) in
        switch action {
        case .resize(let count):
          rows = (0..<count).map { $0 < rows.count ? rows[$0] : Row(number: $0) }
        case .write(let index, let number): rows[index].number = number
        case .replaceChildren(let children): rows[0].children = children
        case .name: break
        }
      }
      Mutator(\Table.names) { (names: inout [String: Row], action: TableAction) in
        if case .name(let name, let number) = action {
          names[name] = number.map { Row(number: $0) }
        }
      }
      Mutator(\Table.extra) { (extra: inout Row?, action: ExtraAction) in extra = action.row }
      Mutator(\Table.count) { (count: inout Int, _: CountAction) in count += 1 }
    }
  }

  // In a process of its own: a look that cannot be made ends it.

  @Test func `an element that has gone is not looked at, and its reader is told once`() async {
    await #expect(processExitsWith: .success) {
      try await MainActor.run {
        let store = try Self.makeStore()
        let observed = ObservedStore(store)
        let lookers = (0..<4).map { index in Onlooker { _ = observed[\.rows[index]] } }
        let names = (0..<4).map { index in Onlooker { _ = observed[\.rows[index].number] } }
        observed.dispatch(TableAction.resize(2))
        for told in lookers.dropFirst(2) + names.dropFirst(2) { try #require(told.count == 1) }
        for _ in 0..<3 { observed.dispatch(TableAction.resize(1)) }
        observed.dispatch(TableAction.resize(4))
        try #require(observed[\.rows[3]].number == 3)
        try #require(lookers[3].count == 1)
      }
    }
  }

  @Test func `an element's reader is told by commits of others as well`() async {
    await #expect(processExitsWith: .success) {
      let store = try Self.makeStore()
      let told = Counter()
      let observed = await ObservedStore(store)
      await MainActor.run {
        withObservationTracking {
          _ = observed[\.rows[3].number]
        } onChange: {
          told.increment()
        }
      }
      store.dispatch(TableAction.resize(1))
      while told.value == 0 { await Task.yield() }
      store.dispatch(TableAction.resize(0))
      await MainActor.run { _ = observed.rows }
    }
  }

  @Test func `an element in an element that has gone is not looked at`() async {
    await #expect(processExitsWith: .success) {
      try await MainActor.run {
        let observed = ObservedStore(try Self.makeStore())
        let deep = Onlooker { _ = observed[\.rows[0].children[2]] }
        observed.dispatch(TableAction.replaceChildren([]))
        try #require(deep.count == 1)
        observed.dispatch(TableAction.resize(0))
      }
    }
  }

  @Test func `a forced optional that has become nil is not looked at`() async {
    await #expect(processExitsWith: .success) {
      try await MainActor.run {
        let observed = ObservedStore(try Self.makeStore())
        observed.dispatch(ExtraAction(row: Row(number: 7)))
        let forced = Onlooker { _ = observed[\.extra!.number] }
        observed.dispatch(ExtraAction(row: nil))
        try #require(forced.count == 1)
        observed.dispatch(ExtraAction(row: nil))
      }
    }
  }

  @Test func `a list of rows as the whole state may get shorter too`() async {
    await #expect(processExitsWith: .success) {
      try await MainActor.run {
        let store = try Self.makeStore()
        let observed = ObservedStore(store.scope(\.rows))
        let row = Onlooker { _ = observed[\.[3].number] }
        observed.dispatch(TableAction.resize(3))
        try #require(row.count == 1)
        try #require(observed.count == 3)
        withExtendedLifetime(store) {}
      }
    }
  }

  @Test func `a reader by an index is told once of each commit that may touch its list`() throws {
    let observed = ObservedStore(try Self.makeStore())
    let lookers = (0..<4).map { index in Onlooker { _ = observed[\.rows[index].number] } }
    observed.dispatch(TableAction.write(2, 20))
    #expect(lookers.map(\.count) == [1, 1, 1, 1])
    #expect((0..<4).map { observed[\.rows[$0].number] } == [0, 1, 20, 3])
    lookers[0].look()
    observed.dispatch(TableAction.resize(9))
    #expect(lookers.map(\.count) == [2, 1, 1, 1])
    #expect((0..<4).map { observed[\.rows[$0].number] } == [0, 1, 20, 3])
  }

  @Test func `a key that comes and goes, an optional, a deep computed property`() throws {
    let observed = ObservedStore(try Self.makeStore())
    let named = Onlooker { _ = observed[\.names["a"]] }
    let number = Onlooker { _ = observed[\.names["a"]?.number] }
    let extra = Onlooker { _ = observed[\.extra?.number] }
    observed.dispatch(TableAction.name("b", 1))
    #expect([named.count, number.count, extra.count] == [0, 0, 0])
    observed.dispatch(TableAction.name("a", 1))
    observed.dispatch(ExtraAction(row: Row(number: 1)))
    #expect([named.count, number.count, extra.count] == [1, 1, 1])
    #expect(observed[\.names["a"]?.number] == 1)
    #expect(observed[\.extra?.number] == 1)
  }

  @Test func `a read after the reader was told shows what is there now`() throws {
    let observed = ObservedStore(try Self.makeStore())
    let forced = Onlooker { _ = observed[\.rows[0].double] }
    observed.dispatch(TableAction.write(0, 4))
    #expect(forced.count == 1)
    #expect(observed[\.rows[0].double] == 8)
    observed.dispatch(TableAction.write(0, 5))
    observed.dispatch(TableAction.write(0, 6))
    #expect(observed[\.rows[0].double] == 12)
  }

  @Test func `who was told and does not read again is released at the next commit`() throws {
    let alive = LiveCount()
    struct Held: Sendable { var token: LiveCount.Token? }
    struct Replace: Action { let token: LiveCount.Token? }
    let observed = ObservedStore(
      try Store(initialState: Held()) {
        Mutator(\Held.token) { (token: inout LiveCount.Token?, action: Replace) in
          token = action.token
        }
      })
    _ = observed.token
    #expect(observed.values.count == 1)
    observed.dispatch(Replace(token: alive.token()))
    #expect(alive.value == 1)
    observed.dispatch(Replace(token: nil))
    #expect(observed.values.count == 0)
    #expect(alive.value == 0)
    observed.dispatch(Replace(token: alive.token()))
    #expect(observed.token != nil)
    #expect(observed.values.count == 1)
  }

  @Test func `who reads again is told again, for ever`() throws {
    let observed = ObservedStore(try Self.makeStore())
    let (counts, rows) = (
      Onlooker { _ = observed.count }, Onlooker { _ = observed[\.rows[0].number] }
    )
    for round in 1...20 {
      observed.dispatch(CountAction.keep)
      observed.dispatch(TableAction.write(0, round))
      #expect([counts.count, rows.count] == [round, round])
      counts.look()
      rows.look()
    }
    #expect(observed.values.count == 2)
  }

  @Test func `many elements that come and go leave nothing behind`() throws {
    let observed = ObservedStore(try Self.makeStore())
    for round in 1...50 {
      observed.dispatch(TableAction.resize(round))
      _ = observed[\.rows[round - 1].number]
    }
    for count in [2, 1, 0, 0] { observed.dispatch(TableAction.resize(count)) }
    #expect(observed.values.count == 0)
    #expect(observed.rows == [])
  }

  @Test func `equal key paths of many places find one value, and are forgotten with it`() throws {
    let observed = ObservedStore(try Self.makeStore())
    // A key path that captures a key is an object of its own at each evaluation.
    func number(_ name: String) -> any KeyPath<Table, Int?> & Sendable { \.names[name]?.number }
    func read(_ name: String) -> Int? { observed[number(name)] }
    for round in 0..<4 {
      observed.dispatch([TableAction.name("a", round), .name("b", -round)])
      for _ in 0..<50 { #expect([read("a"), read("b")] == [round, -round]) }
      #expect(observed.values.count == 2)
      let form = KeyPathForm(isProperty: false, isCompared: true)
      let value = observed.values.value(number("a"), form)
      #expect(value?.equalPaths.count == 16)
      // Nobody reads them before they are touched again: they are released, and so are the key paths. What is read next
      // may lie at their addresses.
      for _ in 0..<2 { observed.dispatch([TableAction.name("a", 7), .name("b", 8)]) }
      #expect(observed.values.count == 0)
      #expect([read("b"), read("a")] == [8, 7])
    }
  }
}
