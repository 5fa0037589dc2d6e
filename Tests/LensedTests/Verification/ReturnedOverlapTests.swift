import Lensed
import LensedTestSupport
import Testing

/// Two calls end the same work at once.
///
/// What the first one promises on its return, the second one promises on its own: it may return earlier.
@Suite(
  "Of two calls that end the same work, no commit of that work begins after either has returned",
  .serialized, .timeLimit(.minutes(30)))
struct ReturnedOverlapTests {
  private let isEnding = ThreadGate()
  private let mayEnd = ThreadGate()
  private let mayWrite = Gate()
  private let tried = Recorder<Int>()

  /// A sequence that blocks the thread that cancels it.
  private struct Obstacle: AsyncSequence, AsyncIteratorProtocol, Sendable {
    let isEnding: ThreadGate
    let mayEnd: ThreadGate
    let met = Counter()

    func next() async -> Trail.Hold? {
      await withTaskCancellationHandler {
        await withCheckedContinuation { never in
          // Let go by the task below, so that nothing is left waiting.
          Task { [mayEnd] in
            await Threads.apart { mayEnd.wait() }
            never.resume()
          }
        }
      } onCancel: {
        met.increment()
        isEnding.open()
        mayEnd.wait()
      }
      return nil
    }

    func makeAsyncIterator() -> Obstacle { self }
  }

  /// One stamp, as soon as the test lets it; what it holds is released once the stamp was applied or refused.
  private struct Writer: AsyncSequence, Sendable {
    final class Token: Sendable {
      let tried: Recorder<Int>
      init(_ tried: Recorder<Int>) { self.tried = tried }
      deinit { tried.append(1) }
    }

    struct Iterator: AsyncIteratorProtocol {
      let gate: Gate
      let token: Token
      var hasWritten = false

      mutating func next() async -> Trail.Stamp? {
        if hasWritten { return nil }
        hasWritten = true
        // It does not look whether it was cancelled.
        await Task { [gate] in try? await gate.wait() }.value
        return Trail.Stamp(round: 1)
      }
    }

    let gate: Gate
    let tried: Recorder<Int>

    func makeAsyncIterator() -> Iterator { Iterator(gate: gate, token: Token(tried)) }
  }

  private var obstacle: Obstacle { Obstacle(isEnding: isEnding, mayEnd: mayEnd) }
  private var writer: Writer { Writer(gate: mayWrite, tried: tried) }

  enum End: CaseIterable, Sendable {
    case dispatch, installation, newerRun
  }

  static let pairs: [(End, End)] = [
    (.dispatch, .dispatch), (.dispatch, .installation), (.dispatch, .newerRun),
    (.installation, .dispatch), (.installation, .installation),
  ]

