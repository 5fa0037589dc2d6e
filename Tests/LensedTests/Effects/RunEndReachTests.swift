import LensedTestSupport
import Testing

@testable import Lensed

/// Whatever a run has under way, and whatever ends it: also where its own code has returned before.
@Suite(
  "Once a run was ended, nothing that it has under way commits", .warnsOnPurpose,
  .timeLimit(.minutes(30)))
struct RunEndReachTests {
  private struct Sheet: Sendable, Identifiable, Equatable {
    var id: Int
    var ticks = 0
    var session: Int? = 1
  }

  private struct App: Sendable {
    var sheet: Sheet? = Sheet(id: 1)
  }

  private struct Connect: Action { var isFirst = true }
  private struct Tick: Action { let number: Int }
  private struct Stop: Action {}
  private struct Mark: Action {}
  private struct EndSession: Action {}
  private struct Show: Action { let sheet: Sheet? }

  /// What a run has under way.
  enum Work: CaseIterable, Sendable {
    case body, returned, awaited, dispatched, dispatchedBesideBody, list

    /// Whether the code of the run has returned before it is ended.
    var outlivesBody: Bool { self == .dispatched || self == .list }
  }

  /// What ends it.
  enum End: CaseIterable, Sendable {
    case newerRun, tie, cancelledOn, removal, childGone, childReplaced, timeout
  }

  private let gate = Gate()
  private let clock = ManualClock()
  private let ticks = Recorder<Int>()
  private let stream: AsyncStream<Tick>
  private let feed: AsyncStream<Tick>.Continuation

  init() { (stream, feed) = AsyncStream.makeStream(of: Tick.self) }

  private func effect(_ work: Work, _ policy: EffectPolicy) -> Effect<Sheet> {
    let (stream, gate) = (stream, gate)
    if work == .returned {
      return Effect(on: Connect.self, policy) { connect, _ -> AsyncStream<Tick> in
        connect.isFirst ? stream : AsyncStream { $0.finish() }
      }
    }
    return Effect(on: Connect.self, policy) { connect, context -> Void in
      guard connect.isFirst else { return }
      switch work {
      case .body, .returned: context.dispatch(Tick(number: 1))
      case .awaited: try await context.dispatch(stream).finish()
      case .dispatched, .dispatchedBesideBody: context.dispatch(stream)
      case .list: context.dispatch([Mark(), AsyncActions(stream)] as [any Action])
      }
      guard work == .body || work == .dispatchedBesideBody else { return }
      // It takes no notice of its cancellation.
      await Task { try? await gate.wait() }.value
      context.dispatch(Tick(number: 2))
    }
  }

  @Test(arguments: Work.allCases, End.allCases)
  func `the end of a run reaches it`(work: Work, end: End) async throws {
    // What has returned in time is not late.
    if end == .timeout && work.outlivesBody { return }
    for isLimited in end == .timeout ? [true] : [false, true] {
      let scene = Self()
      try await scene.check(work, end, isLimited: isLimited)
    }
  }

  private func check(_ work: Work, _ end: End, isLimited: Bool) async throws {
    let place = "\(work), \(end), limited: \(isLimited)"
    let store = try Store(initialState: App(), coverage: .partial, onEffectError: { _ in }) {
      Mutator(\App.sheet) { (sheet: inout Sheet?, show: Show) in sheet = show.sheet }
      Feature<Sheet> {
        Mutator(\.ticks) { [ticks] (count: inout Int, tick: Tick) in
          count += 1
          ticks.append(tick.number)
        }
        Mutator(\.session) { (session: inout Int?, _: EndSession) in session = nil }
      }
      .optional().lifted(\.sheet)
    }
    var effect = effect(work, end == .newerRun ? .latest : .concurrent)
    if end == .tie { effect = effect.tied(to: \.session) }
    if end == .cancelledOn { effect = effect.cancelled(on: Stop.self) }
    if isLimited { effect = effect.timedOut(after: .seconds(60), clock: clock) }
    let installed = store.install(effect.optional().lifted(\.sheet))
    store.dispatch(Connect())
    feed.yield(Tick(number: 1))
    await Threads.apart { [ticks] in Threads.wait { ticks.count == 1 } }
    if work.outlivesBody { await Threads.apart { Threads.wait { !store.hasEffectCode } } }

    switch end {
    case .newerRun: store.dispatch(Connect(isFirst: false))
    case .tie: store.dispatch(EndSession())
    case .cancelledOn: store.dispatch(Stop())
    case .removal: installed.cancel()
    case .childGone: store.dispatch(Show(sheet: nil))
    case .childReplaced: store.dispatch(Show(sheet: Sheet(id: 2)))
    case .timeout:
      await clock.waitForSleepers()
      clock.move(by: .seconds(60))
      await Threads.apart { Threads.wait { !store.hasUnendedPart } }
    }
    feed.yield(Tick(number: 2))
    feed.finish()
    gate.open()
    try await store.settled()
    #expect(ticks.values == [1], "\(place)")
    installed.cancel()
  }

