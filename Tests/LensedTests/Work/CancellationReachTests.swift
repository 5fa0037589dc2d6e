import Lensed
import LensedTestSupport
import Testing

/// Two relations are at work: a dispatch waits for everything that it caused, and a run owns only what it
/// itself has under way.
@Suite(
  "A cancellation reaches what a run owns; an explicit one also what it caused",
  .timeLimit(.minutes(30)))
struct CancellationReachTests {
  let gate = Gate()
  let childGate = Gate()
  let ended = Recorder<String>()
  let limits = ManualClock()

  /// An effect that dispatches once, and then runs until it is ended.
  func parent(_ policy: EffectPolicy = .concurrent) -> Effect<Desk> {
    Effect<Desk>(on: TitleAction.self, policy) { [gate, ended] action, context in
      guard case .rename("run") = action else { return }
      context.dispatch(NoteAction.append(1))
      do { try await gate.wait() } catch { ended.append("parent") }
      context.dispatch(NoteAction.append(99))
    }
  }

  /// The effect of a note: it waits, and then counts.
  var child: Effect<Desk> {
    Effect<Desk>(on: NoteAction.self) { [childGate, ended] _, context in
      do { try await childGate.wait() } catch { ended.append("child") }
      context.dispatch(CountAction.add(1))
    }
  }

  func store(@StoreBuilder<Desk> _ parts: () -> [StorePart<Desk>]) throws -> Store<Desk> {
    // A run past its limit fails.
    try Store(initialState: Desk(title: "run"), coverage: .partial, onEffectError: { _ in }) {
      Desk.countMutator
      Desk.notesMutator
      Mutator(\Desk.title) { (title: inout String, action: TitleAction) in
        if case .rename(let name) = action { title = name }
      }
      .on(StrayAction.self) { title, _ in title = "" }
      parts()
    }
  }

  /// The ways to end a run without its dispatch.
  enum End: CaseIterable, Sendable {
    case tie, supersession, cancelledOn, removal, timeout, innerTimeout, outerTimeout

    /// The limits of a run, from the inside out; the shortest is one second.
    var limits: [Duration] {
      switch self {
      case .tie, .supersession, .cancelledOn, .removal: []
      case .timeout: [.seconds(1)]
      case .innerTimeout: [.seconds(1), .seconds(2)]
      case .outerTimeout: [.seconds(2), .seconds(1)]
      }
    }

    func applied(to effect: Effect<Desk>, by clock: ManualClock) -> Effect<Desk> {
      let effect = limits.reduce(effect) { $0.timedOut(after: $1, clock: clock) }
      return switch self {
      case .tie: effect.tied(to: \.openTitle)
      case .cancelledOn: effect.cancelled(on: StrayAction.self)
      case .supersession, .removal, .timeout, .innerTimeout, .outerTimeout: effect
      }
    }

    var policy: EffectPolicy { self == .supersession ? .latest : .concurrent }

    func happen(
      _ store: Store<Desk>, _ installed: StoreSubscription, by clock: ManualClock
    ) async {
      switch self {
      case .tie, .cancelledOn: store.dispatch(StrayAction())
      case .supersession: store.dispatch(TitleAction.rename("other"))
      case .removal: installed.cancel()
      case .timeout, .innerTimeout, .outerTimeout:
        await clock.waitForSleepers(limits.count)
        clock.move(by: .seconds(1))
      }
    }
  }

  /// Starts a run with children, ends it, and waits for its own end.
  func endRun(
    _ end: End, in store: Store<Desk>, when hasBegun: () async -> Void
  ) async -> DispatchTask {
    let installed = store.install(end.applied(to: parent(end.policy), by: limits))
    let task = store.dispatch(TitleAction.rename("run"))
    await gate.waitForWaiters()
    await hasBegun()
    await end.happen(store, installed, by: limits)
    #expect(await ended.soon(1) == ["parent"], "\(end)")
    return task
  }

  @Test(arguments: End.allCases)
  func `the end of a run leaves the effect of its commit running`(end: End) async throws {
    let store = try store { child }
    let task = await endRun(end, in: store) { await childGate.waitForWaiters() }
    childGate.open()
    try await task.finish()
    #expect(ended.values == ["parent"])
    #expect(store.count == 1)
    #expect(store.notes == [1])
  }

  @Test(arguments: End.allCases)
  func `the end of a run ends the effect of a dispatch that it awaits, as a cancelled task does`(
    end: End
  ) async throws {
    let store = try store { child }
    let effect = Effect<Desk>(on: TitleAction.self, end.policy) { [ended] action, context in
      guard case .rename("run") = action else { return }
      do { try await context.dispatch(NoteAction.append(1)).finish() } catch {
        ended.append("parent")
      }
    }
    let installed = store.install(end.applied(to: effect, by: limits))
    let task = store.dispatch(TitleAction.rename("run"))
    await childGate.waitForWaiters()
    await end.happen(store, installed, by: limits)
    #expect(Set(await ended.soon(2)) == ["parent", "child"])
    childGate.open()
    try await task.finish()
    #expect(store.count == 0)
  }

