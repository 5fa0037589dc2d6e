import Foundation
import Testing

@testable import repo_pulse

@Suite("Repositories that are damaged, or made of links") struct HostileRepositoryTests {
  /// What stands in a file of the repository in place of what belongs there.
  private static let files = [
    ("HEAD", ""), ("HEAD", "ref: refs/heads/-x\n"), ("HEAD", "ref: ../../program\n"),
    ("HEAD", "ref: refs/heads/--upload-pack=PROGRAM\n"), ("HEAD", "\u{0}\u{1}\u{2}"),
    ("HEAD", "0000000000000000000000000000000000000000\n"),
    ("HEAD", "ffffffffffffffffffffffffffffffffffffffff\n"),
    ("config", "["), ("config", "[core]\n repositoryformatversion = 99\n"),
    ("config", "[core]\n repositoryformatversion = 1\n[extensions]\n x = y\n"),
    ("config", "[include]\n path = config\n"), ("config", "[core]\n bare = true\n"),
    ("config", "[core]\n worktree = FOLDER\n"), ("config", "[diff]\n renames = nonsense\n"),
    ("config", "[diff]\n algorithm = nonsense\n"), ("config", "[log]\n date = nonsense\n"),
    ("config", "[extensions]\n partialClone = origin\n[core]\n repositoryformatversion = 1\n"),
    ("packed-refs", "\u{0}nonsense\n"), ("index", "nonsense"), ("shallow", "nonsense\n"),
    ("info/grafts", "nonsense\n"), ("info/attributes", "* diff=x filter=x\n[attr]"),
    ("objects/info/alternates", "FOLDER/nowhere\n"), ("objects/info/commit-graph", "nonsense"),
    ("commondir", "FOLDER/nowhere\n"), ("refs/heads/main", "nonsense\n"),
    ("refs/heads/main", "ref: refs/heads/main\n"),
  ]

  @Test func `what is damaged ends in a status and a sentence`() async throws {
    for (name, text) in Self.files {
      let scene = try HostileScene(try Self.smallest())
      let file = "\(scene.repository.path)/.git/\(name)"
      try? FileManager.default.createDirectory(
        atPath: URL(fileURLWithPath: file).deletingLastPathComponent().path,
        withIntermediateDirectories: true)
      try Data(scene.filled(text).utf8).write(to: URL(fileURLWithPath: file))
      let outcome = try await scene.look("\(name): \(text)")
      #expect([0, 65, 66, 70].contains(outcome.status), "\(name): \(text)")
      #expect(
        outcome.status == 0 || outcome.errors.hasPrefix("repo-pulse: "), "\(name): \(text)")
    }
  }

  @Test func `a git folder that is a file or a link is that which it leads to`() async throws {
    for isLink in [false, true] {
      let scene = try HostileScene(try Self.smallest())
      let (place, path) = ("\(scene.folder)/elsewhere", "\(scene.repository.path)/.git")
      let plain = try await scene.look()
      try FileManager.default.moveItem(atPath: path, toPath: place)
      if isLink {
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: place)
      } else {
        try Data("gitdir: \(place)\n".utf8).write(to: URL(fileURLWithPath: path))
      }
      let outcome = try await scene.look()
      #expect(outcome.status == 0)
      #expect(outcome.output == plain.output)
    }
  }

  @Test func `a link to a file of the machine is not followed`() async throws {
    let scene = try HostileScene(try Self.smallest())
    let plain = try await scene.look()
    try Data("Eve <a@example.com>\n".utf8).write(to: URL(fileURLWithPath: "\(scene.folder)/map"))
    for name in [".mailmap", ".gitattributes"] {
      try FileManager.default.createSymbolicLink(
        atPath: "\(scene.repository.path)/\(name)", withDestinationPath: "\(scene.folder)/map")
    }
    let outcome = try await scene.look()
    #expect(outcome.status == 0)
    #expect(outcome.output == plain.output)
  }

  @Test func `a bare repository inside of another is read as harmlessly`() async throws {
    let scene = try HostileScene(try Self.smallest())
    let place = "\(scene.repository.path)/inner"
    try scene.repository.git("clone", "--quiet", "--bare", scene.repository.path, place)
    try Data(scene.filled("[core]\n bare = true\n fsmonitor = PROGRAM\n pager = PROGRAM\n").utf8)
      .write(to: URL(fileURLWithPath: "\(place)/config"))
    #expect(try await scene.look(at: place).status == 0)
  }

  private static func smallest() throws -> TemporaryRepository {
    let repository = try TemporaryRepository()
    try repository.write("line\n", to: "file")
    try repository.commit("Add it", by: "Ada", at: "2024-01-01T10:00:00+00:00")
    return repository
  }
}

extension HostileScene {
  fileprivate func look(_ comment: Comment) async throws -> Outcome {
    try await look(["--json"], comment)
  }
}
