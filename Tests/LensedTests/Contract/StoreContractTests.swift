import Lensed
import LensedTestSupport
import Testing

private typealias AppState = Contract.AppState
private typealias CounterState = Contract.CounterState
private typealias AppAction = Contract.AppAction
private typealias OtherAction = Contract.OtherAction

private enum Left {}
private enum Right {}

@Suite("A store is built, registered into, read and replaced")
struct StoreContractTests {
  private let userReducer = Contract.userReducer

  @Test func `built of its parts`() throws {
    let store = try Store(initialState: AppState()) {
      Mutator(\.counter) { (counter: inout CounterState, action: AppAction) in
        if case .increase(let amount) = action { counter.value += amount }
      }
      Mutator(\.user, userReducer)
      Constant(\.configuration)
    }
    store.dispatch(AppAction.increase(2))
    #expect(store.counter.value == 2)
  }

  @Test func `built of parts that are chosen, looped over, chained and made elsewhere`() throws {
    let (isLoud, isNamed): (Bool, Bool?) = (true, nil)
    let elsewhere = Constant<AppState>(\.configuration)
    let store = try Store(initialState: AppState()) {
      if isLoud {
        Mutator(\.counter) { (counter: inout CounterState, action: AppAction) in
          if case .increase(let amount) = action { counter.value += 10 * amount }
        }
        .on(OtherAction.self) { counter, _ in counter.value = 0 }
      } else {
        Mutator(\.counter, Contract.counterReducer)
      }
      if isNamed != nil { Constant(\.user) }
      for reducer in [userReducer] { Mutator(\.user, reducer) }
      elsewhere
    }
    store.dispatch(AppAction.increase(2))
    #expect(store.counter.value == 20)
    store.dispatch(OtherAction.logIn("a"))
    #expect(store.state == AppState(user: "a"))
  }

  @Test(.warnsOnPurpose) func `registered into later, feature by feature, and left again`() throws {
    let store = Store(initialState: AppState(), coverage: .partial)
    let counterMutator = Mutator(\AppState.counter, Contract.counterReducer)
    store.dispatch(AppAction.increase(1))
    #expect(store.counter.value == 0)
    try store.register(counterMutator)
    try store.register(Feature { Mutator(\.user, userReducer) })
    try store.register(Constant(\.configuration))
    store.dispatch(AppAction.increase(1))
    #expect(store.counter.value == 1)
    #expect(store.unregister(\.counter))
    #expect(!store.unregister(\.counter))
    store.dispatch(AppAction.increase(1))
    #expect(store.counter.value == 1, "its feature leaves, the sub-state stays")
    try store.register(counterMutator)
    store.dispatch(AppAction.increase(1))
    #expect(store.counter.value == 2)
    #expect(store.unregister(Lens(\.user)))
  }

  @Test func `its state, one part of it, and through a lens`() throws {
    let store = try Contract.makeStore(AppState(counter: 3, user: "a"))
    let lens = Lens(\AppState.counter.value)
    #expect(store.state == AppState(counter: 3, user: "a"))
    #expect(store.counter == CounterState(value: 3))
    #expect(store.counter.value == 3)
    #expect(store[lens] == 3)
    #expect(store.configuration.endpoint == "here")
    #expect(store.summary == "a: 3")
  }

  @Test func `its streams, its changes and its replacement`() async throws {
    let store = try Contract.makeStore()
    let states: StateStream<AppState> = store.states
    let counters: StateStream<CounterState> = store.states(\.counter)
    let unbounded = store.changes(buffering: .unbounded)
    let oldest = store.changes(buffering: .bounded(2, dropping: .oldest))
    let newest = store.changes(buffering: .bounded(2, dropping: .newest))
    var first = unbounded.makeAsyncIterator()
    var (second, third) = (oldest.makeAsyncIterator(), newest.makeAsyncIterator())
    store.replaceState(AppState(counter: 7))
    for _ in 0..<3 { store.dispatch(AppAction.increase(1)) }
    #expect(await first.next()?.state == AppState(counter: 7))
    #expect(await second.next()?.state == AppState(counter: 9))
    #expect(await third.next()?.state == AppState(counter: 7))
    var (state, counter) = (states.makeAsyncIterator(), counters.makeAsyncIterator())
    #expect(await state.next() == AppState(counter: 10))
    #expect(await counter.next() == CounterState(value: 10))
  }