  @Test(arguments: End.allCases)
  func `the end of a run leaves whenChanged effects of a dispatch that it awaits`(
    end: End
  ) async throws {
    let store = try store {
      Effect<Desk>(whenChanged: \.notes) { [childGate, ended] _, context in
        do { try await childGate.wait() } catch { ended.append("changed") }
        context.dispatch(CountAction.add(1))
      }
    }
    let effect = Effect<Desk>(on: TitleAction.self, end.policy) { [ended] action, context in
      guard case .rename("run") = action else { return }
      do { try await context.dispatch(NoteAction.append(1)).finish() } catch {
        ended.append("parent")
      }
    }
    let installed = store.install(end.applied(to: effect, by: limits))
    let task = store.dispatch(TitleAction.rename("run"))
    await childGate.waitForWaiters()
    await end.happen(store, installed, by: limits)
    #expect(await ended.soon(1) == ["parent"])
    childGate.open()
    try await task.finish()
    #expect(ended.values == ["parent"])
    #expect(store.count == 1)
  }

  @Test func `a cancel of its dispatch reaches further also from inside of an attempt`()
    async throws
  {
    let store = try store { child }
    let effect = Effect<Desk>(on: TitleAction.self) { [ended] _, context in
      do { try await context.dispatch(NoteAction.append(1)).finish() } catch {
        ended.append("parent")
      }
    }
    let installed = store.install(End.timeout.applied(to: effect, by: limits))
    let task = store.dispatch(TitleAction.rename("run"))
    await childGate.waitForWaiters()
    task.cancel()
    #expect(Set(await ended.soon(2)) == ["parent", "child"])
    installed.cancel()
  }

  @Test(arguments: End.allCases)
  func `the end of a run leaves a queued effect of its commit waiting`(end: End) async throws {
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
  func `the end of a run leaves a debounced effect of its commit pending`(end: End) async throws {
    let clock = ManualClock()
    let store = try store {
      Effect<Desk>(on: NoteAction.self) { _, context in context.dispatch(CountAction.add(1)) }
        .debounced(for: .seconds(1), clock: clock)
    }
    let task = await endRun(end, in: store) { await clock.waitForSleepers() }
    clock.move(by: .seconds(1))
    try await task.finish()
    #expect(store.count == 1)
  }

  @Test(arguments: End.allCases)
  func `the end of a run leaves whenChanged effects, running or debounced`(
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
    clock.move(by: .seconds(1))
    try await task.finish()
    #expect(store.count == 11)
  }

  @Test(arguments: End.allCases)
  func `the end of a run ends its sequence, and leaves the effect of an element running`(
    end: End
  ) async throws {
    let store = try store { child }
    let (notes, feed) = AsyncStream.makeStream(of: NoteAction.self)
    let effect = Effect<Desk>(on: TitleAction.self, end.policy) { [ended] action, context in
      guard case .rename("run") = action else { return }
      do { try await context.dispatch(notes).finish(.applied) } catch { ended.append("parent") }
    }
    let installed = store.install(end.applied(to: effect, by: limits))
    let task = store.dispatch(TitleAction.rename("run"))
    feed.yield(.append(1))
    await childGate.waitForWaiters()
    await end.happen(store, installed, by: limits)
    #expect(await ended.soon(1) == ["parent"])
    feed.yield(.append(2))
    childGate.open()
    try await task.finish()
    #expect(store.notes == [1])
    #expect(store.count == 1)
  }

  @Test(arguments: End.allCases)
  func `the end of a run ends a sequence that the run does not wait for`(end: End) async throws {
    let store = try store {}
    let (notes, feed) = AsyncStream.makeStream(of: NoteAction.self)
    let tasks = Recorder<DispatchTask>()
    let effect = Effect<Desk>(on: TitleAction.self, end.policy) { [gate, ended] action, context in
      guard case .rename("run") = action else { return }
      tasks.append(context.dispatch(notes))
      do { try await gate.wait() } catch { ended.append("parent") }
    }
    let installed = store.install(end.applied(to: effect, by: limits))
    let task = store.dispatch(TitleAction.rename("run"))
    await gate.waitForWaiters()
    await end.happen(store, installed, by: limits)
    await ended.soon(1)
    feed.yield(.append(2))
    try await task.finish()
    let sequence = try #require(tasks.last)
    await #expect(throws: CancellationError.self) { try await sequence.finish() }
    #expect(store.notes == [])
  }
}

extension Desk {
  fileprivate var openTitle: String? { title.isEmpty ? nil : title }
}
