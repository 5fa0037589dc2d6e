import Lensed
import LensedPresenters
import LensedTestSupport
import Testing

@Suite("Dispatch: the way to a store as a value one can call", .timeLimit(.minutes(30)))
struct DispatchValueTests {
  private let store: Store<Desk>
  private let dispatch: Dispatcher

  init() throws {
    store = try Desk.makeStore()
    dispatch = Dispatcher(store)
  }

  @Test func `it takes whatever a store's dispatch takes`() async throws {
    dispatch(CountAction.add(1))
    dispatch([CountAction.add(1), .add(1)])
    dispatch([CountAction.add(1), TitleAction.rename("t")])
    let any: any Action = CountAction.add(1)
    dispatch(any)
    let list: [any Action] = [CountAction.add(1), [CountAction.add(1)]]
    dispatch(list)
    #expect(store.state == Desk(count: 7, title: "t"))
    let actions = AsyncStream<CountAction> { continuation in
      continuation.yield(.add(1))
      continuation.finish()
    }
    try await dispatch(actions).finish()
    try await dispatch(actions.map { $0 as any Action }).finish()
    #expect(store.count == 8)
  }

  @Test func `a command of an action equals those of equal actions`() {
    let command = dispatch.command(CountAction.add(2))
    #expect(command == dispatch.command(CountAction.add(2)))
    #expect(command != dispatch.command(CountAction.add(3)))
    #expect(command != dispatch.command(TitleAction.rename("2")))
    command()
    command()
    #expect(store.count == 4)
  }

  @Test func `a command with an input makes an action of it`() {
    let rename = dispatch.command("rename") { (title: String) in TitleAction.rename(title) }
    rename("alien")
    #expect(store.title == "alien")
    #expect(rename == dispatch.command("rename") { (title: String) in TitleAction.rename(title) })
  }

  @Test func `of a scope, it tags as the scope does`() throws {
    enum Left {}
    struct App { var left = Desk() }
    let store = try Store(initialState: App(), coverage: .partial) {
      Desk.countMutator.lifted(Lens(\App.left)).tagged(Left.self)
    }
    let dispatch = Dispatcher(store.scope(\.left, actions: .tagged(Left.self)))
    dispatch(CountAction.add(1))
    dispatch([CountAction.add(1), .add(1)])
    #expect(store.left.count == 3)
  }

  @Test func `it does not keep the store alive, and then does nothing`() throws {
    var store: Store<Desk>? = try Desk.makeStore()
    let dispatch = Dispatcher(try #require(store))
    let reference = WeakReference(store)
    store = nil
    #expect(reference.object == nil)
    dispatch(CountAction.add(1))
    dispatch([CountAction.add(1), TitleAction.rename("t")])
  }
}
