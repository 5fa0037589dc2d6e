import LensedTestSupport
import Testing

@testable import Lensed

/// Most actions are for a child that is there and take the fast path; what is missing is told on the slow one.
@Suite("Actions for children take the fast path", .timeLimit(.minutes(30)))
struct FastChildTests {
  private struct Item: Sendable, Equatable, Identifiable {
    let id: Int
    var count = 0
  }
  private enum Screen: Sendable, Equatable {
    case list
    case detail(Item)
  }
  private struct App: Sendable, Equatable {
    var sheet: Item? = Item(id: 1)
    var screen = Screen.detail(Item(id: 2))
    var rows: Entities<Item> = [Item(id: 3)]
    var table = ["a": Item(id: 4)]
    var first = 0
    var second = 0
    var third = 0
    var other = 0
  }

  private struct InSheet: Action {}
  private struct InScreen: Action {}
  private struct InRow: Action {}
  private struct InEntry: Action {}
  private struct InThree: Action {}
  private struct Leave: Action {}
  private struct Other: Action {}

  /// What an action reaches its child through.
  private enum Way: CaseIterable, Sendable {
    case optional, prism, row, entry, threeReducers

    var action: any Action {
      switch self {
      case .optional: InSheet()
      case .prism: InScreen()
      case .row: InRow().element(3)
      case .entry: InEntry().element("a")
      case .threeReducers: InThree()
      }
    }

    func count(_ app: App) -> Int? {
      switch self {
      case .optional: app.sheet?.count
      case .prism: if case .detail(let item) = app.screen { item.count } else { nil }
      case .row: app.rows[id: 3]?.count
      case .entry: app.table["a"]?.count
      case .threeReducers: app.first == app.second && app.second == app.third ? app.first : -1
      }
    }

    /// Whether a child that is missing is worth a warning.
    var names: Bool { self == .row || self == .entry }
    static var children: [Way] { allCases.filter { $0 != .threeReducers } }
  }

  private static let detail = Prism<Screen, Item>(
    embed: Screen.detail, extract: { if case .detail(let item) = $0 { item } else { nil } })

  private static func counting<A: Action>(_ type: A.Type) -> Reducer<Item> {
    Reducer { (item: inout Item, _: A) in item.count += 1 }
  }

  private static func makeStore(
    onWarning: @escaping StoreWarningHandler = { _ in }
  ) throws -> Store<App> {
    try Store(initialState: App(), onWarning: onWarning) {
      Mutator(\.sheet, counting(InSheet.self).optional()).on(Leave.self) { sheet, _ in sheet = nil }
      Mutator(\.screen, counting(InScreen.self).matching(detail))
        .on(Leave.self) { screen, _ in screen = .list }
      Mutator(\.rows, counting(InRow.self).identified()).on(Leave.self) { rows, _ in rows = [] }
      Mutator(\.table, counting(InEntry.self).keyed()).on(Leave.self) { table, _ in table = [:] }
      Mutator(\.first) { (count: inout Int, _: InThree) in count += 1 }
      Mutator(\.second) { (count: inout Int, _: InThree) in count += 1 }
      Mutator(\.third) { (count: inout Int, _: InThree) in count += 1 }
      Mutator(\.other) { (count: inout Int, _: Other) in count += 1 }
    }
  }

  @Test(arguments: Way.allCases)
  private func `where the child is there, and for more than two reducers`(_ way: Way) throws {
    let store = try Self.makeStore()
    for number in 1...3 {
      let task = store.dispatch(way.action)
      #expect(task.isHandled == true)
      #expect(task.revision == UInt64(number))
      #expect(way.count(store.state) == number)
    }
    let key = ObjectIdentifier(type(of: way.action))
    #expect(store.core.withTable { _ in store.core.cache.fastEntry(of: key) != nil })
  }

