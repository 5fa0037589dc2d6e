import Lensed
import LensedTestSupport
import Testing

/// Two relations: a dispatch waits for all that came of it, and a run owns what it has under way.
@Suite("What cancelling reaches, and what it leaves alone", .timeLimit(.minutes(5)))
struct CancellationReachTests {
  private let gate = Gate()
  private let childGate = Gate()
  private let ended = Recorder<String>()

  /// A run that has dispatched, and then goes on until it is ended.
  private func parent(_ policy: EffectPolicy = .concurrent) -> Effect<Desk> {
    Effect<Desk>(on: TitleAction.self, policy) { [gate, ended] action, context in
      guard case .rename("run") = action else { return }
      context.dispatch(NoteAction.append(1))
      do { try await gate.wait() } catch { ended.append("parent") }
      context.dispatch(NoteAction.append(99))
    }
  }

  /// What a note sets off: it waits, and then counts.
  private var child: Effect<Desk> {
    Effect<Desk>(on: NoteAction.self) { [childGate, ended] _, context in
      do { try await childGate.wait() } catch { ended.append("child") }
      context.dispatch(CountAction.add(1))
    }
  }

  private func store(@StoreBuilder<Desk> _ parts: () -> [StorePart<Desk>]) throws -> Store<Desk> {
    try Store(initialState: Desk(title: "run"), coverage: .partial) {
      Desk.countMutator
      Desk.notesMutator
      Mutator(\Desk.title) { (title: inout String, action: TitleAction) in
        if case .rename(let name) = action { title = name }
      }
      .on(StrayAction.self) { title, _ in title = "" }
      parts()
    }
  }

  /// What ends a run, and not the dispatch that it came of.
  enum End: CaseIterable, Sendable {
    case tie, supersession, cancelledOn, removal

    func applied(to effect: Effect<Desk>) -> Effect<Desk> {
      switch self {
      case .tie: effect.tied(to: \.openTitle)
      case .cancelledOn: effect.cancelled(on: StrayAction.self)
      case .supersession, .removal: effect
      }
    }

    var policy: EffectPolicy { self == .supersession ? .latest : .concurrent }

    func happen(_ store: Store<Desk>, _ installed: StoreSubscription) {
      switch self {
      case .tie, .cancelledOn: store.dispatch(StrayAction())
      case .supersession: store.dispatch(TitleAction.rename("other"))
      case .removal: installed.cancel()
      }
    }
  }

  /// Starts a run with children, ends it, and waits for its own end.
  private func endRun(
    _ end: End, in store: Store<Desk>, when hasBegun: () async -> Void
  ) async -> DispatchTask {
    let installed = store.install(end.applied(to: parent(end.policy)))
    let task = store.dispatch(TitleAction.rename("run"))
    await gate.waitForWaiters()
    await hasBegun()
    end.happen(store, installed)
    #expect(await ended.soon(1) == ["parent"], "\(end)")
    return task
  }

  @Test(arguments: End.allCases)
  func `the end of a run leaves the effect that its commit has set off`(end: End) async throws {
    let store = try store { child }
    let task = await endRun(end, in: store) { await childGate.waitForWaiters() }
    childGate.open()
    try await task.finish()
    #expect(ended.values == ["parent"])
    #expect(store.count == 1)
    #expect(store.notes == [1])
  }

  @Test(arguments: End.allCases)
  func `the end of a run leaves an effect that waits for its turn`(end: End) async throws {
    let store = try store {
      Effect<Desk>(on: NoteAction.self, .serial) { [childGate] _, context in
        try await childGate.wait()
        context.dispatch(CountAction.add(1))
      }
    }
    store.dispatch(NoteAction.append(0))
    await childGate.waitForWaiters()
    let task = await endRun(end, in: store) {}
    childGate.open()
    try await task.finish()
    #expect(store.count == 2)
  }

  @Test(arguments: End.allCases)
  func `the end of a run leaves an effect that waits for a lull`(end: End) async throws {
    let clock = ManualClock()
    let store = try store {
      Effect<Desk>(on: NoteAction.self) { _, context in context.dispatch(CountAction.add(1)) }
        .debounced(for: .seconds(1), clock: clock)
    }
    let task = await endRun(end, in: store) { await clock.waitForSleepers() }
    clock.advance(by: .seconds(1))
    try await task.finish()
    #expect(store.count == 1)
  }

