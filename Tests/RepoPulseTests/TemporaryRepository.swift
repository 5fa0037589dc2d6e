import Foundation
import LensedTestSupport
import Testing

@testable import repo_pulse

/// A folder that goes with its test, in which git runs as on no particular machine.
final class TemporaryRepository: Sendable {
  let path: String
  let environment: [String: String]

  init(isRepository: Bool = true) throws {
    let folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appendingPathComponent("repo-pulse-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("sample"), withIntermediateDirectories: true)
    path = folder.appendingPathComponent("sample").path
    environment = [
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "",
      "HOME": folder.path,
      "GIT_CONFIG_GLOBAL": "/dev/null",
      "GIT_CONFIG_NOSYSTEM": "1",
      "GIT_CEILING_DIRECTORIES": folder.path,
    ]
    if isRepository {
      try git("init", "--quiet", "--initial-branch=main")
    }
  }

  deinit {
    try? FileManager.default.removeItem(
      at: URL(fileURLWithPath: path).deletingLastPathComponent())
  }

  func write(_ bytes: [UInt8], to file: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path).appendingPathComponent(file))
  }

  func write(_ text: String, to file: String) throws {
    try write(Array(text.utf8), to: file)
  }

  func commit(_ subject: String, by author: String, at date: String) throws {
    try git("add", "--all")
    try git(
      "commit", "--quiet", "--allow-empty", "--message", subject,
      with: [
        "GIT_AUTHOR_NAME": author, "GIT_AUTHOR_EMAIL": "a@example.com", "GIT_AUTHOR_DATE": date,
        "GIT_COMMITTER_NAME": "C", "GIT_COMMITTER_EMAIL": "c@example.com",
        "GIT_COMMITTER_DATE": date,
      ])
  }

  func git(_ arguments: String..., with variables: [String: String] = [:]) throws {
    try run(arguments, with: variables)
  }

  /// What git writes when it is asked.
  func answer(_ arguments: String...) throws -> String {
    try run(arguments, output: .pipe)
  }

  /// Makes a history of any bytes, in the language of `git fast-import`, and has it as `main`.
  func importHistory(_ stream: [UInt8]) throws {
    let file = URL(fileURLWithPath: path).deletingLastPathComponent()
      .appendingPathComponent("stream-\(UUID().uuidString)")
    try Data(stream).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    try run(
      ["fast-import", "--quiet", "--force", "--date-format=raw-permissive"], input: .file(file))
  }

  /// Runs git to its end, and returns what it wrote to a pipe.
  @discardableResult
  private func run(
    _ arguments: [String], with variables: [String: String] = [:], input: Program.Stream = .nothing,
    output: Program.Stream = .inherited
  ) throws -> String {
    let git = try Program(
      "/usr/bin/env", ["git", "-C", path] + arguments,
      environment: environment.merging(variables) { $1 },
      input: input, output: output)
    let said = try git.output?.readToEnd() ?? Data()
    try #require(git.wait() == 0, "git \(arguments.joined(separator: " "))")
    return String(decoding: said, as: UTF8.self)
  }

  /// Two authors, a binary file, a rename, a merge and an empty commit, on fixed days.
  ///
  /// Git makes it once, and each test has a copy.
  static func sample() throws -> TemporaryRepository {
    let repository = try TemporaryRepository(isRepository: false)
    try sampleContents.get().write(to: repository.path)
    return repository
  }

  private static let sampleContents = Result {
    let repository = try makeSample()
    return try withExtendedLifetime(repository) { try FolderContents(of: repository.path) }
  }

  private static func makeSample() throws -> TemporaryRepository {
    let repository = try TemporaryRepository()
    try repository.write("one\ntwo\nthree\nfour\n", to: "old name.txt")
    try repository.write([0, 1, 2, 0], to: "picture.bin")
    try repository.commit("Add the story", by: "Ada Lovelace", at: "2024-01-01T10:00:00+09:00")
    try repository.git("mv", "old name.txt", "tab\tnew.txt")
    try repository.commit("Rename the story", by: "Bob", at: "2024-01-02T23:30:00-08:00")
    try repository.git("checkout", "--quiet", "-b", "side")
    try repository.write("side\n", to: "side.txt")
    try repository.commit("Tell a side story", by: "Ada Lovelace", at: "2024-01-03T10:00:00+00:00")
    try repository.git("checkout", "--quiet", "main")
    try repository.write("one\ntwo\nthree\nfour\nfive\n", to: "tab\tnew.txt")
    try repository.commit("Story: more of it", by: "Ada Lovelace", at: "2024-01-04T10:00:00+00:00")
    let merger = [
      "GIT_AUTHOR_NAME": "Bob", "GIT_AUTHOR_EMAIL": "b@example.com",
      "GIT_AUTHOR_DATE": "2024-01-05T12:00:00+00:00", "GIT_COMMITTER_NAME": "C",
      "GIT_COMMITTER_EMAIL": "c@example.com", "GIT_COMMITTER_DATE": "2024-01-05T12:00:00+00:00",
    ]
    try repository.git("merge", "--quiet", "side", "--message", "Merge side", with: merger)
    try repository.commit("Nothing", by: "Ada Lovelace", at: "2024-01-06T10:00:00+00:00")
    return repository
  }
}
