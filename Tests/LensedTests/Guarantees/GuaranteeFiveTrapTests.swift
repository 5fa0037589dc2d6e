import Lensed
import LensedTestSupport
import Testing

@Suite("A reducer that enters its own store traps", .timeLimit(.minutes(30)))
struct GuaranteeFiveTrapTests {
  private typealias Intrusion = @Sendable (Store<Desk>) -> Void

  /// A store whose reducer of `CountAction` does what it must not.
  private static func makeStore(_ intrude: @escaping Intrusion) throws -> Store<Desk> {
    let own = WeakReference<Store<Desk>>()
    let store = try Store(initialState: Desk(), coverage: .partial) {
      Mutator(\.count) { (count: inout Int, _: CountAction) in
        if let store = own.object { intrude(store) }
        count += 1
      }
      Desk.titleMutator
    }
    own.refer(to: store)
    return store
  }

  private func expectNames(
    _ message: String, _ parts: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for part in ["The reducer of `count`", "while `CountAction` was being reduced"] + parts {
      #expect(message.contains(part), sourceLocation: sourceLocation)
    }
  }

  @Test func `a reducer that dispatches traps`() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = try Self.makeStore { $0.dispatch(TitleAction.rename("T")) }
      store.dispatch(CountAction.add(1))
    }
    expectNames(
      result.message, "dispatched `TitleAction`", "GuaranteeFiveTrapTests.swift", "observer")
  }

  @Test func `by dispatching an array, a list, a sequence`() async throws {
    let array = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = try Self.makeStore { $0.dispatch([TitleAction.rename("T")]) }
      store.dispatch(CountAction.add(1))
    }
    expectNames(array.message, "dispatched", "GuaranteeFiveTrapTests.swift")
    let list = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = try Self.makeStore { $0.dispatch([TitleAction.rename("T"), StrayAction()]) }
      store.dispatch(CountAction.add(1))
    }
    expectNames(list.message, "dispatched", "GuaranteeFiveTrapTests.swift")
    let sequence = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = try Self.makeStore { $0.dispatch(AsyncStream<TitleAction> { $0.finish() }) }
      store.dispatch(CountAction.add(1))
    }
    expectNames(sequence.message, "AsyncStream<TitleAction>", "GuaranteeFiveTrapTests.swift")
  }

  @Test func `by reading the state, or a part of it`() async throws {
    let whole = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = try Self.makeStore { _ = $0.state }
      store.dispatch(CountAction.add(1))
    }
    expectNames(whole.message, "read the state")
    let part = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = try Self.makeStore { _ = $0.title }
      store.dispatch(CountAction.add(1))
    }
    expectNames(part.message, "read the state")
  }

  @Test func `a reducer that observes its store traps`() async throws {
    let subscribing = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = try Self.makeStore { _ = $0.states(\.title).subscribe { _ in } }
      store.dispatch(CountAction.add(1))
    }
    expectNames(subscribing.message, "observed")
    let reading = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = try Self.makeStore { _ = $0.changes().makeAsyncIterator() }
      store.dispatch(CountAction.add(1))
    }
    expectNames(reading.message, "read the changes")
  }

  @Test func `by replacing the state, and by registering`() async throws {
    let replacing = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = try Self.makeStore { $0.replaceState(Desk()) }
      store.dispatch(CountAction.add(1))
    }
    expectNames(replacing.message, "replaced the state")
    let registering = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = try Self.makeStore { try? $0.register(Desk.notesMutator) }
      store.dispatch(CountAction.add(1))
    }
    expectNames(registering.message, "registered")
  }

  @Test(arguments: [false, true])
  func `by asking whether it is replaying, in a replay or not`(isReplay: Bool) async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [isReplay = isReplay as Bool] in
      let store = try Self.makeStore { _ = $0.isReplaying }
      if isReplay {
        let recorder = SessionRecorder<Desk>()
        let recorded = try Store(initialState: Desk(), coverage: .partial, middleware: [recorder]) {
          Desk.countMutator
        }
        recorded.dispatch(CountAction.add(1))
        if let session = recorder.session { store.replay(session) }
      } else {
        store.dispatch(CountAction.add(1))
      }
    }
    expectNames(result.message, "asked whether it is replaying")
  }

  @Test func `through a scope`() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = try Self.makeStore { $0.scope(\.title).dispatch(TitleAction.rename("T")) }
      store.dispatch(CountAction.add(1))
    }
    expectNames(result.message, "dispatched `TitleAction`", "GuaranteeFiveTrapTests.swift")
  }

  @Test func `as one member of an array`() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = try Self.makeStore { $0.dispatch(StrayAction()) }
      store.dispatch([TitleAction.rename("T"), CountAction.add(1)])
    }
    expectNames(result.message, "dispatched `StrayAction`")
  }

  @Test func `a lens that enters its store traps`() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let own = WeakReference<Store<Desk>>()
      let lens = Lens<Desk, Int>(
        name: "count", get: { $0.count },
        modify: { desk, edit in
          own.object?.dispatch(StrayAction())
          edit(&desk.count)
        })
      let store = try Store(initialState: Desk(), coverage: .partial) {
        Mutator(lens: lens) { (count: inout Int, _: CountAction) in count += 1 }
      }
      own.refer(to: store)
      store.dispatch(CountAction.add(1))
    }
    expectNames(result.message, "dispatched `StrayAction`", "GuaranteeFiveTrapTests.swift")
  }

  /// A lens that dispatches while it reads, once so much was counted.
  private static func makeIntrudingLens(
    _ own: WeakReference<Store<Desk>>, from least: Int = 0
  ) -> Lens<Desk, Int> {
    Lens(
      name: "count",
      get: { desk in
        if desk.count >= least { own.object?.dispatch(StrayAction()) }
        return desk.count
      }, modify: { desk, edit in edit(&desk.count) })
  }

  private func expectLensNamed(
    _ message: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for part in [
      "Lensed: A lens, or", "an id), dispatched `StrayAction`", "GuaranteeFiveTrapTests.swift",
    ] {
      #expect(message.contains(part), sourceLocation: sourceLocation)
    }
  }

  @Test func `by a lens that only reads`() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let own = WeakReference<Store<Desk>>()
      let store = try Desk.makeStore()
      own.refer(to: store)
      _ = store[Self.makeIntrudingLens(own)]
    }
    expectLensNamed(result.message)
    #expect(result.message.contains("while the state was being read"))
    #expect(!result.message.contains("reduced"))
  }

  @Test func `by a lens that reads for an observer, after a commit`() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let own = WeakReference<Store<Desk>>()
      let store = try Desk.makeStore()
      own.refer(to: store)
      let subscription = store.states(Self.makeIntrudingLens(own, from: 2)).subscribe { _ in }
      store.dispatch(CountAction.add(1))
      store.dispatch(CountAction.add(1))
      subscription.cancel()
    }
    expectLensNamed(result.message)
  }

  @Test(arguments: [false, true])
  func `by a lens that reads what a dispatch focuses on, observed or not`(isObserved: Bool)
    async throws
  {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [isObserved = isObserved as Bool] in
      let own = WeakReference<Store<Desk>>()
      // Not the first one, which goes the careful way.
      let lens = Self.makeIntrudingLens(own, from: 2)
      let store = try Desk.makeStore()
      own.refer(to: store)
      let subscription = isObserved ? store.states(\.count).subscribe { _ in } : nil
      _ = store.dispatch(CountAction.add(1), focusingOn: lens)
      _ = store.dispatch(CountAction.add(1), focusingOn: lens)
      subscription?.cancel()
    }
    expectLensNamed(result.message)
  }

  @Test func `by a deinit that the write of a reducer runs`() async throws {
    struct Room: Sendable { var bell: Bell? }
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let own = WeakReference<Store<Room>>()
      let store = try Store(initialState: Room()) {
        Mutator(\.bell) { (bell: inout Bell?, _: ClearAction) in bell = nil }
      }
      own.refer(to: store)
      store.replaceState(Room(bell: Bell { own.object?.dispatch(StrayAction()) }))
      store.dispatch(ClearAction())
    }
    #expect(result.message.contains("The reducer of `bell`, which is written at "))
    #expect(
      result.message.contains(/GuaranteeFiveTrapTests.swift:\d+, or a deinit that its write ran,/))
    #expect(result.message.contains("dispatched `StrayAction`"))
    #expect(result.message.contains("while `ClearAction` was being reduced"))
    #expect(result.message.contains("GuaranteeFiveTrapTests.swift"))
  }
}
