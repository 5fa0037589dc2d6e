import Foundation
import Testing

@testable import repo_pulse

/// A repository, and beside it a program that nobody may run: it leaves a mark when somebody does.
struct HostileScene {
  let repository: TemporaryRepository
  /// The folder of the repository, the program and its mark.
  let folder: String
  /// The program that leaves the mark.
  let program: String

  private var mark: String { "\(folder)/mark" }

  init(_ repository: TemporaryRepository) throws {
    self.repository = repository
    folder = URL(fileURLWithPath: repository.path).deletingLastPathComponent().path
    program = "\(folder)/program"
    try addProgram(at: program)
  }

  /// A clone of the sample that has its commits, and none of its files.
  static func partialClone() throws -> HostileScene {
    let origin = try TemporaryRepository.sample()
    try origin.git("config", "uploadpack.allowFilter", "true")
    try origin.git("config", "uploadpack.allowAnySHA1InWant", "true")
    let clone = try TemporaryRepository(isRepository: false)
    try clone.git(
      "clone", "--quiet", "--bare", "--filter=blob:none", "file://\(origin.path)",
      "\(clone.path)/.git")
    try clone.git("config", "core.bare", "false")
    // The origin goes with this function; another stands in its place, so that a fetch would work.
    let scene = try HostileScene(clone)
    let place = "\(scene.folder)/origin"
    try FileManager.default.moveItem(atPath: "\(origin.path)/.git", toPath: place)
    try clone.git("config", "remote.origin.url", "file://\(place)")
    return scene
  }

  func addProgram(at path: String) throws {
    try Data("#!/bin/sh\n: > '\(mark)'\nexit 1\n".utf8).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
  }

  /// Runs with more in the repository's configuration, where `PROGRAM` stands for the program and
  /// `FOLDER` for its folder, and takes it away again.
  func configured<Result>(_ text: String, _ body: () async throws -> Result) async throws -> Result
  {
    let file = URL(fileURLWithPath: "\(repository.path)/.git/config")
    let former = try Data(contentsOf: file)
    try (former + Data("\n\(filled(text))\n".utf8)).write(to: file)
    let result = try await body()
    try former.write(to: file)
    return result
  }

  func filled(_ text: String) -> String {
    text.replacing("PROGRAM", with: program).replacing("FOLDER", with: folder)
  }

  /// Runs the command, and checks that nothing was run and nothing written.
  func look(
    _ arguments: [String] = ["--json"], at place: String? = nil,
    with variables: [String: String] = [:],
    _ comment: Comment? = nil, at location: SourceLocation = #_sourceLocation
  ) async throws -> Outcome {
    let before = try FolderContents(of: folder)
    let (output, errors) = (Output.collecting(), Output.collecting())
    let environment = repository.environment.merging(variables.mapValues(filled)) { $1 }
    let status = await Pulse(environment: environment, output: output, errors: errors)
      .run(arguments + [place ?? repository.path])
    let changed = try FolderContents(of: folder).difference(from: before)
    #expect(!changed.contains("mark"), comment ?? "a program was run", sourceLocation: location)
    #expect(changed == [], comment, sourceLocation: location)
    return Outcome(status: status, output: output.collected, errors: errors.collected)
  }
}
