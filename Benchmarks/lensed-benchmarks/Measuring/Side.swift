/// One of the things that are measured against each other.
///
/// A side is asked for a sample of so many turns and measures itself, so that what it prepares
/// stays outside the clock.
struct Side {
  let name: String
  /// How many turns a sample has; nil where the harness finds the number that lasts long enough.
  let turns: Int?
  let take: (_ turns: Int) async throws -> Sample
  let tearDown: () async -> Void
  /// What has to live as long as the side though nothing in it is called: subscriptions.
  private let kept: Any?

  private init(
    _ name: String,
    turns: Int? = nil,
    keeping kept: Any? = nil,
    tearDown: @escaping () async -> Void = {},
    take: @escaping (Int) async throws -> Sample
  ) {
    self.name = name
    self.turns = turns
    self.kept = kept
    self.tearDown = tearDown
    self.take = take
  }

  /// Work that stays on its thread and never suspends.
  static func synchronous(
    _ name: String,
    actionsPerTurn: Int = 1,
    keeping kept: Any? = nil,
    tearDown: @escaping () async -> Void = {},
    body: @escaping (_ turns: Int) -> Void
  ) -> Side {
    Side(name, keeping: kept, tearDown: tearDown) { turns in
      let watch = Stopwatch(.thread)
      body(turns)
      return watch.stop(actions: turns * actionsPerTurn)
    }
  }

  /// Work on the main actor that never suspends.
  static func onMain(
    _ name: String,
    body: @escaping @MainActor @Sendable (_ turns: Int) -> Void
  ) -> Side {
    Side(name) { turns in
      // The hop there and back stays outside the clock.
      await MainActor.run {
        let watch = Stopwatch(.thread)
        body(turns)
        return watch.stop(actions: turns)
      }
    }
  }

  /// Work that may suspend.
  static func asynchronous(
    _ name: String,
    body: @escaping @concurrent @Sendable (_ turns: Int) async throws -> Void
  ) -> Side {
    Side(name) { turns in
      try await inTask(actions: turns) { try await body(turns) }
    }
  }

  /// Work that uses something up, which is made anew for each sample outside the clock.
  static func prepared<Input: Sendable>(
    _ name: String,
    actions: Int,
    prepare: @escaping () -> Input,
    body: @escaping @concurrent @Sendable (Input) async throws -> Void
  ) -> Side {
    Side(name, turns: 1) { _ in
      let input = prepare()
      return try await inTask(actions: actions) { try await body(input) }
    }
  }

  /// Each sample has a task of its own.
  ///
  /// What a task allocates its frames from remembers what ran in it before: in one that has run many
  /// things, the same loop may find a block's end in its way at every turn.
  private static func inTask(
    actions: Int,
    _ work: @escaping @concurrent @Sendable () async throws -> Void
  ) async throws -> Sample {
    try await Task { @concurrent in
      let watch = Stopwatch(.process)
      try await work()
      return watch.stop(actions: actions)
    }.value
  }

  /// The same work on several threads at once; an action is one of any of them, so the figure is
  /// the time that passes divided by all that was done in it.
  ///
  /// A sample lasts a set time, not a set number of turns: threads that fight for a lock may be ten
  /// times slower in one sample than in the next.
  static func threads(
    _ name: String,
    count: Int,
    body: @escaping @Sendable (_ turns: Int) -> Void
  ) -> Side {
    let gang = Gang(count)
    return Side(name, turns: 1, tearDown: { gang.dismiss() }) { _ in
      let actions = Tally()
      let allocations = Tally()
      let watch = Stopwatch(.process)
      await gang.run(for: stint) { chunk in
        // Each thread counts for itself, so that what waking them allocates is left out.
        let own = Stopwatch(.thread)
        body(chunk)
        allocations.add(Int(own.stop(actions: chunk).allocations))
        actions.add(chunk)
      }
      return watch.stop(actions: actions.value, allocations: UInt64(allocations.value))
    }
  }

  /// Work on one thread whose effects elsewhere are what counts: `effects` gives their number so
  /// far.
  static func tallied(
    _ name: String,
    tearDown: @escaping () async -> Void,
    effects: @escaping () -> Int,
    body: @escaping @Sendable (_ turns: Int) -> Void
  ) -> Side {
    // Not a thread of the tasks: it would be missing where the effects are.
    let gang = Gang(1)
    let leave = {
      gang.dismiss()
      await tearDown()
    }
    return Side(name, turns: 1, tearDown: leave) { _ in
      let before = effects()
      let watch = Stopwatch(.process)
      await gang.run(for: stint, body)
      return watch.stop(actions: effects() - before)
    }
  }

  /// Threads that wake one after another run alone at first, and the scheduler shares cores out in
  /// slices of milliseconds: a sample has to dwarf both.
  private static let stint = Duration.milliseconds(50)
}
