internal import Lensed

/// One store's life in a storm.
struct StormRound {
  struct Outcome: Sendable {
    var commits = 0
    var calls = 0
    var reads = 0
    /// The most calls of observers that one call to the store has made.
    var most = 0
    var flaws: [String] = []
  }

  private let seed: UInt64
  private let dispatchers: Int
  private let turns: Int
  /// Every third store goes while everybody is busy with it.
  private let goesMidway: Bool
  private let flaws = StormFlaws()
  private let alive = LiveCount()

  init(seed: UInt64, dispatchers: Int, turns: Int) {
    (self.seed, self.dispatchers, self.turns) = (seed, dispatchers, turns)
    goesMidway = seed.isMultiple(of: 3)
  }

  /// Plays the round to its end.
  func run() async throws -> Outcome {
    var outcome = try await rage()
    // A task releases what it held a little after it has ended.
    await Threads.apart { [alive] in Threads.wait { alive.value == 0 } }
    flaws.note("\(alive.value) objects were left behind", unless: alive.value == 0)
    outcome.flaws = flaws.sentences
    return outcome
  }

  private func rage() async throws -> Outcome {
    var random = StormGenerator(seed: seed)
    let streamed = Counter()
    let cast = try StormCast(
      dispatchers: dispatchers, flaws: flaws, alive: alive, streamed: streamed)
    let witnesses = (0..<3).map { StormWitness("observer \($0)", flaws, cast.load) }
    let subscriptions = witnesses.map { [alive] witness in
      let token = alive.token()
      return cast.scope.states.subscribe { state in
        withExtendedLifetime(token) { witness.hear(state) }
      }
    }
    let ready = StormList<Int>()
    let listening = [ChangeBuffering.unbounded, .bounded(8, dropping: .oldest)]
      .compactMap { cast.store?.changes(buffering: $0) }
      .map { changes in Task { await cast.read(changes, ready) } }
    let reading = (0..<3).map { _ in Task { await cast.readBeats(ready) } }
    // A reader that begins after the store has gone would rightly read nothing.
    await ready.waitForCount(listening.count + reading.count)
    let streaming = (0..<2).map { number in
      let beats = Int.random(in: 1...turns, using: &random)
      return Task { await cast.stream(beats, isCancelled: number == 1) }
    }

    await dispatch(cast, seed: random.next(), cancelling: reading[0])
    for task in streaming { await task.value }
    cast.end()
    await cast.guestsLeft.waitForCount(2)
    let (state, made) = (cast.scope.state, UInt64(cast.commits.value + streamed.value))
    if !goesMidway { await judge(witnesses, made: made) }
    cast.drop()
    for task in listening {
      let last = await task.value
      flaws.note("\(last) of \(made) commits were read", unless: goesMidway || last == made)
    }
    _ = await reading[0].value
    for task in reading.dropFirst() {
      let last = await task.value
      flaws.note("a reader ended at beat \(last), not \(state.beat)", unless: last == state.beat)
    }
    for subscription in subscriptions { subscription.cancel() }
    return Outcome(
      commits: Int(made), calls: witnesses.reduce(0) { $0 + $1.calls }, reads: cast.reads.value,
      most: cast.load.most)
  }

  /// Has all threads dispatch, join, leave and visit, and returns when nobody dispatches any more.
  private func dispatch(
    _ cast: StormCast, seed: UInt64, cancelling reader: Task<Int, Never>
  ) async {
    let (turns, goesMidway, ended) = (turns, goesMidway, StormList<Int>())
    for dispatcher in 0..<dispatchers {
      _ = Threads.start {
        cast.dispatch(turns, as: dispatcher, seed: seed &+ UInt64(dispatcher)) {
          // In the middle of it all, whichever thread it happens on.
          if dispatcher == 0 { reader.cancel() }
          if dispatcher == 0 && goesMidway { cast.drop() }
        }
        ended.append(dispatcher)
      }
    }
    _ = Threads.start {
      cast.joinAndLeave()
      cast.guestsLeft.append(0)
    }
    _ = Threads.start {
      cast.visit()
      cast.guestsLeft.append(1)
    }
    await ended.waitForCount(dispatchers)
  }

  /// Looks whether those who were there from first to last heard all of it, and the same.
  private func judge(_ witnesses: [StormWitness], made: UInt64) async {
    // Another thread may still be delivering the last commits.
    await Threads.apart { Threads.wait { witnesses.allSatisfy { $0.calls > made } } }
    for witness in witnesses {
      flaws.note(
        "an observer heard \(witness.calls) times of \(made) commits",
        unless: witness.calls == made + 1)
    }
    flaws.note(
      "the observers heard in different orders", unless: Set(witnesses.map(\.digest)).count == 1)
  }
}
