import Foundation
import Testing

@testable import repo_pulse

@Suite("The file that a run is recorded in") struct RecordingPlaceTests {
  private let repository: TemporaryRepository
  private let folder: String

  init() throws {
    repository = try TemporaryRepository.sample()
    folder = URL(fileURLWithPath: repository.path).deletingLastPathComponent().path
  }

  private func record(in name: String) async -> Outcome {
    await run("--json", "--record", "\(folder)/\(name)", repository.path, in: repository)
  }

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder)/\(name)", withDestinationPath: target)
  }

  private func mode(of name: String) throws -> Int? {
    let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
    return attributes[.posixPermissions] as? Int
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  @Test func `a link that leads to nothing yet leads to the recording then`() async throws {
    try FileManager.default.createDirectory(
      atPath: "\(folder)/elsewhere", withIntermediateDirectories: false)
    try link("first", to: "elsewhere/second")
    try link("elsewhere/second", to: "../third")
    let outcome = await record(in: "first")
    #expect(outcome.status == 0)
    #expect(outcome.errors == "")
    #expect(try names() == ["elsewhere", "first", "sample", "third"])
    let replay = await run("--json", "--replay", "\(folder)/first", in: repository)
    #expect(replay.output == outcome.output)
  }

  @Test func `links that lead in a circle are told`() async throws {
    try link("first", to: "second")
    try link("second", to: "first")
    let outcome = await record(in: "first")
    #expect(outcome.status == 74)
    #expect(
      outcome.errors
        == "repo-pulse: the recording \(folder)/first cannot be written: its links lead in a circle\n"
    )
  }

  @Test(arguments: [0o600, 0o640, 0o644, 0o400, 0o666, 0o755])
  func `a file that is there keeps its mode`(mode: Int) async throws {
    try Data().write(to: URL(fileURLWithPath: "\(folder)/file"))
    try FileManager.default.setAttributes(
      [.posixPermissions: mode], ofItemAtPath: "\(folder)/file")
    #expect(await record(in: "file").status == 0)
    #expect(try self.mode(of: "file") == mode)
  }

  @Test func `a new file has the mode of any other new file`() async throws {
    _ = FileManager.default.createFile(atPath: "\(folder)/other", contents: nil)
    #expect(await record(in: "file").status == 0)
    let descriptor = try System.create(ByteString("\(folder)/third"), mode: nil)
    System.shut(descriptor)
    #expect(try mode(of: "file") == mode(of: "third"))
  }

  @Test func `a tilde is a tilde`() async throws {
    let path = "~/nowhere-\(UUID().uuidString)"
    let outcome = await run("--record", "\(path)/file", repository.path, in: repository)
    #expect(outcome.status == 74)
    #expect(
      outcome.errors
        == "repo-pulse: the recording \(path)/file cannot be written: there is no folder \(path)\n")
  }

  @Test func `a name as long as names may be is taken`() async throws {
    let name = String(repeating: "n", count: 255)
    #expect(await record(in: name).status == 0)
    #expect(try names() == [name, "sample"].sorted())
    #expect(await record(in: name + "n").status == 74)
    #expect(try names() == [name, "sample"].sorted())
  }

  @Test(arguments: ["", ".", "..", "sample/", "nowhere/", "sample/../"])
  func `what can be no file is told`(name: String) async throws {
    let outcome = await record(in: name)
    #expect(outcome.status == 74)
    #expect(outcome.errors.contains(" cannot be written: "))
    #expect(outcome.output == "")
    #expect(try names() == ["sample"])
  }

  @Test func `a reading that fails leaves nothing behind`() async throws {
    try FileManager.default.removeItem(atPath: "\(repository.path)/.git/objects")
    #expect(await record(in: "file").status != 0)
    #expect(try names() == ["sample"])
  }

  @Test func `while it is written the former file is whole`() async throws {
    try Data("former".utf8).write(to: URL(fileURLWithPath: "\(folder)/file"))
    let file = RecordingFile(path: "\(folder)/file")
    let draft = try RecordingDraft(file, initial: PulseState())
    let text = String(repeating: "x", count: 1 << 20)
    for _ in 1...3 { draft.add(state: text) }
    let parts = try names().filter { $0.hasSuffix(".part") }
    #expect(parts.count == 1)
    let size = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(parts[0])")[.size]
    #expect(try #require(size as? Int) > 3 << 20)
    #expect(FileManager.default.contents(atPath: "\(folder)/file") == Data("former".utf8))
    try draft.finish()
    #expect(try names() == ["file", "sample"])
  }

  @Test func `a draft that nobody finishes goes`() throws {
    var draft: RecordingDraft? = try RecordingDraft(
      RecordingFile(path: "\(folder)/file"), initial: PulseState())
    draft?.add(state: "x")
    #expect(try names().count == 2)
    draft = nil
    #expect(try names() == ["sample"])
  }
}
