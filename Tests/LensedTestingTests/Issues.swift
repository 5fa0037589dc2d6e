import LensedTesting
import Testing

/// An issue as a test of the test kit sees it.
struct HeardIssue: Sendable {
  let text: String
  let line: Int
  /// Whether it fails a test; a warning does not.
  var fails = true
}

/// Runs code that is to fail, and returns the texts of its issues, without the numbers of lines.
func issues(
  _ body: () async throws -> Void
) async -> [String] {
  await heardIssues(body).map { $0.text.replacing(#/\.swift:\d+/#, with: ".swift") }
}

/// Runs code that is to fail, and returns its issues.
func heardIssues(
  _ body: () async throws -> Void
) async -> [HeardIssue] {
  let heard = Recorder<HeardIssue>()
  await withKnownIssue(isIntermittent: true) {
    do { try await body() } catch { Issue.record("threw \(error)") }
  } matching: { issue in
    let text = issue.comments.map(\.rawValue).joined(separator: "\n")
    var found = HeardIssue(
      text: text.isEmpty ? "\(issue)" : text, line: issue.sourceLocation?.line ?? 0)
    #if compiler(>=6.3)
      found.fails = issue.severity > .warning
    #endif
    heard.append(found)
    return true
  }
  return heard.values
}
