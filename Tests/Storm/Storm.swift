/// Dispatchers, observers that join and leave, readers, cancellations and stores that go, all at
/// once, for as long as one likes.
///
/// ```swift
/// let report = await Storm(seed: 7).run(for: .seconds(2))
/// #expect(report.flaws == [])
/// ```
///
/// It rages in rounds. Each has a store of its own, a seed of its own, and is looked at when it is
/// over: nobody missed or repeated anything, all heard the same in one order, the totals are exact,
/// no call to the store made more calls for other threads than are stated, and everything was let go. A seed repeats the plan of a round, though not how its threads meet.
public struct Storm: Sendable {
  /// What came of it.
  public struct Report: Sendable {
    /// How many stores lived and went.
    public internal(set) var rounds = 0
    /// How many commits were made.
    public internal(set) var commits = 0
    /// How many calls observers had.
    public internal(set) var calls = 0
    /// How many values asynchronous readers had.
    public internal(set) var reads = 0
    /// The most calls of observers that one dispatch has made, its own and those for other threads.
    public internal(set) var mostCalls = 0
    /// What must not have happened, each with the seed of its round.
    public internal(set) var flaws: [String] = []
  }

  private let seed: UInt64
  private let dispatchers: Int
  private let turns: Int

  /// A storm to come.
  ///
  /// - Parameters:
  ///   - seed: Of the first round; each next one has the next.
  ///   - dispatchers: How many threads dispatch.
  ///   - turns: How often each of them dispatches in a round.
  public init(seed: UInt64, dispatchers: Int = 3, turns: Int = 500) {
    (self.seed, self.dispatchers, self.turns) = (seed, dispatchers, turns)
  }

  /// Rages until the time is over, one round at least, or until something went wrong.
  @concurrent
  public func run(for time: Duration) async -> Report {
    var report = Report()
    let end = ContinuousClock.now + time
    repeat {
      let seed = seed &+ UInt64(report.rounds)
      let round = StormRound(seed: seed, dispatchers: dispatchers, turns: turns)
      do {
        let outcome = try await round.run()
        report.commits += outcome.commits
        report.calls += outcome.calls
        report.reads += outcome.reads
        report.mostCalls = max(report.mostCalls, outcome.most)
        report.flaws += outcome.flaws.map { "seed \(seed): \($0)" }
      } catch {
        report.flaws.append("seed \(seed): \(error)")
      }
      report.rounds += 1
    } while .now < end && report.flaws.isEmpty
    return report
  }
}
