import Lensed
import LensedTestSupport
import Testing

@Suite("A store that is dropped ends its streams and cancels its tasks", .timeLimit(.minutes(30)))
struct GuaranteeEightTests {
  private struct Room: Sendable {
    var bell: Bell?
    var count = 0
  }

  private static func makeRoom(_ bell: Bell?) throws -> Store<Room> {
    try Store(initialState: Room(bell: bell)) {
      Constant(\.bell)
      Mutator(\.count) { (count: inout Int, action: CountAction) in
        if case .add(let amount) = action { count += amount }
      }
    }
  }

  /// Makes a store, lets `use` take what it likes from it, and drops it.
  ///
  /// Gives what was taken, and whether the store went though that is held.
  private func drop<Held>(
    _ use: (Store<Desk>) async throws -> Held
  ) async throws -> (held: Held, isGone: Bool) {
    var store: Store<Desk>? = try Desk.makeStore()
    weak let seen = store
    let held = try await use(try #require(store))
    store = nil
    return (held, seen == nil)
  }

  @Test func `streams and iterators do not keep it`() async throws {
    let (held, isGone) = try await drop { store in
      var states = store.states.makeAsyncIterator()
      _ = await states.next()
      let changes = store.changes(keepingPrevious: true)
      return (store.states, store.states(\.count).map { $0 }, states, changes.makeAsyncIterator())
    }
    #expect(isGone)
    withExtendedLifetime(held) {}
  }

  @Test func `what dispatches to a child of it does nothing once it has gone`() throws {
    struct Row: Sendable, Identifiable {
      let id: Int
      var names = ["a", "b"]
    }
    struct App: Sendable {
      var sheet: Row? = Row(id: 1)
      var rows = (0..<3).map { Row(id: $0) }
      var count = 0
    }
    struct Touch: Action {}
    var store: Store<App>? = try Store(initialState: App(), coverage: .partial) {
      let row = Feature<Row> {
        Mutator(\.names) { (names: inout [String], _: Touch) in names.append("c") }
      }
      row.optional().lifted(\.sheet)
      row.identified().lifted(\.rows)
    }
    let (sheet, row) = (
      store?.scope(\.sheet)?.dispatchTarget, store?.scope(\.rows, id: 1)?.dispatchTarget
    )
    for target in [try #require(sheet), try #require(row)] {
      #expect(target.dispatch(Touch()).isHandled == true)
    }
    weak let seen = store
    store = nil
    #expect(seen == nil)
    for target in [try #require(sheet), try #require(row)] {
      #expect(target.dispatch(Touch()).revision == nil)
      #expect(target.dispatch([Touch(), Touch()]).revision == nil)
      #expect(target.dispatch([Touch()] as [any Action]).revision == nil)
    }
  }

  @Test func `readers that wait do not keep it, and end`() async throws {
    let (held, isGone) = try await drop { store in
      let readings = (Recording(store.states), Recording(store.states(\.count)))
      await readings.0.heard.waitForCount(1)
      await readings.1.heard.waitForCount(1)
      return readings
    }
    #expect(isGone)
    #expect(await held.0.waitForEnd() == [Desk()])
    #expect(await held.1.waitForEnd() == [0])
  }

  @Test func `subscriptions do not keep it`() async throws {
    let (held, isGone) = try await drop { store in
      let heard = Recorder<Int>()
      let subscriptions = [
        store.states(\.count).subscribe { heard.append($0) },
        store.states.subscribe { heard.append($0.count) },
        store.states(\.count).subscribe(onMain: { heard.append($0) }),
      ]
      for _ in 0..<3 { store.dispatch(CountAction.add(1)) }
      await heard.waitForCount(9)
      return subscriptions
    }
    #expect(isGone)
    for subscription in held { subscription.cancel() }
  }

  @Test func `scopes do not keep it`() async throws {
    let (held, isGone) = try await drop { store in
      store.dispatch(CountAction.add(1))
      return (store.scope(\.count), store.scope(\.self).scope(\.title))
    }
    #expect(isGone)
    #expect(held.0.state == 1)
  }

  @Test func `tasks do not keep it, and are cancelled`() async throws {
    let ended = Gate()
    let endless = AsyncStream<CountAction> { continuation in
      continuation.yield(.add(1))
      continuation.onTermination = { _ in ended.open() }
    }
    let (task, isGone) = try await drop { store in
      var counts = store.states(\.count).makeAsyncIterator()
      let task = store.dispatch([CountAction.add(1), AsyncActions(endless), CountAction.add(1)])
      while await counts.next() != 2 {}
      return task
    }
    #expect(isGone)
    try await ended.wait()
    try await task.finish()
  }

  @Test func `a waiting finish does not keep it`() async throws {
    let (waiter, isGone) = try await drop { store in
      let task = store.dispatch(AsyncStream<CountAction> { _ in })
      return Task { try await task.finish() }
    }
    #expect(isGone)
    try await waiter.value
  }

  @Test func `what the state held is let go with it`() async throws {
    let rung = Counter()
    var store: Store<Room>? = try Self.makeRoom(Bell { rung.increment() })
    let stream = try #require(store).states
    let subscription = stream.subscribe { _ in }
    let task = store?.dispatch(AsyncStream<CountAction> { _ in })
    for _ in 0..<3 { store?.dispatch(CountAction.add(1)) }
    #expect(rung.value == 0)
    store = nil
    #expect(rung.value == 1)
    try await task?.finish()
    withExtendedLifetime((stream, subscription)) {}
  }

  @Test func `a lagging reader holds the last state until it has had it`() async throws {
    let rung = Counter()
    var store: Store<Room>? = try Self.makeRoom(Bell { rung.increment() })
    var counts = try #require(store).states(\.count).makeAsyncIterator()
    _ = await counts.next()
    store?.dispatch(CountAction.add(1))
    store = nil
    #expect(rung.value == 0)
    #expect(await counts.next() == 1)
    #expect(await counts.next() == nil)
    #expect(rung.value == 1)
  }

  @Test func `a replaced state is let go at once`() throws {
    let rung = Counter()
    let store = try Self.makeRoom(Bell { rung.increment() })
    let subscription = store.states.subscribe { _ in }
    for _ in 0..<3 { store.dispatch(CountAction.add(1)) }
    store.replaceState(Room())
    #expect(rung.value == 1)
    subscription.cancel()
  }

  @Test func `what reducers and callbacks held is let go with it`() throws {
    let rung = Counter()
    do {
      let (reducers, callbacks) = (Bell { rung.increment() }, Bell { rung.increment() })
      let store = try Store(initialState: 0) {
        Mutator(\.self) { [reducers] (count: inout Int, _: CountAction) in
          _ = reducers
          count += 1
        }
      }
      var subscriptions: Set<StoreSubscription> = []
      store.states.subscribe { [callbacks] _ in _ = callbacks }.keep(in: &subscriptions)
      for _ in 0..<3 { store.dispatch(CountAction.add(1)) }
      #expect(store.state == 3)
    }
    #expect(rung.value == 2)
  }

  @Test func `tasks that are kept keep nothing of what its parts held`() async throws {
    let rung = Counter()
    var store: Store<Desk>? = try {
      let bells = (0..<6).map { _ in Bell { rung.increment() } }
      return try Store(initialState: Desk(), onEffectError: { _ in }) {
        Mutator(\.count) { [bell = bells[0]] (count: inout Int, _: CountAction) in
          _ = bell
          count += 1
        }
        AsyncMutator(\.title) { [bell = bells[1]] (_: String, _: TitleAction) in
          AsyncResult {
            _ = bell
            return "new"
          }
        }
        AsyncMutator(\.notes) { [bell = bells[2]] (_: [Int], _: NoteAction) in
          AsyncResult {
            _ = bell
            throw CancellationError()
          }
        }
        Effect(on: CountAction.self, .serial) { [bell = bells[3]] _, context in
          _ = bell
          context.dispatch(NoteAction.append(1))
        }
        Effect(on: NoteAction.self, .latest) { [bell = bells[4]] _, _ in _ = bell }
        Effect(whenChanged: \.title) { [bell = bells[5]] _, _ in _ = bell }
      }
    }()
    let tasks = [
      store?.dispatch(CountAction.add(1)), store?.dispatch([CountAction.add(1), .add(1)]),
      store?.dispatch(TitleAction.rename("a")), store?.dispatch(NoteAction.append(2)),
      store?.dispatch(AsyncStream<NoteAction> { $0.finish() }),
    ]
    try await store?.settled()
    #expect(rung.value == 0)
    store = nil
    // The last task may be about to return.
    while rung.value < 6 { await Task.yield() }
    withExtendedLifetime(tasks) {}
  }

  @Test func `callbacks that use it weakly do not keep it`() throws {
    let heard = Recorder<Int>()
    weak var seen: Store<Desk>?
    do {
      let store = try Desk.makeStore()
      seen = store
      let subscription = store.states(\.count).subscribe { [weak store] count in
        if count == 1 { store?.dispatch(CountAction.add(1)) }
        heard.append(count)
      }
      store.dispatch(CountAction.add(1))
      withExtendedLifetime(subscription) {}
    }
    #expect(heard.values == [0, 1, 2])
    #expect(seen == nil)
  }
}
