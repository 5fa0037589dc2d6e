import Foundation
import Lensed
import LensedTestSupport
import Testing

@testable import repo_pulse

/// A repository that is followed, by a clock that the test moves.
struct FollowingScene {
  let repository: TemporaryRepository
  let clock = ManualClock()
  let output = Output.collecting()
  let errors = Output.collecting()
  let command: Task<Int32, Never>

  /// Follows the sample; returns when its history was read and the waiting has begun.
  init(
    _ arguments: String..., of repository: TemporaryRepository? = nil
  ) async throws {
    let repository = try repository ?? .sample()
    self.repository = repository
    let pulse = Pulse(
      environment: repository.environment, output: output, errors: errors, clock: clock)
    let all = ["--follow"] + arguments + [repository.path]
    command = Task { await pulse.run(all) }
    await clock.waitForSleeps(1)
  }

  /// Looks at the repository once, as the `number`th time; returns when all that came was folded in.
  func look(_ number: Int) async {
    clock.move(by: Following.pace)
    await clock.waitForSleeps(number + 1)
  }

  /// Ends as at Ctrl-C.
  func interrupt() async -> Int32 {
    command.cancel()
    return await command.value
  }

  /// The texts that were printed as JSON, one after another.
  var documents: [String] {
    output.collected.components(separatedBy: "\n}\n").filter { !$0.isEmpty }.map { $0 + "\n}\n" }
  }

  /// The same, without what had to be computed for each.
  var documentsWithoutCounts: [String] {
    documents.map { $0.replacing(/\n {2}"computed" : {[^}]*},/, with: "") }
  }

  /// The states in them.
  func states() throws -> [PulseState] {
    try documents.map { try JSONDecoder().decode(PulseState.self, from: Data($0.utf8)) }
  }

  /// What had to be computed for each of them.
  func computed() throws -> [[String: Int]] {
    struct Document: Decodable { let computed: [String: Int] }
    return try documents.map {
      try JSONDecoder().decode(Document.self, from: Data($0.utf8)).computed
    }
  }
}

