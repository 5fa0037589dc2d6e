import Lensed
import Testing

/// `Change.actions`: the single actions of a commit, however they were dispatched.
@Suite("The actions of a change", .timeLimit(.minutes(30)))
struct ChangeActionsTests {
  struct Row: Sendable, Identifiable, Equatable {
    let id: Int
    var count = 0
  }
  struct State: Sendable {
    var count = 0
    var rows: Entities<Row> = [Row(id: 1), Row(id: 2)]
  }
  struct Add: Action, Equatable { var amount = 1 }
  struct Reset: Action, Equatable {}
  enum Left {}

  private func makeStore() throws -> Store<State> {
    let row = Mutator(\Row.count) { (count: inout Int, action: Add) in count += action.amount }
    return try Store(initialState: State()) {
      Mutator(\.count) { (count: inout Int, action: Add) in count += action.amount }
        .on(Reset.self) { count, _ in count = 0 }
        .on(Tagged<Left, Add>.self) { count, action in count += action.action.amount }
      Feature<Row> {
        row
        Constant(\Row.id)
      }
      .identified().lifted(\.rows)
    }
  }

  /// The texts of the actions of the only commit that `dispatch` makes.
  private func actions(of dispatch: (Store<State>) -> Void) async throws -> [String] {
    let store = try makeStore()
    var changes = store.changes().makeAsyncIterator()
    dispatch(store)
    let change = try #require(await changes.next())
    #expect(change.revision == 1)
    return change.actions.map { "\($0)" }
  }

  @Test func `are the same in an array, in a list, and in lists in lists`() async throws {
    let (add, reset) = ("\(Add(amount: 1))", "\(Reset())")
    #expect(try await actions { $0.dispatch(Add()) } == [add])
    #expect(try await actions { $0.dispatch([Add()]) } == [add])
    #expect(try await actions { $0.dispatch(ActionList([Add()])) } == [add])
    #expect(try await actions { $0.dispatch([[Add()], []] as [[Add]]) } == [add])
    let one: any Action = Add()
    #expect(try await actions { $0.dispatch(one) } == [add])
    #expect(
      try await actions {
        $0.dispatch([Add(), [Add(), Add()], ActionList([Reset()])] as [any Action])
      }
        == [add, add, add, reset])
  }

  @Test func `a tagged list is a list of tagged actions`() async throws {
    let tagged = "\(Add().tagged(Left.self))"
    #expect(
      try await actions { $0.dispatch([Add(), Add()].tagged(Left.self)) } == [tagged, tagged])
    #expect(
      try await actions { $0.dispatch(ElementAction(id: 1, action: [Add(), Add()])) }
        == Array(repeating: "\(ElementAction(id: 1, action: Add()))", count: 2))
  }

  @Test func `are empty after a replacement`() async throws {
    #expect(try await actions { $0.replaceState(State()) } == [])
  }

  @Test func `are in the terms of a scope, and those of others stay as they are`() async throws {
    let store = try makeStore()
    let row = try #require(store.scope(\.rows, id: 1))
    var changes = row.changes().makeAsyncIterator()
    store.dispatch([
      ElementAction(id: 1, action: Add(amount: 5)), ElementAction(id: 2, action: Add(amount: 6)),
    ])
    let change = try #require(await changes.next())
    #expect(change.actions.count == 2)
    #expect(change.actions.first as? Add == Add(amount: 5))
    #expect(
      change.actions.last as? ElementAction<Int, Add>
        == ElementAction(id: 2, action: Add(amount: 6)))
  }
}
