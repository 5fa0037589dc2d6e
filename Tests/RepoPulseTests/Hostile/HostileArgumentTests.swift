import Foundation
import Testing

@testable import repo_pulse

@Suite("Arguments of any kind") struct HostileArgumentTests {
  private static let values = [
    "", "0", "1", "-1", "9223372036854775807", "-9223372036854775808", "1e300", "nan", "inf", "=",
    "--",
    "\u{0}", "\n", "e\u{301}", "~", "/",
  ]

  private let repository: TemporaryRepository

  init() throws {
    repository = try TemporaryRepository.sample()
  }

  private func run(_ arguments: [ByteString]) async -> Outcome {
    let (output, errors) = (Output.collecting(), Output.collecting())
    let pulse = Pulse(environment: repository.environment, output: output, errors: errors)
    let status = await pulse.run(arguments)
    return Outcome(status: status, output: output.collected, errors: errors.collected)
  }

  @Test func `any value of any option ends in a status and a sentence`() async {
    let options = [
      "--watch", "--watch=", "--record=\(repository.path)/../", "--replay", "--replay=", "--json=",
      "",
      "-h=",
    ]
    for (option, value) in options.flatMap({ option in Self.values.map { (option, $0) } }) {
      var arguments = option.last == "=" || option.last == "/" ? [option + value] : [option, value]
      arguments = option.isEmpty ? [value] : arguments + ["--", repository.path]
      let outcome = await run(arguments.map { ByteString($0) })
      #expect([0, 64, 65, 66, 67, 70, 74].contains(outcome.status), "\(arguments)")
      #expect(outcome.status == 0 || outcome.errors.hasPrefix("repo-pulse: "), "\(arguments)")
      #expect(outcome.status == 0 || outcome.errors.hasSuffix("\n"), "\(arguments)")
    }
  }

  @Test
  func `a folder whose name is no UTF-8 is found, and a recording is told that its own is none`()
    async throws
  {
    let parent = Array(repository.path.utf8.dropLast("sample".utf8.count))
    let folder = ByteString(parent + [0x66, 0xE9, 0xFF])
    let plain = await run(["--json", ByteString(repository.path)])
    try rename(ByteString(repository.path), to: folder)
    let outcome = await run(["--json", folder])
    #expect(outcome.status == 0)
    #expect(outcome.output == plain.output)
    let file = ByteString(parent + [0xE8])
    #expect(await run(["--json", "--record", file, folder]).status == 74)
    #expect(await run(["--replay", file]).status == 66)
    let missing = await run(["--", ByteString(parent + [0x66, 0xE9, 0xFE])])
    #expect(missing.status == 66)
    #expect(missing.errors.hasSuffix("/f\u{FFFD}\u{FFFD}\n"))
  }

  @Test func `an author whose name is no UTF-8 is watched`() async throws {
    var history = ImportedHistory()
    history.commit(of: [0x61], by: [0x4A, 0xF6])
    let imported = try TemporaryRepository()
    try imported.importHistory(history.stream)
    #expect(
      await run(["--watch", ByteString([0x4A, 0xF6] as [UInt8]), ByteString(imported.path)]).status
        == 0)
    let outcome = await run(["--watch", "J", ByteString(imported.path)])
    #expect(outcome.status == 67)
    #expect(outcome.errors.hasSuffix("Did you mean J\u{FFFD}?\n"))
  }

  @Test(arguments: ["", ":", ".", "relative", ":/:", "/dev/null", "~"])
  func `no git is taken from the current folder, or from what is no folder`(path: String)
    async throws
  {
    let outcome = await run(withPath: path)
    #expect(outcome.status == 69)
  }

  private func run(withPath path: String) async -> Outcome {
    var environment = repository.environment
    environment["PATH"] = path
    let (output, errors) = (Output.collecting(), Output.collecting())
    let status = await Pulse(environment: environment, output: output, errors: errors)
      .run([repository.path])
    return Outcome(status: status, output: output.collected, errors: errors.collected)
  }
}
