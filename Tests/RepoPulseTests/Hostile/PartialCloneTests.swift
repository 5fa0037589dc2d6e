import Foundation
import Testing

@testable import repo_pulse

@Suite("Clones that lack objects") struct PartialCloneTests {
  /// Each has git ask a program, or the origin, for the objects that are missing.
  private static let origins = [
    "", "[remote \"origin\"]\n uploadpack = PROGRAM",
    "[remote \"origin\"]\n url = ext::PROGRAM\n[protocol \"ext\"]\n allow = always",
    "[remote \"origin\"]\n url = ssh://nowhere/x\n[core]\n sshCommand = PROGRAM",
    "[remote \"origin\"]\n url = git://nowhere/x\n[core]\n gitProxy = PROGRAM",
    "[remote \"origin\"]\n vcs =\n[alias]\n remote- = !PROGRAM",
    "[remote \"origin\"]\n vcs = x\n[alias]\n remote-x = !PROGRAM\n[protocol \"x\"]\n allow = always",
    "[remote \"origin\"]\n vcs = none\n[alias]\n remote-none = !PROGRAM\n fetch = !PROGRAM",
    "[protocol]\n allow = always\n[protocol \"file\"]\n allow = always",
    "[url \"ext::PROGRAM \"]\n insteadOf = file://\n[protocol \"ext\"]\n allow = always",
    "[maintenance]\n auto = true\n[gc]\n auto = 1\n[fetch]\n writeCommitGraph = true",
  ]

  @Test
  func `a partial clone is neither fetched from nor written to, and is told what to do`()
    async throws
  {
    let scene = try HostileScene.partialClone()
    for text in PartialCloneTests.origins {
      for variables in [[:], ["GIT_ALLOW_PROTOCOL": "file:ext:x:", "GIT_NO_LAZY_FETCH": "0"]] {
        let outcome = try await scene.configured(text) {
          try await scene.look(with: variables, "\(text)")
        }
        #expect(outcome.status == 66, "\(text)")
        #expect(outcome.output == "", "\(text)")
        #expect(
          outcome.errors.hasPrefix(
            "repo-pulse: the clone in \(scene.repository.path) is a partial one"), "\(text)")
        #expect(outcome.errors.contains("git fetch --refetch --no-filter"), "\(text)")
      }
    }
  }

  @Test func `a git that knows of no ban on fetching finds no transport`() async throws {
    let scene = try HostileScene.partialClone()
    let repository = Repository(folder: nil, environment: scene.repository.environment)
    var environment = repository.environment
    environment["GIT_NO_LAZY_FETCH"] = nil
    let before = try FolderContents(of: scene.folder)
    for text in PartialCloneTests.origins {
      let ending = try await scene.configured(text) {
        let git = try Git(
          "/usr/bin/env", ["git", "-C", ByteString(scene.repository.path), "log", "--numstat"],
          environment: environment)
        while try await git.output.next() != nil {}
        return await git.ending()
      }
      #expect(ending.status != 0, "\(text)")
      let changed = try FolderContents(of: scene.folder).difference(from: before)
      #expect(changed.filter { !$0.hasSuffix("/config") } == [], "\(text)")
    }
  }

  @Test func `a partial clone that was completed as it was told is read`() async throws {
    let scene = try HostileScene.partialClone()
    #expect(try await scene.look().status == 66)
    try scene.repository.git("fetch", "--quiet", "--refetch", "--no-filter", "origin")
    let outcome = try await scene.look()
    #expect(outcome.status == 0)
    #expect(outcome.errors == "")
  }

  @Test func `a shallow clone is read as far as it goes`() async throws {
    let origin = try TemporaryRepository.sample()
    let clone = try TemporaryRepository(isRepository: false)
    try clone.git("clone", "--quiet", "--depth=2", "file://\(origin.path)", clone.path)
    let outcome = try await HostileScene(clone).look()
    #expect(outcome.status == 0)
    #expect(outcome.errors == "")
    #expect(outcome.output.contains("\"commits\" : 2,"))
  }
}