@Suite("Following a repository") struct FollowingTests {
  @Test(.timeLimit(.minutes(30)))
  func `new commits are told, the oldest first, until it is interrupted`() async throws {
    let scene = try await FollowingScene()
    let report = scene.output.collected
    try scene.repository.write("more\n", to: "side.txt")
    try scene.repository.commit("Rewrite it", by: "Bob", at: "2024-01-07T10:00:00+00:00")
    try scene.repository.commit("And again", by: "Cleo", at: "2024-01-08T10:00:00+00:00")
    await scene.look(1)
    #expect(
      scene.output.collected.dropFirst(report.count)
        == "Bob  Rewrite it  +1 -1 lines\nCleo  And again  +0 -0 lines\n")
    #expect(await scene.interrupt() == 130)
    #expect(scene.errors.collected == "")
  }

  @Test(.timeLimit(.minutes(30)))
  func `nothing is told while nothing comes`() async throws {
    let scene = try await FollowingScene("--json")
    await scene.look(1)
    await scene.look(2)
    #expect(try scene.states().count == 1)
    #expect(await scene.interrupt() == 130)
  }

  @Test(.timeLimit(.minutes(30)))
  func `what is folded in comes to what reading all of it anew does`() async throws {
    let scene = try await FollowingScene("--json")
    try scene.repository.git("mv", "tab\tnew.txt", "newest.txt")
    try scene.repository.commit("Move it on", by: "Cleo", at: "2024-01-07T10:00:00+00:00")
    await scene.look(1)
    try scene.repository.write("one\n", to: "newest.txt")
    try scene.repository.write("old\n", to: "old name.txt")
    try scene.repository.commit("Use old names", by: "Bob", at: "2024-01-08T10:00:00+00:00")
    try scene.repository.git("mv", "newest.txt", "last.txt")
    try scene.repository.commit("Move it again", by: "Bob", at: "2024-01-09T10:00:00+00:00")
    await scene.look(2)
    let states = try scene.states()
    #expect(states.map(\.totals.commits) == [6, 7, 9])
    var last = try #require(states.last)
    var anew = try await Reading().state(
      after: CommitFeed(
        chunks: Repository(
          folder: ByteString(scene.repository.path), environment: scene.repository.environment
        ).log()))
    // How far the reading got is no part of the history.
    last.totals.reached = nil
    anew.totals.reached = nil
    #expect(try StateDocument(state: last).text() == StateDocument(state: anew).text())
    #expect(last.files[id: "old name.txt"]?.today == "last.txt")
    #expect(await scene.interrupt() == 130)
  }

  @Test(.timeLimit(.minutes(30)))
  func `a history that was rewritten is read anew`() async throws {
    let scene = try await FollowingScene("--json")
    try scene.repository.git("reset", "--quiet", "--hard", "HEAD~1")
    try scene.repository.commit("Another end", by: "Cleo", at: "2024-01-07T10:00:00+00:00")
    await scene.look(1)
    let last = try #require(try scene.states().last)
    #expect(last.totals.commits == 6)
    #expect(last.commitsByAuthor == ["Ada Lovelace": 3, "Bob": 2, "Cleo": 1])
    #expect(await scene.interrupt() == 130)
  }

  @Test(.timeLimit(.minutes(30)))
  func `a checked out ancestor is another history`() async throws {
    let scene = try await FollowingScene()
    try scene.repository.git("checkout", "--quiet", "--detach", "HEAD~1")
    await scene.look(1)
    #expect(scene.output.collected.hasSuffix("another history, read anew: 5 commits\n"))
    #expect(await scene.interrupt() == 130)
  }

  @Test(.timeLimit(.minutes(30)))
  func `a branch without commits is waited on`() async throws {
    let scene = try await FollowingScene("--json")
    try scene.repository.git("checkout", "--quiet", "--orphan", "empty")
    await scene.look(1)
    #expect(try scene.states().count == 1)
    try scene.repository.commit("Begin anew", by: "Cleo", at: "2024-01-07T10:00:00+00:00")
    await scene.look(2)
    #expect(try scene.states().map(\.totals.commits) == [6, 1])
    #expect(await scene.interrupt() == 130)
  }

  @Test(.timeLimit(.minutes(30)))
  func `the watched author is followed on from where the reading ended`() async throws {
    let scene = try await FollowingScene("--watch", "Bob")
    try scene.repository.commit("More", by: "Bob", at: "2024-01-07T10:00:00+00:00")
    await scene.look(1)
    #expect(await scene.interrupt() == 130)
    #expect(scene.output.collected.contains("Bob  More  +0 -0 lines\n"))
    #expect(!scene.output.collected.contains("Bob  +3 commits"))
  }

  @Test(.timeLimit(.minutes(30)))
  func `what was folded in is recorded too, and written when it is interrupted`() async throws {
    let folder = try TemporaryRepository(isRepository: false)
    let file = "\(folder.path)/run"
    let scene = try await FollowingScene("--json", "--record", file)
    try scene.repository.commit("More", by: "Bob", at: "2024-01-07T10:00:00+00:00")
    await scene.look(1)
    try scene.repository.git("reset", "--quiet", "--hard", "HEAD~2")
    try scene.repository.commit("Another end", by: "Cleo", at: "2024-01-08T10:00:00+00:00")
    await scene.look(2)
    try scene.repository.git("mv", "side.txt", "aside.txt")
    try scene.repository.commit("Move it", by: "Cleo", at: "2024-01-09T10:00:00+00:00")
    await scene.look(3)
    #expect(await scene.interrupt() == 130)
    #expect(scene.errors.collected == "")
    let replay = await run("--json", "--replay", file, in: folder)
    #expect(replay.status == 0)
    let documents = scene.documentsWithoutCounts
    #expect(documents.last == replay.output)
    let last = try #require(try scene.states().last)
    #expect(last.totals.commits == 7)
    let report = await run("--replay", file, in: folder)
    #expect(report.output.hasPrefix("sample  2024-01-01 to 2024-01-09\n"))
  }

  @Test(.timeLimit(.minutes(30)))
  func `where nothing came, what was read is the recording`() async throws {
    let folder = try TemporaryRepository(isRepository: false)
    let scene = try await FollowingScene("--json", "--record", "\(folder.path)/run")
    #expect(await scene.interrupt() == 130)
    let replay = await run("--json", "--replay", "\(folder.path)/run", in: folder)
    let documents = scene.documentsWithoutCounts
    #expect(documents == [replay.output])
  }

  @Test(.timeLimit(.minutes(30)))
  func `a repository that goes away ends it, with the reason`() async throws {
    let scene = try await FollowingScene()
    try FileManager.default.removeItem(atPath: "\(scene.repository.path)/.git")
    scene.clock.move(by: Following.pace)
    #expect(await scene.command.value == 66)
    #expect(
      scene.errors.collected.hasPrefix(
        "repo-pulse: no git repository in \(scene.repository.path)\n"))
  }
}
