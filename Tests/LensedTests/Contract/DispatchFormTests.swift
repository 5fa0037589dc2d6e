import Lensed
import LensedTestSupport
import Testing

private typealias AppAction = Contract.AppAction
private typealias OtherAction = Contract.OtherAction

@Suite("Every dispatch form, in synchronous functions")
struct SynchronousDispatchTests {
  private let store: Store<Contract.AppState>

  init() throws {
    store = try Contract.makeStore()
  }

  @Test func `a concrete action`() {
    store.dispatch(AppAction.increase(10))
    #expect(store.counter.value == 10)
  }

  @Test func `an array of one type`() {
    store.dispatch([AppAction.increase(10), .decrease(5)])
    #expect(store.counter.value == 5)
  }

  @Test func `an action whose type is hidden on the spot`() {
    store.dispatch(AppAction.increase(10) as any Action)
    #expect(store.counter.value == 10)
  }

  @Test func `each of several types as a commit of its own`() {
    let revisions = Counter()
    let subscription = store.states.subscribe { _ in revisions.increment() }
    store.dispatchEach([AppAction.increase(10), OtherAction.reset])
    #expect(revisions.value == 3)
    #expect(store.counter.value == 0)
    subscription.cancel()
  }

  @Test func `with the outcome of mixed types, and of a scope`() {
    let mixed: [any Action] = [AppAction.increase(1), AppAction.increase(2)]
    #expect(store.dispatch(mixed, focusingOn: \.counter).value == 3)
    #expect(store.dispatch(mixed, focusingOn: Lens(\.counter)).value == 6)
    let scope = store.scope(\.counter)
    #expect(scope.dispatch(AppAction.increase(1), focusingOn: \.value) == 7)
    #expect(scope.dispatch(AppAction.increase(1), focusingOn: Lens(\.value)) == 8)
  }

  @Test func `an array of mixed types`() {
    store.dispatch([AppAction.increase(10), OtherAction.reset])
    #expect(store.counter.value == 0)
  }

  @Test func `a list of lists`() {
    let list: [any Action] = [
      AppAction.increase(1), [AppAction.increase(2), .increase(3)], ActionList([OtherAction.reset]),
    ]
    store.dispatch(list)
    #expect(store.counter.value == 0)
    store.dispatch([list[0], list[1]])
    #expect(store.counter.value == 6)
  }

  @Test func `an any Action is dispatched by the type it holds`() {
    let one: any Action = AppAction.clear
    store.dispatch(AppAction.increase(1))
    store.dispatch(one)
    #expect(store.counter.value == 0)
  }

  @Test func `an async sequence`() async throws {
    let ticks = Contract.ticks(3)
    func synchronous() -> DispatchTask {
      store.dispatch(ticks.map { _ in AppAction.increase(1) })
    }
    func discarding() {
      store.dispatch(Contract.ticks(0).map { _ in AppAction.increase(1) })
    }
    discarding()
    try await synchronous().finish()
    #expect(store.counter.value == 3)
  }

  @Test func `an async sequence of any Action`() async throws {
    func synchronous() -> DispatchTask {
      store.dispatch(Contract.ticks(2).map { _ in AppAction.increase(1) as any Action })
    }
    try await synchronous().finish()
    #expect(store.counter.value == 2)
  }

  @Test func `an async sequence among the members of a list`() async throws {
    let ticks = Contract.ticks(3)
    func synchronous() -> DispatchTask {
      store.dispatch(
        [
          AppAction.start, AsyncActions(ticks.map { _ in AppAction.increase(1) }), AppAction.stop,
        ] as [any Action])
    }
    let task = synchronous()
    #expect(store.counter.log.first == -1, "what comes before is applied on return")
    try await task.finish()
    #expect(store.counter == Contract.CounterState(value: 3, log: [-1, -2]))
  }

  @Test func `an action's own result`() {
    let counter = store.dispatch(AppAction.increase(10), focusingOn: \.counter)
    #expect(counter.value == 10)
    let value = store.dispatch(AppAction.increase(1), focusingOn: Lens(\.counter.value))
    #expect(value == 11)
    let array = store.dispatch([AppAction.increase(1), .increase(2)], focusingOn: \.counter.value)
    #expect(array == 14)
    let mixed = store.dispatch([AppAction.clear, OtherAction.logIn("a")], focusingOn: \.user)
    #expect(mixed.name == "a")
    let one: any Action = AppAction.increase(7)
    #expect(store.dispatch(one, focusingOn: \.counter.value) == 7)
    #expect(store.dispatch(one, focusingOn: \.summary) == "a: 14")
    #expect(store.dispatch(AppAction.clear, focusingOn: \.self) == Contract.AppState())
  }

  @Test func `one commit for each`() {
    let heard = Recorder<Int>()
    let subscription = store.states(\.counter.value).subscribe { heard.append($0) }
    store.dispatchEach([AppAction.increase(1), .increase(2)])
    #expect(heard.values == [0, 1, 3])
    subscription.cancel()
  }

  @Test(.warnsOnPurpose) func `tagged, and for one element`() {
    store.dispatch(AppAction.increase(1).tagged(Int.self))
    store.dispatch(ElementAction(id: "a", action: AppAction.increase(1)))
    #expect(store.state == Contract.AppState())
  }
}

