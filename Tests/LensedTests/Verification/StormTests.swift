import LensedTestSupport
import Testing

/// `lensed-benchmarks --soak SECONDS` runs the same storm for as long as one likes.
@Suite("A storm of everything at once", .warnsOnPurpose, .timeLimit(.minutes(30)))
struct StormTests {
  @Test(arguments: [3, 1_000] as [UInt64])
  func `a storm leaves no gap, no repeat, no disorder and no object behind`(seed: UInt64) async {
    let report = await Storm(seed: seed).run(for: .milliseconds(700))
    #expect(report.flaws == [])
    #expect(report.commits > 0 && report.calls > 0 && report.reads > 0)
  }
}
