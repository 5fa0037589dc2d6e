import Lensed
import LensedTestSupport
import Testing

/// What the guide for those who come from RxReduce shows, word for word.
@Suite("Contract: the code of the guide from RxReduce", .timeLimit(.minutes(30)))
struct ComingFromRxReduceTests {
  // GUIDE: The feature
  struct AppState: Sendable, Equatable {
    var counter = 0
    var user = User.loggedOut
  }
  enum User: Sendable, Equatable { case loggedOut, loggedIn(String) }
  struct Increase: Action { var amount = 1 }
  struct LogIn: Action { let name: String }
  struct Clear: Action {}

  func makeStore() throws -> Store<AppState> {
    try Store(initialState: AppState()) {
      Mutator(\.counter) { (counter: inout Int, action: Increase) in counter += action.amount }
        .on(Clear.self) { counter, _ in counter = 0 }
      Mutator(\.user) { (user: inout User, action: LogIn) in user = .loggedIn(action.name) }
        .on(Clear.self) { user, _ in user = .loggedOut }
    }
  }
  // GUIDE: end

  @Test func `a source of actions is an action`() async throws {
    let printed = Recorder<Int>()
    @Sendable func print(_ count: Int) { printed.append(count) }
    let ticks = AsyncStream<Int> { ticks in
      for tick in 1...3 { ticks.yield(tick) }
      ticks.finish()
    }
    // GUIDE: A source
    let store = try makeStore()
    let counting = store.states(\.counter).subscribe { print($0) }
    let task = store.dispatch(ticks.map { _ in Increase() })
    try await task.finish()
    let counter = store.dispatch(Increase(amount: 10), focusingOn: \.counter)
    // GUIDE: end

    #expect(counter == 13)
    #expect(printed.values == [0, 1, 2, 3, 13])
    store.dispatch([LogIn(name: "Ann"), Clear()] as [any Action])
    #expect(store.state == AppState())
    counting.cancel()
  }

  @Test func `the old reducers and lenses work as they are`() throws {
    // GUIDE: The old ones
    enum AppAction: Action { case increase(Int), clear }

    @Sendable func counterReduce(state: AppState, action: any Action) -> Int {
      guard let action = action as? AppAction else { return state.counter }
      switch action {
      case .increase(let amount): return state.counter + amount
      case .clear: return 0
      }
    }
    let counterLens = Lens<AppState, Int>(
      name: "counter",
      get: { $0.counter },
      set: { state, counter in AppState(counter: counter, user: state.user) })

    let old = try Store(initialState: AppState()) {
      Mutator(lens: counterLens, reducer: counterReduce)
      Constant(\.user)
    }
    old.dispatch([AppAction.increase(10), .increase(-5)])
    // GUIDE: end

    #expect(old.counter == 5)
    old.dispatch(AppAction.clear)
    #expect(old.counter == 0)
  }

  // GUIDE: The bridge
  func observe<Value>(
    _ states: StateStream<Value>, push: @escaping @Sendable (Value) -> Void
  ) -> StoreSubscription {
    states.subscribe(push)
  }
  func actions<A: Action>(
    subscribe: (_ push: @escaping @Sendable (A) -> Void, _ end: @escaping @Sendable () -> Void)
      -> (@Sendable () -> Void)
  ) -> AsyncStream<A> {
    let (stream, continuation) = AsyncStream<A>.makeStream()
    let dispose = subscribe({ continuation.yield($0) }, { continuation.finish() })
    continuation.onTermination = { _ in dispose() }
    return stream
  }
  // GUIDE: end

  @Test func `an observable reads the store, and feeds it`() async throws {
    let (store, heard, isDisposed) = (try makeStore(), Recorder<Int>(), Recorder<Bool>())
    let observing = observe(store.states(\.counter)) { heard.append($0) }
    let fed = actions { push, end in
      for amount in 1...3 { push(Increase(amount: amount)) }
      end()
      return {}
    }
    try await store.dispatch(fed).finish()
    #expect(heard.values == [0, 1, 3, 6])
    let endless = actions { (_: @escaping @Sendable (Increase) -> Void, _) in
      { isDisposed.append(true) }
    }
    store.dispatch(endless).cancel()
    await isDisposed.waitForCount(1)
    observing.cancel()
  }

  @Test func `the guide shows these very lines, and no others in Swift`() throws {
    let marked = try CodeRegions.marked("GUIDE", in: #filePath)
    #expect(marked.count == 4)
    #expect(try CodeRegions.swiftBlocks(ofArticle: "ComingFromRxReduce") == marked)
  }
}