@Suite("Every dispatch form, in async functions", .timeLimit(.minutes(30)))
struct AsynchronousDispatchTests {
  @Test func `every form compiles and means the same in an async function`() async throws {
    let store = try Contract.makeStore()
    store.dispatch(AppAction.increase(10))
    store.dispatch([AppAction.increase(10), .decrease(5)])
    store.dispatch([AppAction.increase(10), OtherAction.logIn("a")])
    #expect(store.counter.value == 25)
    let list: [any Action] = [
      AppAction.increase(1), [AppAction.increase(2), .increase(3)],
      ActionList([OtherAction.logIn("b")]),
    ]
    store.dispatch(list)
    #expect(store.counter.value == 31)
    let one: any Action = AppAction.clear
    store.dispatch(one)
    #expect(store.state == Contract.AppState())
    let ticks = Contract.ticks(2)
    let first = store.dispatch(ticks.map { _ in AppAction.increase(1) })
    try await first.finish()
    store.dispatch(Contract.ticks(0).map { _ in AppAction.increase(1) as any Action })
    let mixed = Contract.ticks(2).map { _ in AppAction.increase(1) as any Action }
    try await store.dispatch(mixed).finish()
    let third = store.dispatch(
      [
        AppAction.start, AsyncActions(Contract.ticks(2).map { _ in AppAction.increase(1) }),
        AppAction.stop,
      ] as [any Action])
    try await third.finish()
    let counter = store.dispatch(AppAction.increase(10), focusingOn: \.counter)
    #expect(counter == Contract.CounterState(value: 16, log: [-1, -2]))
    store.dispatchEach([AppAction.decrease(1), .decrease(1)])
    #expect(store.counter.value == 14)
  }

  @Test func `until all of it has been applied`() async throws {
    let store = try Contract.makeStore()
    let lines = Contract.ticks(100)
    try await store.dispatch(lines.map(AppAction.line)).finish()
    #expect(store.counter.log == Array(0..<100))
  }

  @Test func `of a synchronous action, finish() has nothing to wait for`() async throws {
    let store = try Contract.makeStore()
    let task: DispatchTask = store.dispatch(AppAction.increase(1))
    try await task.finish()
    task.cancel()
    #expect(!task.isCancelled)
    #expect(store.counter.value == 1)
  }

  @Test func `merge and concat`() async throws {
    let store = try Contract.makeStore()
    let (a, b) = (
      Contract.ticks(2).map { AppAction.line($0) },
      Contract.ticks(3).map { _ in OtherAction.logIn("x") }
    )
    try await store.dispatch(AsyncActions.merge(a, b)).finish()
    #expect(store.counter.log == [0, 1])
    #expect(store.user.name == "x")
    let (c, d) = (
      Contract.ticks(2).map { AppAction.line($0 + 10) },
      Contract.ticks(2).map { AppAction.line($0 + 20) }
    )
    store.dispatch(AppAction.clear)
    try await store.dispatch([AsyncActions.concat(c, d)] as [any Action]).finish()
    #expect(store.counter.log == [10, 11, 20, 21])
  }
}

@Suite("Every dispatch form, on the main actor", .timeLimit(.minutes(30)))
@MainActor
struct MainActorDispatchTests {
  private let store: Store<Contract.AppState>

  init() throws {
    store = try Contract.makeStore()
  }

  @Test func `in synchronous functions`() {
    store.dispatch(AppAction.increase(10))
    store.dispatch([AppAction.increase(10), .decrease(5)])
    store.dispatch([AppAction.increase(10), OtherAction.logIn("a")])
    let list: [any Action] = [AppAction.increase(1), ActionList([OtherAction.logIn("b")])]
    store.dispatch(list)
    #expect(store.counter.value == 26)
    let one: any Action = AppAction.clear
    store.dispatch(one)
    store.dispatchEach([AppAction.increase(1), .increase(1)])
    let counter = store.dispatch(AppAction.increase(10), focusingOn: \.counter)
    #expect(counter.value == 12)
    store.dispatch(Contract.ticks(0).map { _ in AppAction.increase(1) })
    store.dispatch(
      [AppAction.start, AsyncActions(Contract.ticks(0).map { _ in AppAction.increase(1) })]
        as [any Action])
    #expect(store.counter.log == [-1])
  }

  @Test func `in async functions`() async throws {
    store.dispatch(AppAction.increase(1))
    let task = store.dispatch(Contract.ticks(2).map { _ in AppAction.increase(1) })
    try await task.finish()
    try await store.dispatch(Contract.ticks(2).map { _ in OtherAction.reset as any Action })
      .finish()
    try await store.dispatch(
      [AppAction.start, AsyncActions(Contract.ticks(2).map { _ in AppAction.increase(1) })]
        as [any Action]
    ).finish()
    #expect(store.counter == Contract.CounterState(value: 2, log: [-1]))
  }

  @Test func `a dispatch from an actor, and from a detached task`() async throws {
    let store = store
    await Teller(store).tell()
    await Task.detached { _ = store.dispatch(AppAction.increase(10)) }.value
    #expect(store.counter.value == 13)
  }

  private actor Teller {
    private let store: Store<Contract.AppState>

    init(_ store: Store<Contract.AppState>) {
      self.store = store
    }

    func tell() {
      store.dispatch(AppAction.increase(1))
      store.dispatch([AppAction.increase(1), .increase(1)])
    }
  }
}
