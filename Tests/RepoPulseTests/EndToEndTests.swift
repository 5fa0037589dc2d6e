import Foundation
import Lensed
import Testing

@testable import repo_pulse

@Suite struct EndToEndTests {
  private func state(of outcome: Outcome) throws -> PulseState {
    try JSONDecoder().decode(PulseState.self, from: Data(outcome.output.utf8))
  }

  @Test func `a small history comes out as it was made`() async throws {
    let repository = try TemporaryRepository.sample()
    let outcome = await run("--json", repository.path, in: repository)
    #expect(outcome.status == 0)
    #expect(outcome.errors == "")
    let state = try state(of: outcome)
    #expect(state.totals.commits == 6)
    #expect(state.totals.merges == 1)
    #expect(state.totals.lines == Lines(added: 6, deleted: 0))
    #expect(state.totals.binaryChanges == 1)
    #expect(state.commitsByAuthor == ["Ada Lovelace": 4, "Bob": 2])
    #expect(state.authors[id: "Bob"]?.firstDay == Day("2024-01-02"))
    #expect(
      state.files == [
        File(name: "old name.txt", today: "tab\tnew.txt"),
        File(name: "picture.bin", changes: 1),
        File(name: "side.txt", changes: 1, lines: Lines(added: 1, deleted: 0)),
        File(name: "tab\tnew.txt", changes: 3, lines: Lines(added: 5, deleted: 0)),
      ])
    #expect(state.hours[id: 23]?.count == 1)
    #expect(state.days.map(\.count).reduce(0, +) == 6)
    #expect(state.words[id: "story"]?.count == 4)
  }

  @Test func `the same history gives the same JSON, with sorted keys`() async throws {
    let repository = try TemporaryRepository.sample()
    let first = await run("--json", repository.path, in: repository)
    let second = await run(repository.path, "--json", in: repository)
    #expect(first.output == second.output)
    let keys = first.output.split(separator: "\n")
      .filter { $0.hasPrefix("  \"") }.map { $0.prefix { $0 != ":" } }
    #expect(keys == keys.sorted() && keys.count == 6)
  }

  @Test func `the report is the same but for what it cost, and holds no escape codes`()
    async throws
  {
    let repository = try TemporaryRepository.sample()
    let outcome = await run(repository.path, in: repository)
    #expect(outcome.status == 0)
    #expect(!outcome.output.contains("\u{1B}"))
    let rows = outcome.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(rows.first == "sample  2024-01-01 to 2024-01-06")
    #expect(rows[1...2] == ["  6 commits (1 merge) by 2 authors", "  3 files, +6 -0 lines"])
    #expect(rows.contains { $0.hasPrefix("  Ada Lovelace  4  ████") })
    #expect(rows.contains { $0.contains("tab\u{FFFD}new.txt") })
    #expect(rows.dropLast().last?.contains(" commits/s, ") == true)
    #expect(rows.allSatisfy { $0.count <= 80 })
  }

  @Test func `the watched author is followed on the output, before the report`() async throws {
    let repository = try TemporaryRepository.sample()
    let outcome = await run("--watch", "Bob", repository.path, in: repository)
    #expect(outcome.status == 0)
    let watched = outcome.output.split(separator: "\n").prefix { $0.hasPrefix("Bob  +") }
    #expect(watched.last?.hasSuffix("now 2 since 2024-01-02") == true)
  }

  @Test func `with JSON the watched author is followed on the errors`() async throws {
    let repository = try TemporaryRepository.sample()
    let outcome = await run("--watch", "Bob", "--json", repository.path, in: repository)
    #expect(try state(of: outcome).totals.commits == 6)
    #expect(outcome.errors.hasPrefix("Bob  +"))
  }

  @Test func `an author without commits is told, with names that are like it`() async throws {
    let repository = try TemporaryRepository.sample()
    let outcome = await run("--watch", "lovelace", repository.path, in: repository)
    #expect(outcome.status == 67)
    #expect(
      outcome.errors
        == "repo-pulse: no commit by lovelace\nDid you mean Ada Lovelace?\n")
  }

  @Test func `a folder that is no repository is told`() async throws {
    let folder = try TemporaryRepository(isRepository: false)
    let outcome = await run(folder.path, in: folder)
    #expect(outcome.status == 66)
    #expect(outcome.output == "")
    #expect(outcome.errors.hasPrefix("repo-pulse: no git repository in \(folder.path)\n"))
  }

  @Test func `a folder that is not there is told`() async throws {
    let folder = try TemporaryRepository(isRepository: false)
    let outcome = await run("\(folder.path)/nowhere", in: folder)
    #expect(outcome.status == 66)
    #expect(outcome.errors == "repo-pulse: no such folder: \(folder.path)/nowhere\n")
  }

  @Test func `a repository without commits is told`() async throws {
    let repository = try TemporaryRepository()
    let outcome = await run(repository.path, in: repository)
    #expect(outcome.status == 65)
    #expect(
      outcome.errors == "repo-pulse: the repository in \(repository.path) has no commits yet\n")
  }

  @Test func `a machine without git is told`() async throws {
    let repository = try TemporaryRepository()
    let outcome = await run(repository.path, in: repository, path: repository.path)
    #expect(outcome.status == 69)
    #expect(outcome.errors == "repo-pulse: git is not installed, or not in the PATH\n")
  }

  @Test func `a repository that git cannot read to the end is told, in git's words`() async throws {
    let repository = try TemporaryRepository.sample()
    try repository.git("update-ref", "refs/heads/other", "HEAD")
    try FileManager.default.removeItem(atPath: "\(repository.path)/.git/objects")
    try FileManager.default.createDirectory(
      atPath: "\(repository.path)/.git/objects", withIntermediateDirectories: true)
    let outcome = await run(repository.path, in: repository)
    #expect(outcome.status == 70)
    #expect(outcome.errors.hasPrefix("repo-pulse: git could not read the log\nfatal: "))
  }

  @Test func `the help goes to the output`() async throws {
    let folder = try TemporaryRepository(isRepository: false)
    let outcome = await run("--help", in: folder)
    #expect(outcome.status == 0)
    #expect(outcome.output == Options.help)
  }

  @Test func `an unknown option is told, with the status for it`() async throws {
    let folder = try TemporaryRepository(isRepository: false)
    let outcome = await run("--frob", in: folder)
    #expect(outcome.status == 64)
    #expect(
      outcome.errors == "repo-pulse: unknown option: --frob\nTry 'repo-pulse --help'.\n")
  }
}
