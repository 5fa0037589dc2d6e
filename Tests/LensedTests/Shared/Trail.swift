import Lensed
import LensedTestSupport

/// A state that notes which commits came after their work was said to be over.
struct Trail: Sendable, Equatable {
  var tally = Tally()
  /// Written by mutators that come and go.
  var side = 0
  /// Written by commits that keep the lock for a while.
  var busy = 0

  struct Tally: Sendable, Equatable {
    var stamps = 0
    var closed = 0
    var late = 0
  }

  /// Written by the work of a round.
  struct Stamp: Action {
    let round: Int
  }

  /// Committed when the work of a round has been ended: what is stamped after it is late.
  struct Close: Action {
    let round: Int
  }

  /// Has the work of a round begin.
  struct Begin: Action {
    let round: Int
  }

  struct Hold: Action {}

  static let tallyMutator = Mutator(\Trail.tally) { (tally: inout Tally, stamp: Stamp) in
    tally.stamps += 1
    if stamp.round <= tally.closed { tally.late += 1 }
  }
  .on(Close.self) { tally, close in tally.closed = max(tally.closed, close.round) }

  static func makeStore(
    middleware: [any Middleware<Trail>] = [],
    @StoreBuilder<Trail> _ parts: () -> [StorePart<Trail>] = { [] }
  ) throws -> Store<Trail> {
    try Store(initialState: Trail(), coverage: .partial, middleware: middleware) {
      tallyMutator
      Mutator(\Trail.busy) { (busy: inout Int, _: Hold) in
        for step in 0..<200 { busy = busy &* 31 &+ step }
      }
      parts()
    }
  }

  /// Stamps of a round, without end; it leaves its thread to others now and then.
  struct Stamps: AsyncSequence, Sendable {
    let round: Int

    struct Iterator: AsyncIteratorProtocol {
      let round: Int
      mutating func next() async -> Stamp? {
        await Task.yield()
        return Task.isCancelled ? nil : Stamp(round: round)
      }
    }

    func makeAsyncIterator() -> Iterator { Iterator(round: round) }
  }

  /// An effect whose code returns, and leaves a sequence that stamps its round until it is cancelled.
  static func leaving() -> Effect<Trail> {
    Effect(on: Begin.self) { begin, context -> Void in
      context.dispatch(Stamps(round: begin.round))
    }
  }

  /// An effect that stamps its round until it is cancelled.
  static func stamping(_ policy: EffectPolicy = .concurrent) -> Effect<Trail> {
    Effect(on: Begin.self, policy) { begin, context in
      while !Task.isCancelled {
        context.dispatch(Stamp(round: begin.round))
        await Task.yield()
      }
    }
  }
}

extension Recorder {
  /// What was added so far, when so many were, or after ten minutes.
  ///
  /// For what a fault may keep from ever being added: the test then fails, and does not hang.
  @discardableResult
  nonisolated(nonsending) func soon(_ count: Int) async -> [Value] {
    await Threads.apart { Threads.wait { self.count >= count } }
    return values
  }
}

extension ManualClock {
  /// Whether so many sleep, now or within ten minutes.
  nonisolated(nonsending) func soonSleeps(_ count: Int = 1) async -> Bool {
    await Threads.apart { Threads.wait { self.sleeperCount >= count } }
  }
}
