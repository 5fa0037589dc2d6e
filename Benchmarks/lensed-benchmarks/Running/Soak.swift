import LensedStorm

/// The stress test of the tests, for any length of time.
struct Soak {
  let time: Duration

  /// Runs the test, prints a summary and any broken guarantees, and returns whether all held.
  func holds() async -> Bool {
    let seed = UInt64.random(in: 0...9_999_999)
    print("The first round has seed \(seed).")
    // Enough turns for the threads of an optimised build to overlap.
    let report = await Storm(seed: seed, turns: 5_000).run(for: time)
    print(
      """
      \(report.rounds) stores made and released: \(report.commits) commits, \(report.calls) calls of \
      observers, \(report.reads) values read. No dispatch made more than \(report.mostCalls) calls, its own \
      included.
      """)
    for flaw in report.flaws { print("WRONG: \(flaw)") }
    print(report.flaws.isEmpty ? "All guarantees held." : "A guarantee was broken.")
    return report.flaws.isEmpty
  }
}
