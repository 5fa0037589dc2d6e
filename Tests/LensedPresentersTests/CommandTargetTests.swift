import Lensed
import LensedPresenters
import LensedTestSupport
import Testing

@Suite(
  "Commands of a dispatcher are equal if action and destination are", .timeLimit(.minutes(30)))
struct CommandTargetTests {
  private struct Item: Sendable, Equatable, Identifiable {
    let id: Int
    var count = 0
    var sheet: Int? = 0
  }

  private enum Page: Sendable { case item(Item), copy(Item) }

  private struct App: Sendable {
    var left = Item(id: 1)
    var sheet: Item? = Item(id: 2)
    var other: Item? = Item(id: 3)
    var rows: Entities<Item> = [Item(id: 7), Item(id: 8)]
    var keyed = ["7": Item(id: 7)]
    var page = Page.item(Item(id: 4))
  }

  private struct Add: Action, Hashable { var amount = 1 }
  private enum Wide: Action { case left(Add), right(Add), row(ElementAction<Int, Add>) }
  private enum Left {}
  private enum Right {}

  private static let item = Prism<Page, Item>(Page.item) {
    if case .item(let item) = $0 { item } else { nil }
  }
  private static let leftCase = Prism(Wide.left) {
    if case .left(let add) = $0 { add } else { nil }
  }
  private static let rightCase = Prism(Wide.right) {
    if case .right(let add) = $0 { add } else { nil }
  }
  private static let rowCase = Prism(Wide.row) { if case .row(let add) = $0 { add } else { nil } }
  /// It extracts of both cases what is in them.
  private static let any = Prism<Page, Item>(Page.copy) {
    switch $0 {
    case .item(let item), .copy(let item): item
    }
  }

  private func makeStore() throws -> Store<App> {
    try Store(initialState: App(), coverage: .partial) {
      Mutator(\.left.count) { (count: inout Int, add: Add) in count += add.amount }
    }
  }

  /// Dispatchers of which no two dispatch to the same destination.
  private func dispatchers(_ store: Store<App>) throws -> [Dispatcher] {
    let row = try #require(store.scope(\.rows, id: 7))
    let sheet = try #require(store.scope(\.sheet))
    return [
      Dispatcher(store),
      Dispatcher(store.scope(\.left, actions: .tagged(Left.self))),
      Dispatcher(store.scope(\.left, actions: .tagged(Right.self))),
      Dispatcher(
        store.scope(\.left, actions: .tagged(Left.self)).scope(
          \.count, actions: .tagged(Right.self))),
      Dispatcher(
        store.scope(\.left, actions: .tagged(Right.self)).scope(
          \.count, actions: .tagged(Left.self))),
      Dispatcher(store.scope(\.left, actions: .case(Self.leftCase))),
      Dispatcher(store.scope(\.left, actions: .case(Self.rightCase))),
      Dispatcher(row),
      Dispatcher(try #require(store.scope(\.rows, id: 8))),
      Dispatcher(try #require(store.scope(\.keyed, id: "7"))),
      Dispatcher(try #require(store.scope(\.rows, id: 7, actions: .tagged(Left.self)))),
      Dispatcher(try #require(store.scope(\.rows, id: 7, actions: .case(Self.rowCase)))),
      Dispatcher(try #require(row.scope(\.sheet))),
      Dispatcher(sheet),
      Dispatcher(try #require(sheet.scope(\.sheet))),
      Dispatcher(try #require(store.scope(\.other))),
      Dispatcher(try #require(store.scope(\.sheet, actions: .tagged(Left.self)))),
      Dispatcher(try #require(store.scope(\.page, matching: Self.item))),
      Dispatcher(try #require(store.scope(\.page, matching: Self.any))),
      Dispatcher(
        try #require(store.scope(\.page, matching: Self.item, actions: .tagged(Left.self)))),
    ]
  }

  @Test func `in whatever scope, made again or not, and in whatever store`() throws {
    let (store, other) = (try makeStore(), try makeStore())
    let made = try dispatchers(store) + dispatchers(other)
    let again = try dispatchers(store) + dispatchers(other)
    for (index, one) in made.enumerated() {
      for (number, two) in again.enumerated() {
        #expect(
          (one.command(Add()) == two.command(Add())) == (index == number), "\(index) \(number)")
        let edits = (
          one.command("edit") { (amount: Int) in Add(amount: amount) },
          two.command("edit") { (amount: Int) in Add(amount: amount) }
        )
        #expect((edits.0 == edits.1) == (index == number), "\(index) \(number)")
        #expect((edits.0.with(1) == edits.1.with(1)) == (index == number), "\(index) \(number)")
      }
      #expect(one.command(Add()) != again[index].command(Add(amount: 2)))
      #expect(one.command(Add()).hashValue == again[index].command(Add()).hashValue)
    }
  }

  @Test func `a scope that passes actions as they are dispatches where its store does`() throws {
    let store = try makeStore()
    let command = Dispatcher(store).command(Add())
    #expect(command == Dispatcher(store.asScope).command(Add()))
    #expect(command == Dispatcher(store.scope(Lens<App, App>.identity)).command(Add()))
    #expect(command == Dispatcher(store.scope(\.left)).command(Add()))
    #expect("\(command)" == "\(Command(Add()) {})")
  }
}
