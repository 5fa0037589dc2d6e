import Lensed
import LensedTestSupport
import Testing

/// An effect that is ended between the end of its wait and the start of its run.
@Suite(
  "A run whose wait was ended does not begin, however late in the wait", .timeLimit(.minutes(30)))
struct EndedWaitTests {
  /// A clock on which time stands still.
  ///
  /// Once armed, it blocks the first thread that asks for the time.
  private struct StubbornClock: Clock {
    typealias Instant = ContinuousClock.Instant

    let start = ContinuousClock.now
    let mayWake = Gate()
    let isArmed = Counter()
    let isKept = ThreadGate()
    let mayGoOn = ThreadGate()

    var minimumResolution: Duration { .nanoseconds(1) }

    var now: Instant {
      if isArmed.value == 1 && isArmed.increment() == 1 {
        isKept.open()
        mayGoOn.wait()
      }
      return start
    }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
      try await mayWake.wait()
    }
  }

  enum End: CaseIterable, Sendable {
    case tie, cancelledOn, newer, removal

    func applied(to effect: Effect<Desk>) -> Effect<Desk> {
      switch self {
      case .tie: effect.tied(to: \.openNote)
      case .cancelledOn: effect.cancelled(on: ClearAction.self)
      case .newer, .removal: effect
      }
    }

    func happen(_ store: Store<Desk>, _ installed: StoreSubscription) {
      switch self {
      case .tie, .cancelledOn: store.dispatch(ClearAction())
      case .newer: store.dispatch(TitleAction.rename("newer"))
      case .removal: installed.cancel()
      }
    }
  }

  @Test(arguments: End.allCases)
  func `of an effect that is throttled, and keeps the latest trigger`(end: End) async throws {
    let clock = StubbornClock()
    let begun = Recorder<String>()
    let store = try Store(initialState: Desk(notes: [1]), coverage: .partial) {
      Desk.titleMutator
      Mutator(\Desk.notes) { (notes: inout [Int], _: ClearAction) in notes = [] }
    }
    let installed = store.install(
      end.applied(
        to: Effect<Desk>(on: TitleAction.self) { action, _ in
          if case .rename(let name) = action { begun.append(name) }
        }
        .throttled(for: .seconds(1), latest: true, clock: clock)))
    try await store.dispatch(TitleAction.rename("first")).finish()
    let late = store.dispatch(TitleAction.rename("late"))
    await clock.mayWake.waitForWaiters()
    clock.isArmed.increment()
    clock.mayWake.open()
    // On a thread of its own: the clock blocks one of the tasks' threads meanwhile.
    await Threads.apart {
      // The wait has ended, and the clock keeps it on its way to the run.
      clock.isKept.wait()
      end.happen(store, installed)
      clock.mayGoOn.open()
    }
    try await late.finish()
    try await store.settled()
    #expect(begun.values == (end == .newer ? ["first", "newer"] : ["first"]), "\(end)")
    installed.cancel()
  }

  /// A clock whose sleeps last for some turns of other tasks.
  private struct BriskClock: Clock {
    typealias Instant = ContinuousClock.Instant

    var minimumResolution: Duration { .nanoseconds(1) }
    var now: Instant { ContinuousClock.now }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
      await Task.yield()
      try Task.checkCancellation()
    }
  }

  @Test func `of a debounced effect, raced`() async throws {
    let store = try Trail.makeStore {
      Effect<Trail>(on: Trail.Begin.self) { begin, context in
        context.dispatch(Trail.Stamp(round: begin.round))
      }
      .debounced(for: .seconds(1), clock: BriskClock())
      .cancelled(on: Trail.Hold.self)
    }
    var random = SeededGenerator(seed: 12)
    let end = ContinuousClock.now + VerificationLength.returnedTime
    var round = 0
    while round < VerificationLength.returnedRounds, round < 100 || .now < end {
      round += 1
      store.dispatch(Trail.Begin(round: round))
      for _ in 0..<Int.random(in: 0..<60, using: &random) { _ = store.busy }
      // It ends the effect when it is delivered, which another thread may do: so it is waited for.
      try await store.dispatch(Trail.Hold()).finish()
      store.dispatch(Trail.Close(round: round))
    }
    try await store.settled()
    #expect(store.tally.late == 0, "\(store.tally) in \(round) rounds")
  }
}

extension Desk {
  fileprivate var openNote: Int? { notes.first }
}
