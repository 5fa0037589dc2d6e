internal import Lensed

/// What all who take part in a round share.
final class StormCast: Sendable {
  /// Does what the store does, and does not keep it.
  let scope: ScopedStore<StormState>
  let flaws: StormFlaws
  let alive: LiveCount
  let streamed: Counter
  /// Commits that were dispatched one by one or as arrays.
  let commits = Counter()
  let reads = Counter()
  /// The calls of those who observe all of the round.
  let load = StormLoad()
  /// As many calls a dispatch may make: three observers hear of its own commit and of 16 others.
  private static let most = 3 * 17
  /// Who of the two that come and go has gone for good.
  let guestsLeft = StormList<Int>()
  /// Whether those who come and go are to stop.
  private let isOver = Fenced(false)
  private let keeper: Fenced<Store<StormState>?>

  init(dispatchers: Int, flaws: StormFlaws, alive: LiveCount, streamed: Counter) throws {
    let store = try StormState.makeStore(
      dispatchers: dispatchers, flaws: flaws, streamed: streamed, alive: alive)
    (self.flaws, self.alive, self.streamed) = (flaws, alive, streamed)
    scope = store.scope(\.self)
    keeper = Fenced(store)
  }

  /// The store while it is there, kept for as long as whoever asks holds it.
  var store: Store<StormState>? { keeper.withLock { $0 } }

  var hasEnded: Bool { isOver.withLock { $0 } }

  func end() { isOver.withLock { $0 = true } }

  /// Lets go of the store, not under the lock that keeps it.
  func drop() {
    let last = keeper.withLock { $0.take() }
    _ = last
  }
}

// MARK: What threads do

extension StormCast {
  /// Dispatches single actions and arrays; calls `atThird` when a third of it is done.
  func dispatch(_ turns: Int, as dispatcher: Int, seed: UInt64, atThird: () -> Void) {
    var random = StormGenerator(seed: seed)
    var number = 0
    for turn in 0..<turns {
      if turn == turns / 3 { atThird() }
      bounded("one dispatch", by: Self.most) {
        dispatchOnce(as: dispatcher, after: &number, &random)
      }
      commits.increment()
    }
  }

  private func dispatchOnce(
    as dispatcher: Int, after number: inout Int, _ random: inout StormGenerator
  ) {
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<4:
      scope.dispatch(StormBeat(token: alive.token()))
    case 4..<8:
      number += 1
      scope.dispatch(StormStep(dispatcher: dispatcher, number: number, left: 0))
    case 8:
      let steps = (1...4).map {
        StormStep(dispatcher: dispatcher, number: number + $0, left: 4 - $0)
      }
      number += 4
      scope.dispatch(steps)
    default:
      number += 2
      scope.dispatch(
        [
          StormStep(dispatcher: dispatcher, number: number - 1, left: 1),
          StormStep(dispatcher: dispatcher, number: number, left: 0), StormVisit(),
        ] as [any Action])
    }
  }

  /// Makes a call to the store, and notes it as a flaw if it makes more calls for observers than are stated.
  private func bounded(_ name: String, by most: Int, _ body: () -> Void) {
    let calls = load.count(body)
    flaws.note("\(name) made \(calls) calls, more than \(most)", unless: calls <= most)
  }

  /// Subscribes and leaves, again and again; what it hears in between has no gap.
  func joinAndLeave() {
    while !hasEnded {
      let witness = StormWitness("one who joined", flaws)
      let beats = scope.states(\.beat)
      let token = alive.token()
      var subscriptions: [StoreSubscription] = []
      // The calls of those who observe all of the round are others' to make.
      bounded("subscribing", by: 0) {
        subscriptions.append(
          beats.subscribe { beat in
            withExtendedLifetime(token) { witness.hear(beat: beat) }
          })
        subscriptions.append(
          beats.combineLatest(scope.states(\.marks.total)).map { $0.0 }
            .removeDuplicates().subscribe { _ in withExtendedLifetime(token) {} })
        // One that nobody holds is cancelled at once.
        _ = scope.states.subscribe { _ in withExtendedLifetime(token) {} }
      }
      while witness.calls < 5 && !hasEnded { Threads.yield() }
      bounded("cancelling", by: 0) {
        for subscription in subscriptions { subscription.cancel() }
      }
    }
  }

  /// Registers a mutator and takes it away, again and again.
  func visit() {
    while !hasEnded, let store {
      let token = alive.token()
      let guest = Mutator(\StormState.guest) { [token] (guest: inout Int, _: StormVisit) in
        withExtendedLifetime(token) { guest += 1 }
      }
      let isWelcome = (try? store.register(guest)) != nil
      flaws.note("a mutator was refused", unless: isWelcome)
      bounded("a visit", by: Self.most) { store.dispatch(StormVisit()) }
      commits.increment()
      flaws.note("a mutator was not found", unless: store.unregister(\.guest))
      Threads.yield()
    }
  }
}

// MARK: What tasks do

extension StormCast {
  /// Reads the beats to the end of the store.
  ///
  /// - Returns: The last one that it read.
  func readBeats(_ ready: StormList<Int>) async -> Int {
    let token = alive.token()
    var (iterator, last) = (scope.states(\.beat).makeAsyncIterator(), -1)
    ready.append(0)
    while let beat = await iterator.next() {
      flaws.note("a reader went from beat \(last) to \(beat)", unless: beat > last)
      last = beat
      reads.increment()
    }
    withExtendedLifetime(token) {}
    return last
  }

  /// Reads the commits to the end of the store.
  ///
  /// - Returns: How many it was given or told of.
  func read(_ changes: StateChanges<StormState>, _ ready: StormList<Int>) async -> UInt64 {
    var (iterator, last) = (changes.makeAsyncIterator(), UInt64(0))
    ready.append(0)
    while let change = await iterator.next() {
      let expected = last + UInt64(change.droppedCount) + 1
      flaws.note(
        "commit \(change.revision) came after \(last), with \(change.droppedCount) dropped",
        unless: change.revision == expected)
      last = change.revision
      reads.increment()
    }
    return last
  }

  /// Dispatches a sequence of beats, and cancels it in the middle if it is to.
  func stream(_ beats: Int, isCancelled: Bool) async {
    let (alive, pulls) = (alive, StormList<Int>())
    let sequence = AsyncStream(unfolding: { () -> StormBeat? in
      pulls.append(0)
      if pulls.count.isMultiple(of: 10) { await Task.yield() }
      return pulls.count > beats ? nil : StormBeat(isStreamed: true, token: alive.token())
    })
    let task = scope.dispatch(sequence)
    if isCancelled { task.cancel() }
    do {
      try await task.finish()
    } catch {
      flaws.note("a sequence ended with \(error)", unless: error is CancellationError)
    }
  }
}