  @Test(arguments: Way.children)
  private func `a child that is missing is told of once, and the commit counts once`(
    _ way: Way
  ) throws {
    let warnings = Recorder<StoreWarning.Kind>()
    let store = try Self.makeStore { warnings.append($0.kind) }
    store.dispatch(way.action)
    store.dispatch(Leave())
    let before = store.state
    for number in 3...4 {
      let task = store.dispatch(way.action)
      #expect(task.isHandled == false)
      #expect(task.revision == UInt64(number))
    }
    #expect(store.state == before)
    #expect(warnings.values == (way.names ? [.missingElement] : []))
    store.replaceState(App())
    #expect(store.dispatch(way.action).revision == 6)
    #expect(way.count(store.state) == 1)
  }

  @Test(arguments: Way.allCases)
  private func `observers of the part are notified, and no others`(_ way: Way) throws {
    let store = try Self.makeStore()
    let (own, others) = (Recorder<Int?>(), Recorder<Int>())
    let subscriptions = [
      store.states.map { way.count($0) }.subscribe { own.append($0) },
      store.states(\.other).subscribe { others.append($0) },
    ]
    for _ in 1...3 { store.dispatch(way.action) }
    #expect(own.values == [0, 1, 2, 3])
    #expect(others.values == [0])
    store.dispatch(Other())
    #expect(others.values == [0, 1])
    for subscription in subscriptions { subscription.cancel() }
  }

  @Test func `an observed row and a row beside it`() throws {
    let store = try Store(initialState: App(rows: [Item(id: 3), Item(id: 5)])) {
      Mutator(\.rows, Self.counting(InRow.self).identified())
      Constant(\.sheet)
      Constant(\.screen)
      Constant(\.table)
      Constant(\.first)
      Constant(\.second)
      Constant(\.third)
      Constant(\.other)
    }
    let seen = Recorder<Int?>()
    let subscription = store.states(\.rows, id: 3).subscribe { seen.append($0?.count) }
    for id in [3, 5, 3, 5] { store.dispatch(InRow().element(id)) }
    #expect(seen.values == [0, 1, 2])
    #expect(store.rows.map(\.count) == [2, 2])
    subscription.cancel()
  }

  private struct Page: Sendable, Identifiable {
    let id: Int
    var count = 0
    var text = ""
  }
  private struct Book: Sendable { var pages: Entities<Page> = [Page(id: 3)] }
  private struct Load: Action {}

  @Test func `beside an asynchronous mutator of another action, in children and in the whole`()
    throws
  {
    let rows = try Store(initialState: Book(), coverage: .partial) {
      Feature<Page> {
        Mutator(\Page.count) { (count: inout Int, _: InRow) in count += 1 }
        AsyncMutator(\Page.text) { (text: String, _: Load) in AsyncResult { text + "." } }
      }
      .identified().lifted(\Book.pages)
    }
    rows.dispatch(InRow().element(3))
    let row = ObjectIdentifier(ElementAction<Int, InRow>.self)
    #expect(rows.core.withTable { _ in rows.core.cache.fastEntry(of: row) != nil })
    let page = try Store(initialState: Page(id: 3), coverage: .partial) {
      Mutator(\Page.count) { (count: inout Int, _: InRow) in count += 1 }
      AsyncMutator(\Page.text) { (text: String, _: Load) in AsyncResult { text + "." } }
    }
    page.dispatch(InRow())
    let whole = ObjectIdentifier(InRow.self)
    #expect(page.core.withTable { _ in page.core.cache.fastEntry(of: whole) != nil })
    #expect(rows.pages[id: 3]?.count == 1 && page.count == 1)
  }

  @Test func `a part that middleware joins leaves the fast path, and comes back`() throws {
    final class Log: Middleware {
      typealias State = App
      let seen = Recorder<UInt64>()
      func didReduce(_ change: Change<App>) { seen.append(change.revision) }
    }
    let store = try Self.makeStore()
    store.dispatch(InSheet())
    let log = Log()
    let attached = store.attach(log)
    store.dispatch(InSheet())
    attached.cancel()
    store.dispatch(InSheet())
    #expect(log.seen.values == [2])
    #expect(store.sheet?.count == 3)
  }
}
