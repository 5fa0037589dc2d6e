internal import LensedTesting
internal import Testing

/// An issue as a test of the test kit sees it.
public struct HeardIssue: Sendable {
  /// What it says.
  public let text: String
  /// The line that it belongs to.
  public let line: Int
  /// Whether it fails a test; a warning does not.
  public let fails: Bool
}

/// Runs code of the test kit that is to fail, and returns the texts of its issues, without the numbers of lines.
public func issues(
  _ body: () async throws -> Void
) async -> [String] {
  await heardIssues(body).map { $0.text.replacing(#/\.swift:\d+/#, with: ".swift") }
}

/// Runs code of the test kit that is to fail, and returns its issues; Swift Testing does not hear of them.
///
/// An expectation of the test itself that does not hold in there fails it, as everywhere.
public func heardIssues(
  _ body: () async throws -> Void
) async -> [HeardIssue] {
  let heard = Recorder<HeardIssue>()
  let handler = IssueHandler {
    heard.append(HeardIssue(text: $0.text, line: $0.location.line, fails: $0.fails))
  }
  await IssueHandler.$current.withValue(handler) {
    do { try await body() } catch {
      heard.append(HeardIssue(text: "threw \(error)", line: 0, fails: true))
    }
  }
  return heard.values
}
