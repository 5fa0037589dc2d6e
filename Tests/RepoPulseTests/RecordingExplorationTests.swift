import Foundation
import Lensed
import LensedTestSupport
import LensedTesting
import Testing

@testable import repo_pulse

/// The end of the article `Testing`, word for word: a recording becomes the shortest failing test.
@Suite struct `A recording, looked through for what breaks a promise` {
  private let repository: TemporaryRepository
  private let file: String

  init() throws {
    repository = try TemporaryRepository.sample()
    file = repository.path.replacing("/sample", with: "/run.lensed")
  }

  @Test func `keeps every promise that the report relies on`() async throws {
    _ = await run("--json", "--record", file, repository.path, in: repository)
    // GUIDE: Report
    let session = try Recording.session(ByteString(file))
    await explore(
      store: { try PulseState.store() }, session: session,
      invariants: [
        Invariant("each author has made a commit", of: \PulseState.authors) { authors in
          authors.allSatisfy { $0.commits > 0 }
        }
      ])
    // GUIDE: end
    #expect(session.count > 0)
  }

  @Test func `a promise that it breaks becomes the fewest of its actions`() async throws {
    _ = await run("--json", "--record", file, repository.path, in: repository)
    let session = try Recording.session(ByteString(file))
    var exploration: Exploration?
    let heard = await heardIssues {
      exploration = await explore(
        store: { try PulseState.store() }, session: session,
        invariants: [
          Invariant("nobody makes two commits", of: \PulseState.authors) { authors in
            authors.allSatisfy { $0.commits < 2 }
          }
        ])
    }
    #expect(heard.count == 1)
    #expect(exploration?.brokenPromise == "nobody makes two commits")
    // An author is noted and counted by two actions of one commit; the second commit only counts.
    let fewest = try #require(exploration?.fewestActions)
    #expect(
      fewest.map { "\(type(of: $0))" } == ["ActionList", "ElementAction<ByteString, AuthorAction>"])
    #expect(
      (fewest.first as? ActionList)?.actions.map { "\(type(of: $0))" }
        == ["CommitAction", "ElementAction<ByteString, AuthorAction>"])
  }
}
