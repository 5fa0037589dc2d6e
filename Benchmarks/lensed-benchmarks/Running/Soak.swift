import LensedTestSupport

/// The storm of the tests, for as long as one likes.
struct Soak {
  let time: Duration

  /// Whether nothing went wrong; says what was done, and what went wrong.
  func holds() async -> Bool {
    let seed = UInt64.random(in: 0...9_999_999)
    print("The first round has seed \(seed).")
    // Enough turns for the threads of an optimised build to meet.
    let report = await Storm(seed: seed, turns: 5_000).run(for: time)
    print(
      """
      \(report.rounds) stores lived and went: \(report.commits) commits, \(report.calls) calls of \
      observers, \(report.reads) values read.
      """)
    for flaw in report.flaws { print("WRONG: \(flaw)") }
    print(report.flaws.isEmpty ? "Everything held." : "Something did not hold.")
    return report.flaws.isEmpty
  }
}