  @Test(arguments: pairs)
  func `while the first one is kept by a cancellation handler`(first: End, second: End)
    async throws
  {
    let store = try Trail.makeStore()
    let begun = Recorder<Int>()
    let forever = Gate()
    let installed = store.install(
      Effect<Trail>(on: Trail.Begin.self, .latest) { [obstacle, writer] begin, context in
        begun.append(begin.round)
        if begin.round > 1 { return }
        context.dispatch(obstacle)
        context.dispatch(writer)
        try? await forever.wait()
      })
    let task = store.dispatch(Trail.Begin(round: 1))
    await mayWrite.waitForWaiters()
    let end: @Sendable (End) -> Void = { end in
      switch end {
      case .dispatch: task.cancel()
      case .installation: installed.cancel()
      case .newerRun: store.dispatch(Trail.Begin(round: 2))
      }
    }
    let ending = Threads.start { end(first) }
    await Threads.apart { isEnding.wait() }
    await Threads.apart { end(second) }
    if second == .newerRun { #expect(await begun.soon(2) == [1, 2]) }
    mayWrite.open()
    await tried.soon(1)
    #expect(store.tally.stamps == 0, "\(first), then \(second)")
    mayEnd.open()
    await Threads.apart { ending.wait() }
    try? await task.finish()
    #expect(store.tally.stamps == 0)
  }

  private struct Caused: Action {}

  /// The cancelling thread is kept, so that a run ends, and leaves what it caused to its dispatch.
  @Test func `when a run ends during the call, and hands on what it has caused`() async throws {
    let (isKept, mayGoOn) = (ThreadGate(), ThreadGate())
    let mayReturn = Gate()
    let keeper = Obstacle(isEnding: isKept, mayEnd: mayGoOn)
    let (obstacle, writer) = (obstacle, writer)
    let forever = Gate()
    let store = try Trail.makeStore {
      Effect<Trail>(on: Trail.Begin.self) { _, _ in keeper }
      Effect<Trail>(on: Trail.Begin.self) { _, context in
        context.dispatch(Caused())
        // It does not look whether it was cancelled.
        await Task { try? await mayReturn.wait() }.value
      }
      Effect<Trail>(on: Caused.self) { _, context in
        context.dispatch(obstacle)
        context.dispatch(writer)
        try? await forever.wait()
      }
    }
    let task = store.dispatch(Trail.Begin(round: 1))
    await mayWrite.waitForWaiters()
    await mayReturn.waitForWaiters()
    // On threads of their own: an obstacle may block one of the tasks' threads meanwhile.
    await Threads.apart { [mayEnd] in
      let cancelling = Threads.start { task.cancel() }
      isKept.wait()
      mayReturn.open()
      // Long enough, nearly always, for the run to end; if not, nothing is shown.
      for _ in 0..<2_000 where obstacle.met.value == 0 { Threads.yield() }
      mayGoOn.open()
      let hasReturned = Counter()
      let waiting = Threads.start {
        cancelling.wait()
        hasReturned.increment()
      }
      for _ in 0..<2_000 where hasReturned.value == 0 { Threads.yield() }
      // Where the cancelling thread itself meets the obstacle, it has yet to return.
      if hasReturned.value == 0 { mayEnd.open() }
      waiting.wait()
    }
    mayWrite.open()
    await tried.soon(1)
    #expect(store.tally.stamps == 0)
    mayEnd.open()
    try? await task.finish()
    #expect(store.tally.stamps == 0)
  }

  // MARK: Races

  /// Has two threads end the work of each round at once; each then closes the round.
  private func race(
    _ store: Store<Trail>, sourceLocation: SourceLocation = #_sourceLocation,
    _ start: @escaping @Sendable (_ round: Int) -> [@Sendable () -> Void]
  ) async {
    let (limit, end) = (
      VerificationLength.returnedRounds, ContinuousClock.now + VerificationLength.returnedTime
    )
    let rounds = await Threads.apart {
      var round = 0
      while round < limit, round < 20 || .now < end {
        round += 1
        let before = store.tally.stamps
        let ends = start(round)
        Threads.wait { store.tally.stamps > before + round % 7 }
        Threads.run(ends.count) { [round] index in
          ends[index]()
          store.dispatch(Trail.Close(round: round))
        }
      }
      return round
    }
    for _ in 0..<100 { await Task.yield() }
    let tally = store.tally
    #expect(
      tally.late == 0, "\(tally.late) of \(tally.stamps) commits in \(rounds) rounds",
      sourceLocation: sourceLocation)
    #expect(tally.stamps >= rounds, "the work has begun", sourceLocation: sourceLocation)
  }

  /// An effect that stamps its round in several sequences, until it is ended.
  private static var fan: Effect<Trail> {
    Effect(on: Trail.Begin.self) { begin, context in
      for _ in 0..<8 { context.dispatch(Trail.Stamps(round: begin.round)) }
      while !Task.isCancelled { await Task.yield() }
    }
  }

  private struct Link: Action {
    let round: Int
  }

  /// Effects that each stamp once, set off the next one, and end.
  @StoreBuilder<Trail> private static var chain: [StorePart<Trail>] {
    Effect<Trail>(on: Trail.Begin.self) { begin, context in
      for _ in 0..<4 { context.dispatch(Link(round: begin.round)) }
    }
    Effect<Trail>(on: Link.self) { link, context in
      context.dispatch(Trail.Stamp(round: link.round))
      await Task.yield()
      context.dispatch(Link(round: link.round))
    }
  }

  @Test func `both cancel the dispatch`() async throws {
    let store = try Trail.makeStore { Self.fan }
    await race(store) { round in
      let task = store.dispatch(Trail.Begin(round: round))
      return [{ task.cancel() }, { task.cancel() }]
    }
  }

  @Test func `both cancel the installation`() async throws {
    let store = try Trail.makeStore()
    await race(store) { round in
      let installed = store.install(Self.fan)
      store.dispatch(Trail.Begin(round: round))
      return [{ installed.cancel() }, { installed.cancel() }]
    }
  }

  @Test func `one cancels the dispatch, one the installation`() async throws {
    let store = try Trail.makeStore()
    await race(store) { round in
      let installed = store.install(Self.fan)
      let task = store.dispatch(Trail.Begin(round: round))
      return [{ task.cancel() }, { installed.cancel() }]
    }
  }

  @Test func `while runs end and hand on what they have caused`() async throws {
    let store = try Trail.makeStore { Self.chain }
    await race(store) { round in
      let task = store.dispatch(Trail.Begin(round: round))
      return [{ task.cancel() }, { task.cancel() }]
    }
  }
}