  @Test(arguments: [Work.dispatched, .list], [false, true])
  func `what it has under way goes on where nothing ends it`(work: Work, isLimited: Bool)
    async throws
  {
    let store = try Store(initialState: Sheet(id: 1), coverage: .partial) {
      Mutator(\.ticks) { [ticks] (_: inout Int, tick: Tick) in ticks.append(tick.number) }
      let effect = effect(work, .latest)
      isLimited ? effect.timedOut(after: .seconds(60), clock: clock) : effect
    }
    let task = store.dispatch(Connect())
    feed.yield(Tick(number: 1))
    await Threads.apart { [ticks] in Threads.wait { ticks.count == 1 && !store.hasEffectCode } }
    feed.yield(Tick(number: 2))
    feed.finish()
    try await task.finish()
    #expect(ticks.values == [1, 2])
  }

  @Test(arguments: [EffectPolicy.first, .serial, .limited(1)])
  func `a policy counts the code of a run, and not the sequences that it leaves`(
    policy: EffectPolicy
  ) async throws {
    let store = try Store(initialState: Sheet(id: 1), coverage: .partial) {
      Mutator(\.ticks) { [ticks] (_: inout Int, tick: Tick) in ticks.append(tick.number) }
      effect(.dispatched, policy)
    }
    let first = store.dispatch(Connect())
    await Threads.apart { Threads.wait { !store.hasEffectCode } }
    try await store.dispatch(Connect(isFirst: false)).finish()
    feed.yield(Tick(number: 1))
    feed.finish()
    try await first.finish()
    #expect(ticks.values == [1])
  }

  @Test func `what a timed-out attempt dispatches is ignored, also where it is tried again`()
    async throws
  {
    let errors = Recorder<String>()
    let tries = Counter()
    let late = Gate()
    let store = try Store(
      initialState: Sheet(id: 1), coverage: .partial, onEffectError: { errors.append("\($0)") }
    ) {
      Mutator(\.ticks) { [ticks] (_: inout Int, tick: Tick) in ticks.append(tick.number) }
      Effect<Sheet>(on: Connect.self) { [gate] _, context -> Tick in
        if tries.increment() > 0 { return Tick(number: 2) }
        await Task { try? await gate.wait() }.value
        context.dispatch(Tick(number: 0))
        late.open()
        return Tick(number: 1)
      }
      .timedOut(after: .seconds(60), clock: clock).retried(attempts: 2, after: .zero)
    }
    let task = store.dispatch(Connect())
    await gate.waitForWaiters()
    await clock.waitForSleepers()
    clock.move(by: .seconds(60))
    await Threads.apart { Threads.wait { !store.hasUnendedPart } }
    gate.open()
    try await late.wait()
    try await task.finish()
    #expect(ticks.values == [2])
    #expect(errors.values == [])
  }
}

extension Store {
  /// Whether the code of an effect runs.
  fileprivate var hasEffectCode: Bool {
    WorkNode.descriptions(of: view.core.rootWorks).contains { $0.kind == .effect }
  }

  /// Whether an attempt is under way that was not stopped.
  fileprivate var hasUnendedPart: Bool {
    var pending = view.core.rootWorks
    while let work = pending.popLast() {
      if case .attempt = work.label, !work.isStopped { return true }
      pending += work.children
    }
    return false
  }
}
