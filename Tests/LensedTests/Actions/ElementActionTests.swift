import Foundation
import Lensed
import LensedTestSupport
import Testing

/// Two collections whose elements answer the same actions.
private struct Shelf: Equatable, Sendable {
  var books: [String: Int] = [:]
  var films: [Int] = []
  var log: [String] = []
}

private enum ItemAction: Action, Hashable, Codable {
  case add(Int)
}

@Suite("ElementAction: an action for one element", .timeLimit(.minutes(30)))
struct ElementActionTests {
  private let store: Store<Shelf>

  init() throws {
    let item = Reducer { (count: inout Int, action: ItemAction) in
      switch action {
      case .add(let amount): count += amount
      }
    }
    store = try Store(initialState: Shelf(books: ["a": 1, "b": 2], films: [10, 20])) {
      Mutator(\.books, item.keyed())
      Mutator(\.films, item.offset())
      Constant(\.log)
    }
  }

  @Test func `element(_:) addresses an action, from the inside out`() {
    #expect(ItemAction.add(5).element("a") == ElementAction(id: "a", action: ItemAction.add(5)))
    let nested: ElementAction<String, ElementAction<Int, ItemAction>> =
      ItemAction.add(1).element(7).element("house")
    #expect(nested.id == "house" && nested.action.id == 7)
    store.dispatch(ItemAction.add(5).element("a"))
    // A list is addressed member by member.
    store.dispatch([ItemAction.add(1), .add(2)].element(1))
    #expect(store.state == Shelf(books: ["a": 6, "b": 2], films: [10, 23]))
  }

  @Test func `it reaches the element that its id names, and no other`() {
    store.dispatch(ElementAction(id: "a", action: ItemAction.add(5)))
    #expect(store.state == Shelf(books: ["a": 6, "b": 2], films: [10, 20]))
    store.dispatch(ElementAction(id: 1, action: ItemAction.add(5)))
    #expect(store.state == Shelf(books: ["a": 6, "b": 2], films: [10, 25]))
  }

  @Test(.warnsOnPurpose) func `the bare action reaches no element`() async throws {
    var changes = store.changes().makeAsyncIterator()
    store.dispatch(ItemAction.add(5))
    #expect(store.state == Shelf(books: ["a": 1, "b": 2], films: [10, 20]))
    #expect(await changes.next()?.isHandled == false)
  }

  @Test func `the type of the id keeps collections apart`() async throws {
    var changes = store.changes().makeAsyncIterator()
    store.dispatch(ElementAction(id: "a", action: ItemAction.add(1)))
    let change = try #require(await changes.next())
    #expect(change.touches(\.books))
    #expect(!change.touches(\.films))
  }

  @Test func `an array inside it is addressed member by member, as one commit`() {
    let heard = Recorder<Shelf>()
    let subscription = store.states.subscribe { heard.append($0) }
    store.dispatch(ElementAction(id: "b", action: [ItemAction.add(1), .add(2)]))
    #expect(heard.values.map { $0.books["b"] } == [2, 5])
    subscription.cancel()
  }

  @Test func `a sequence inside it is addressed element by element`() async throws {
    let script = ScriptedActions<ItemAction>(giving: .add(1), .add(2))
    try await store.dispatch(ElementAction(id: "b", action: AsyncActions(script))).finish()
    #expect(store.books == ["a": 1, "b": 5])
  }

  @Test func `equal, hashed and coded when its parts are`() throws {
    let action = ElementAction(id: "a", action: ItemAction.add(1))
    #expect(action == ElementAction(id: "a", action: .add(1)))
    #expect(action != ElementAction(id: "b", action: .add(1)))
    #expect(action != ElementAction(id: "a", action: .add(2)))
    #expect(Set([action, action, ElementAction(id: "b", action: .add(1))]).count == 2)
    let data = try JSONEncoder().encode(action)
    let decoded = try JSONDecoder().decode(ElementAction<String, ItemAction>.self, from: data)
    #expect(decoded == action)
  }
}
