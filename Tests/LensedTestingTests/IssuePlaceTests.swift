import LensedTestSupport
import Testing

@Suite(
  "No issue of the test kit names a place in Lensed", .warnsOnPurpose, .timeLimit(.minutes(30)))
struct IssuePlaceTests {
  @Test(arguments: ReportingEntryPoint.all)
  func `the places in it are those of the test`(_ entry: ReportingEntryPoint) async {
    let heard = await heardIssues(entry.misuse)
    #expect(!heard.isEmpty)
    for issue in heard {
      let places = issue.text.matches(of: /[\w+]+\/[\w+ ]+\.swift(?::\d+)?/).map(\.output)
      #expect(
        places.allSatisfy {
          $0.hasPrefix("LensedTestingTests/") || $0.hasPrefix("LensedTestSupport/")
        }, "\(issue.text)")
    }
  }
}
