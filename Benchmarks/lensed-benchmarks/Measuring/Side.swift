/// What several threads use at once.
struct ThreadSubject {
  /// An object that must live as long as the subject, such as a reader.
  var kept: Any?
  /// So many turns of the work, on any thread.
  let body: @Sendable (_ turns: Int) -> Void
}

/// One of the two works that are compared in a benchmark.
///
/// A side takes its own samples of a number of turns, so that its preparation is not measured.
struct Side {
  let name: String
  /// The number of turns in a sample; nil if calibration decides.
  let turns: Int?
  let take: (_ turns: Int) async throws -> Sample
  let tearDown: () async -> Void
  /// Objects that must live as long as the side, such as subscriptions.
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
      // The hop to the main actor and back is not measured.
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

  /// Work that consumes an input; a new one is prepared for each sample, outside of the
  /// measurement.
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

  /// Takes a sample in a new task.
  ///
  /// A task's frame allocator depends on the earlier work of the task. In a reused task the same
  /// loop might cross the end of a memory block at every turn.
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

  /// The same work on several threads at once, in each sample on a subject of its own.
  ///
  /// The figure is the elapsed time divided by the actions of all threads. A sample has a fixed
  /// duration, not a fixed number of turns, because threads that contend for a lock can be ten
  /// times slower in one sample than in the next.
  ///
  /// What they contend for costs more or less, depending on which of its memory shares a line of the
  /// cache. Subjects are kept until the last sample, so that each lies elsewhere.
  static func threads(
    _ name: String,
    count: Int,
    subject: @escaping () throws -> ThreadSubject
  ) -> Side {
    let threads = WorkerThreads(count)
    var subjects: [ThreadSubject] = []
    return Side(name, turns: 1, tearDown: { threads.stop() }) { _ in
      subjects.append(try subject())
      let body = subjects[subjects.count - 1].body
      // The first action of a store makes what later ones use.
      body(1)
      let actions = AtomicCounter()
      let allocations = AtomicCounter()
      let watch = Stopwatch(.process)
      await threads.run(for: sampleDuration) { chunk in
        // Each thread counts its own allocations, so that waking the threads is not counted.
        let own = Stopwatch(.thread)
        body(chunk)
        allocations.add(Int(own.stop(actions: chunk).allocations))
        actions.add(chunk)
      }
      return watch.stop(actions: actions.value, allocations: UInt64(allocations.value))
    }
  }

  /// Work on one thread that is measured by its effects elsewhere; `effects` returns their number.
  static func counting(
    _ name: String,
    tearDown: @escaping () async -> Void,
    effects: @escaping () -> Int,
    body: @escaping @Sendable (_ turns: Int) -> Void
  ) -> Side {
    // A separate thread, because the tasks need all threads of their pool.
    let threads = WorkerThreads(1)
    let leave = {
      threads.stop()
      await tearDown()
    }
    return Side(name, turns: 1, tearDown: leave) { _ in
      let before = effects()
      let watch = Stopwatch(.process)
      await threads.run(for: sampleDuration, body)
      return watch.stop(actions: effects() - before)
    }
  }

  /// The duration of a sample with threads.
  ///
  /// It is long compared with the time to wake all threads, and with a time slice of the scheduler.
  private static let sampleDuration = Duration.milliseconds(50)
}