  @Test(arguments: End.allCases)
  func `the end of a run leaves a whenChanged effect, running or waiting for a lull`(
    end: End
  ) async throws {
    let clock = ManualClock()
    let store = try store {
      Effect<Desk>(whenChanged: \.notes) { [childGate] _, context in
        try await childGate.wait()
        context.dispatch(CountAction.add(1))
      }
      Effect<Desk>(whenChanged: \.notes) { _, context in context.dispatch(CountAction.add(10)) }
        .debounced(for: .seconds(1), clock: clock)
    }
    let task = await endRun(end, in: store) {
      await childGate.waitForWaiters()
      await clock.waitForSleepers()
    }
    childGate.open()
    clock.advance(by: .seconds(1))
    try await task.finish()
    #expect(store.count == 11)
  }

  @Test(arguments: End.allCases)
  func `the end of a run ends its sequence, and leaves what an element has set off`(
    end: End
  ) async throws {
    let store = try store { child }
    let (notes, feed) = AsyncStream.makeStream(of: NoteAction.self)
    let effect = Effect<Desk>(on: TitleAction.self, end.policy) { [ended] action, context in
      guard case .rename("run") = action else { return }
      do { try await context.dispatch(notes).finish(.applied) } catch { ended.append("parent") }
    }
    let installed = store.install(end.applied(to: effect))
    let task = store.dispatch(TitleAction.rename("run"))
    feed.yield(.append(1))
    await childGate.waitForWaiters()
    end.happen(store, installed)
    #expect(await ended.soon(1) == ["parent"])
    feed.yield(.append(2))
    childGate.open()
    try await task.finish()
    #expect(store.notes == [1])
    #expect(store.count == 1)
  }

  @Test(arguments: End.allCases)
  func `the end of a run ends a sequence that it did not wait for`(end: End) async throws {
    let store = try store {}
    let (notes, feed) = AsyncStream.makeStream(of: NoteAction.self)
    let tasks = Recorder<DispatchTask>()
    let effect = Effect<Desk>(on: TitleAction.self, end.policy) { [gate, ended] action, context in
      guard case .rename("run") = action else { return }
      tasks.append(context.dispatch(notes))
      do { try await gate.wait() } catch { ended.append("parent") }
    }
    let installed = store.install(end.applied(to: effect))
    let task = store.dispatch(TitleAction.rename("run"))
    await gate.waitForWaiters()
    end.happen(store, installed)
    await ended.soon(1)
    feed.yield(.append(2))
    try await task.finish()
    let sequence = try #require(tasks.last)
    await #expect(throws: CancellationError.self) { try await sequence.finish() }
    #expect(store.notes == [])
  }

  /// How somebody says that a dispatch is to end.
  enum Call: CaseIterable, Sendable {
    case cancel, cancelledFinish
  }

  private func cancel(_ task: DispatchTask, by call: Call) async {
    switch call {
    case .cancel:
      task.cancel()
    case .cancelledFinish:
      let waiting = Task { try await task.finish() }
      waiting.cancel()
      await #expect(throws: CancellationError.self) { try await waiting.value }
    }
    #expect(task.isCancelled)
  }

  @Test(arguments: Call.allCases)
  func `cancelling a dispatch ends the effects of actions in its whole tree`(
    call: Call
  ) async throws {
    let clock = ManualClock()
    let store = try store {
      parent()
      child
      Effect<Desk>(on: NoteAction.self) { _, context in context.dispatch(CountAction.add(10)) }
        .debounced(for: .seconds(1), clock: clock)
      Effect<Desk>(on: NoteAction.self) { _, context in context.dispatch(ClearAction()) }
      Effect<Desk>(on: ClearAction.self) { [childGate, ended] _, context in
        do { try await childGate.wait() } catch { ended.append("grandchild") }
        context.dispatch(CountAction.add(100))
      }
    }
    let task = store.dispatch(TitleAction.rename("run"))
    await gate.waitForWaiters()
    await childGate.waitForWaiters(2)
    await clock.waitForSleepers()
    await cancel(task, by: call)
    #expect(Set(await ended.soon(3)) == ["parent", "child", "grandchild"])
    clock.advance(by: .seconds(2))
    await #expect(throws: CancellationError.self) { try await task.finish() }
    #expect(store.count == 0)
    #expect(store.notes == [1])
  }