  @Test func `a blueprint is proved once and makes many`() throws {
    let blueprint = try StoreBlueprint<AppState> {
      Mutator(\.counter, Contract.counterReducer)
      Mutator(\.user, userReducer)
      Constant(\.configuration)
    }
    let stores = (0..<3).map { blueprint.makeStore(initialState: AppState(counter: $0)) }
    stores[1].dispatch(AppAction.increase(10))
    #expect(stores.map(\.counter.value) == [0, 11, 2])
  }
}

@Suite("A scope is a feature that knows nothing of the app", .timeLimit(.minutes(30)))
struct ScopeContractTests {
  private struct Chat: Sendable, Equatable {
    var lines: [String] = []
    var inner = CounterState()
  }

  private struct Chats: Sendable, Equatable {
    var left = Chat()
    var right = Chat()
  }

  private enum ChatAction: Action {
    case send(String)
  }

  private static func makeStore() throws -> Store<Chats> {
    let chat = Mutator(\Chat.lines) { (lines: inout [String], action: ChatAction) in
      if case .send(let line) = action { lines.append(line) }
    }
    let counter = Mutator(\Chat.inner, Contract.counterReducer)
    return try Store(initialState: Chats()) {
      chat.lifted(Lens(\.left)).tagged(Left.self)
      counter.lifted(Lens(\.left)).tagged(Left.self)
      chat.lifted(Lens(\.right)).tagged(Right.self)
      counter.lifted(Lens(\.right)).tagged(Right.self)
    }
  }

  @Test func `its state, its streams and its dispatch are those of its part`() async throws {
    let store = try Self.makeStore()
    let chat: ScopedStore<Chat> = store.scope(\.left, actions: .tagged(Left.self))
    let heard = Recorder<Chat>()
    let subscription = chat.states.subscribe { heard.append($0) }
    chat.dispatch(ChatAction.send("a"))
    chat.dispatch([ChatAction.send("b"), .send("c")])
    chat.dispatch([ChatAction.send("d"), AppAction.increase(1)])
    let one: any Action = ChatAction.send("e")
    chat.dispatch(one)
    chat.dispatchEach([ChatAction.send("f")])
    let script = Contract.ticks(2).map { ChatAction.send("\($0)") }
    try await chat.dispatch(script).finish()
    let mixed = Contract.ticks(1).map { _ in AppAction.increase(1) as any Action }
    try await chat.dispatch(mixed).finish()
    #expect(
      chat.state == Chat(lines: ["a", "b", "c", "d", "e", "f", "0", "1"], inner: .init(value: 2)))
    #expect(store.state == Chats(left: chat.state))
    #expect(chat.lines.count == 8)
    #expect(chat[Lens(\.lines)].count == 8)
    #expect(heard.values.map(\.lines.count) == [0, 1, 3, 4, 5, 6, 7, 8, 8])
    store.dispatch(ChatAction.send("z").tagged(Right.self))
    #expect(heard.count == 9, "the other instance is another feature")
    var lines = chat.states(\.lines).makeAsyncIterator()
    #expect(await lines.next()?.count == 8)
    subscription.cancel()
  }

  @Test(.warnsOnPurpose) func `the tag is optional, and scopes nest`() throws {
    let store = try Self.makeStore()
    let untagged = store.scope(\.right)
    untagged.dispatch(ChatAction.send("a"))
    #expect(untagged.state == Chat())
    untagged.dispatch(ChatAction.send("a").tagged(Right.self))
    #expect(untagged.lines == ["a"])
    let inner = store.scope(Lens(\.right), actions: .tagged(Right.self)).scope(\.inner)
    inner.dispatch(AppAction.increase(5))
    #expect(inner.value == 5)
    #expect(store.right.inner.value == 5)
  }

  @Test func `it does not keep the store alive`() async throws {
    var store: Store<Chats>? = try Self.makeStore()
    weak let watched = store
    let chat = try #require(store).scope(\.left, actions: .tagged(Left.self))
    chat.dispatch(ChatAction.send("a"))
    store = nil
    #expect(watched == nil)
    #expect(chat.lines == ["a"])
    chat.dispatch(ChatAction.send("b"))
    #expect(chat.lines == ["a"])
    var lines = chat.states(\.lines).makeAsyncIterator()
    #expect(await lines.next() == nil)
  }
}
