import Lensed
import LensedTestSupport
import Testing

@Suite("ScopedStore: one feature that knows nothing of the app", .timeLimit(.minutes(30)))
struct ScopeTests {
  private enum Left {}
  private enum Right {}
  private enum Outer {}

  private struct App: Sendable, Equatable {
    var left = Desk()
    var right = Desk()
  }

  private static func feature(_ lens: Lens<App, Desk>) -> Mutator<App, Desk> {
    Mutator(
      lens: lens,
      reducer: Reducer { (desk: inout Desk, action: CountAction) in
        if case .add(let amount) = action { desk.count += amount }
      }
      .on(TitleAction.self) { desk, action in
        if case .rename(let title) = action { desk.title = title }
      })
  }

  private static func makeStore() throws -> Store<App> {
    try Store(initialState: App()) {
      feature(Lens(\.left)).tagged(Left.self)
      feature(Lens(\.right)).tagged(Right.self)
    }
  }

  @Test func `it reads its part and dispatches to its instance`() throws {
    let store = try Self.makeStore()
    let (left, right) = (
      store.scope(\.left, actions: .tagged(Left.self)),
      store.scope(Lens(\.right), actions: .tagged(Right.self))
    )
    left.dispatch(CountAction.add(1))
    right.dispatch([CountAction.add(1), .add(1)])
    right.dispatch([CountAction.add(1), TitleAction.rename("R")])
    let one: any Action = TitleAction.rename("L")
    left.dispatch(one)
    #expect(left.state == Desk(count: 1, title: "L"))
    #expect(right.state == Desk(count: 3, title: "R"))
    #expect(left.count == 1)
    #expect(right[Lens(\.title)] == "R")
  }

  @Test func `an array through a scope is one commit`() async throws {
    let store = try Self.makeStore()
    var changes = store.changes().makeAsyncIterator()
    let left = store.scope(\.left, actions: .tagged(Left.self))
    left.dispatch([CountAction.add(1), .add(1)])
    left.dispatch([CountAction.add(1), TitleAction.rename("L")])
    left.dispatchEach([CountAction.add(1)])
    var counts: [Int] = []
    for _ in 0..<3 {
      if let change = await changes.next() { counts.append(change.state.left.count) }
    }
    #expect(counts == [2, 3, 4])
  }

  @Test func `a sequence through a scope is tagged element by element`() async throws {
    let store = try Self.makeStore()
    let left = store.scope(\.left, actions: .tagged(Left.self))
    let numbers = AsyncStream<Int> { continuation in
      for number in 1...4 { continuation.yield(number) }
      continuation.finish()
    }
    try await left.dispatch(numbers.map { CountAction.add($0) }).finish()
    #expect(store.state == App(left: Desk(count: 10)))
  }

  @Test func `its streams are of its part`() async throws {
    let store = try Self.makeStore()
    let left = store.scope(\.left, actions: .tagged(Left.self))
    let (desks, counts) = (Recorder<Desk>(), Recorder<Int>())
    let subscriptions = [
      left.states.subscribe { desks.append($0) },
      left.states(\.count).subscribe { counts.append($0) },
    ]
    store.dispatch(CountAction.add(1).tagged(Right.self))
    left.dispatch(TitleAction.rename("L"))
    left.dispatch(CountAction.add(1))
    #expect(desks.values == [Desk(), Desk(title: "L"), Desk(count: 1, title: "L")])
    #expect(counts.values == [0, 1])
    var iterator = left.states.makeAsyncIterator()
    #expect(await iterator.next() == Desk(count: 1, title: "L"))
    for subscription in subscriptions { subscription.cancel() }
  }

  @Test func `without a tag it hands actions on as they are`() throws {
    let store = try Store(initialState: App(), coverage: .partial) {
      Self.feature(Lens(\.left))
    }
    let left = store.scope(\.left)
    left.dispatch(CountAction.add(1))
    left.dispatch([CountAction.add(1), TitleAction.rename("L")])
    #expect(store.left == Desk(count: 2, title: "L"))
  }

  @Test func `a scope of a scope tags from the inside out`() throws {
    struct World: Sendable { var app = App() }
    let store = try Store(initialState: World()) {
      Self.feature(Lens(\.left)).tagged(Left.self).lifted(Lens(\World.app)).tagged(Outer.self)
      Self.feature(Lens(\.right)).tagged(Right.self).lifted(Lens(\World.app)).tagged(Outer.self)
    }
    let app = store.scope(\.app, actions: .tagged(Outer.self))
    let left = app.scope(\.left, actions: .tagged(Left.self))
    left.dispatch(CountAction.add(2))
    app.dispatch(CountAction.add(3).tagged(Right.self))
    #expect(left.state == Desk(count: 2))
    #expect(app.state == App(left: Desk(count: 2), right: Desk(count: 3)))
    #expect(app.scope(\.left).scope(\.count).state == 2)
  }

  @Test func `after the store has gone it gives the last state, and dispatches do nothing`()
    async throws
  {
    var store: Store<App>? = try Self.makeStore()
    let left = try #require(store).scope(\.left, actions: .tagged(Left.self))
    left.dispatch(CountAction.add(4))
    store = nil
    #expect(left.state == Desk(count: 4))
    left.dispatch(CountAction.add(1))
    left.dispatch([CountAction.add(1), TitleAction.rename("L")])
    let task = left.dispatch(AsyncStream<CountAction> { $0.yield(.add(1)) })
    try await task.finish()
    #expect(left.state == Desk(count: 4))
    var states = left.states.makeAsyncIterator()
    #expect(await states.next() == nil)
    let heard = Recorder<Int>()
    let subscription = left.states(\.count).subscribe { heard.append($0) }
    #expect(heard.values.isEmpty)
    subscription.cancel()
  }

  @Test func `after the store has gone it keeps nothing that reducers have captured`() throws {
    final class Lamp: Sendable {}
    let lamp = WeakReference<Lamp>()
    func makeScope() throws -> ScopedStore<Desk> {
      let captured = Lamp()
      lamp.refer(to: captured)
      let store = try Store(initialState: Desk(), coverage: .partial) {
        Mutator(\.count) { [captured] (count: inout Int, _: CountAction) in
          withExtendedLifetime(captured) { count += 1 }
        }
      }
      let changes = store.changes().makeAsyncIterator()
      store.dispatch(CountAction.add(1))
      withExtendedLifetime(changes) {}
      return store.asScope
    }
    let scope = try makeScope()
    #expect(scope.count == 1)
    #expect(lamp.object == nil)
  }
}