  @Test(arguments: Call.allCases)
  func `cancelling a dispatch ends effects of actions that an ended run has left behind`(
    call: Call
  ) async throws {
    let store = try store { child }
    let task = await endRun(.cancelledOn, in: store) { await childGate.waitForWaiters() }
    await cancel(task, by: call)
    #expect(await ended.soon(2) == ["parent", "child"])
    await #expect(throws: CancellationError.self) { try await task.finish() }
    #expect(store.count == 0)
  }

  @Test(arguments: Call.allCases)
  func `cancelling a dispatch leaves a whenChanged effect that runs`(call: Call) async throws {
    let store = try store {
      Effect<Desk>(whenChanged: \.notes) { [childGate, ended] _, context in
        do { try await childGate.wait() } catch { ended.append("watcher") }
        context.dispatch(CountAction.add(1))
        try await context.dispatch(
          AsyncActions(
            AsyncStream<CountAction> { stream in
              stream.yield(.add(10))
              stream.finish()
            })
        ).finish()
      }
    }
    let task = store.dispatch(NoteAction.append(1))
    await childGate.waitForWaiters()
    await cancel(task, by: call)
    childGate.open()
    await #expect(throws: CancellationError.self) { try await task.finish() }
    await Threads.apart { Threads.wait { store.count == 11 } }
    #expect(store.count == 11)
    #expect(ended.values == [])
  }

  @Test(arguments: Call.allCases)
  func `cancelling a dispatch leaves a whenChanged effect that waits for a lull or its turn`(
    call: Call
  ) async throws {
    let clock = ManualClock()
    let store = try store {
      Effect<Desk>(whenChanged: \.notes) { _, context in context.dispatch(CountAction.add(10)) }
        .debounced(for: .seconds(1), clock: clock)
      Effect<Desk>(whenChanged: \.notes, .serial) { [childGate] _, context in
        try await childGate.wait()
        context.dispatch(CountAction.add(1))
      }
    }
    let first = store.dispatch(NoteAction.append(1))
    await childGate.waitForWaiters()
    await clock.waitForSleeps(1)
    let second = store.dispatch(NoteAction.append(2))
    await clock.waitForSleeps(2)
    await cancel(second, by: call)
    await cancel(first, by: call)
    childGate.open()
    clock.advance(by: .seconds(1))
    await Threads.apart { Threads.wait { store.count == 12 } }
    #expect(store.count == 12)
  }

  @Test func `finish waits for whenChanged effects, with their lull`() async throws {
    let clock = ManualClock()
    let store = try store {
      Effect<Desk>(whenChanged: \.notes) { _, context in context.dispatch(CountAction.add(10)) }
        .debounced(for: .seconds(1), clock: clock)
      Effect<Desk>(whenChanged: \.notes) { [childGate] _, context in
        try await childGate.wait()
        context.dispatch(CountAction.add(1))
      }
    }
    let task = store.dispatch(NoteAction.append(1))
    await clock.waitForSleepers()
    await childGate.waitForWaiters()
    let counts = Recorder<Int>()
    let waiting = Task {
      try await task.finish()
      counts.append(store.count)
    }
    childGate.open()
    await Threads.apart { Threads.wait { store.count == 1 } }
    #expect(counts.values == [])
    clock.advance(by: .seconds(1))
    try await waiting.value
    #expect(counts.values == [11])
  }

  @Test func `finish waits for what the end of a run has left behind`() async throws {
    let store = try store { child }
    let task = await endRun(.tie, in: store) { await childGate.waitForWaiters() }
    let counts = Recorder<Int>()
    let waiting = Task {
      try await task.finish()
      counts.append(store.count)
    }
    for _ in 0..<20 { await Task.yield() }
    #expect(counts.values == [])
    childGate.open()
    try await waiting.value
    #expect(counts.values == [1])
  }
}

extension Desk {
  fileprivate var openTitle: String? { title.isEmpty ? nil : title }
}
