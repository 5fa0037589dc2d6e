import Lensed
import LensedTestSupport
import Testing

@Suite("StoreBlueprint: proved once, made often")
struct StoreBlueprintTests {
  @Test(.warnsOnPurpose) func `its stores are independent`() throws {
    let blueprint = try StoreBlueprint<Desk> {
      Desk.countMutator
      Desk.titleMutator
      Desk.notesMutator
    }
    let first = blueprint.makeStore(initialState: Desk())
    let second = blueprint.makeStore(initialState: Desk(count: 10))
    first.dispatch(CountAction.add(1))
    second.dispatch(CountAction.add(1))
    #expect([first.count, second.count] == [1, 11])
    #expect(second.unregister(\.count))
    first.dispatch(CountAction.add(1))
    second.dispatch(CountAction.add(1))
    #expect([first.count, second.count] == [2, 11])
  }

  @Test func `faults that need no state show when it is made`() throws {
    let error = try #require(throws: RegistrationError.self) {
      _ = try StoreBlueprint<Desk> {
        Desk.countMutator
        Desk.countMutator
        Mutator(\.title) { (title: inout String, _: ActionList) in title = "" }
      }
    }
    #expect(
      error.faults == [
        .twoReducers(property: "count"), .listReducer(property: "title", action: "ActionList"),
      ])
  }

  @Test func `what is missing traps on the first dispatch of a store`() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let blueprint = try StoreBlueprint<Desk> { Desk.countMutator }
      _ = blueprint.makeStore(initialState: Desk())
      blueprint.makeStore(initialState: Desk()).dispatch(CountAction.add(1))
    }
    for name in ["title", "notes"] {
      #expect(result.message.contains("`\(name)` has no reducer"))
    }
  }

  @Test func `where coverage is partial nothing is missing`() throws {
    let blueprint = try StoreBlueprint<Desk>(coverage: .partial) { Desk.countMutator }
    let store = blueprint.makeStore(initialState: Desk())
    store.dispatch(CountAction.add(1))
    #expect(store.count == 1)
    try store.register(Desk.titleMutator)
    store.dispatch(TitleAction.rename("T"))
    #expect(store.title == "T")
  }

  @Test func `what is missing may be registered before the first dispatch`() throws {
    let blueprint = try StoreBlueprint<Desk> { Desk.countMutator }
    let store = blueprint.makeStore(initialState: Desk())
    try store.register(
      Feature {
        Desk.titleMutator
        Desk.notesMutator
      })
    store.dispatch(CountAction.add(1))
    #expect(store.count == 1)
  }
}
