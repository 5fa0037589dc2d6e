import Lensed
import LensedTestSupport
import Testing

@Suite("focusingOn: takes only what is applied synchronously")
struct FocusingTests {
  @Test func `a list that holds a sequence traps with a sentence`() async throws {
    let result = try #require(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let store = try Contract.makeStore()
        let list: [any Action] = [
          Contract.AppAction.clear,
          AsyncActions(Contract.ticks(1).map { Contract.AppAction.line($0) }),
        ]
        _ = store.dispatch(list, focusingOn: \.counter)
      })
    #expect(result.message.contains("focusingOn:"))
    #expect(result.message.contains("ActionList"))
    #expect(result.message.contains("ActionTypeTests.swift"))
    #expect(result.message.contains("finish()"))
  }
}

@Suite("Actions are value types, routed by their exact type")
struct ActionTypeTests {
  private final class ObjectAction: Action {}

  @Test func `registering a reducer of a class type traps with a sentence`() async throws {
    let result = try #require(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let store = Store(initialState: Contract.AppState(), coverage: .partial)
        try store.register(
          Mutator(\.counter) { (_: inout Contract.CounterState, _: ObjectAction) in })
      })
    #expect(result.message.contains("`counter`"))
    #expect(result.message.contains("ObjectAction"))
    #expect(result.message.contains("class"))
  }

  @Test(.warnsOnPurpose) func `a commit that no reducer handles is still a commit`() async throws {
    let store = try Contract.makeStore()
    let heard = Recorder<Contract.AppState>()
    let subscription = store.states.subscribe { heard.append($0) }
    var changes = store.changes(buffering: .unbounded).makeAsyncIterator()
    store.dispatch(StrayAction())
    let change = try #require(await changes.next())
    #expect(!change.isHandled)
    #expect(change.action is StrayAction)
    #expect(change.revision == 1)
    #expect(heard.count == 1)
    subscription.cancel()
  }
}
