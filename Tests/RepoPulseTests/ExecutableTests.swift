import Foundation
import Testing

@testable import repo_pulse

/// Gives a folder a name of any bytes.
func rename(_ path: ByteString, to other: ByteString) throws {
  _ = try System.retrying {
    unsafe Int(Foundation.rename(path.terminated, other.terminated))
  }
}

/// A program of this package as it was built, which stands beside the tests.
struct Executable {
  let path: ByteString

  /// Nil where the tests were built alone.
  init?(_ name: String) {
    let tests = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    path = ByteString(tests.appendingPathComponent(name).path)
    if !System.isProgram(path) { return nil }
  }

  func run(_ arguments: [ByteString], in repository: TemporaryRepository) async throws -> Outcome {
    let program = try Git(path, arguments, environment: repository.environment)
    var bytes: [UInt8] = []
    while let chunk = try await program.output.next() { bytes += chunk }
    let ending = await program.ending()
    return Outcome(
      status: ending.status, output: String(decoding: bytes, as: UTF8.self),
      errors: ending.complaint)
  }
}

@Suite("The programs themselves", .enabled(if: Executable("repo-pulse") != nil))
struct ExecutableTests {
  private static let values = [
    "", "0", "-1", "1e300", "-1e300", "1e-300", "nan", "inf", "-inf", "9223372036854775808",
    "340282366920938463463374607431768211456", "31536001", "0x", "1_000", "one", "--list", "١",
  ]

  private func sample() throws -> (Executable, Executable, TemporaryRepository) {
    (
      try #require(Executable("repo-pulse")), try #require(Executable("lensed-benchmarks")),
      try TemporaryRepository.sample()
    )
  }

  @Test func `arguments and statuses come through, whatever their bytes`() async throws {
    let (pulse, _, repository) = try sample()
    let plain = try await pulse.run(["--json", ByteString(repository.path)], in: repository)
    #expect(plain.status == 0)
    let place = ByteString(Array(repository.path.utf8) + [0xE9])
    try rename(ByteString(repository.path), to: place)
    let outcome = try await pulse.run(["--json", place], in: repository)
    #expect(outcome.status == 0)
    #expect(outcome.output == plain.output)
    #expect(try await pulse.run(["--frob"], in: repository).status == 64)
  }

  @Test func `no soak is longer than a clock can tell, or shorter than it can`() async throws {
    let (_, benchmarks, repository) = try sample()
    for value in Self.values {
      for arguments in [["--soak", value], ["--soak=\(value)"]] {
        let outcome = try await benchmarks.run(arguments.map { ByteString($0) }, in: repository)
        #expect(outcome.status == 64, "\(arguments)")
        #expect(outcome.output == "", "\(arguments)")
        #expect(outcome.errors.hasPrefix("--soak needs "), "\(arguments): \(outcome.errors)")
      }
    }
  }

  @Test(arguments: [
    ["--soak", "10", "--list"], ["--list", "--soak=10"], ["--quick", "--soak", "1"],
    ["--soak", "1", "--check"], ["--soak", "1", "--json", "x"], ["--soak", "1", "--filter=x"],
    ["--compare", "x", "--soak", "1"], ["--soak", "1", "--plot=x"],
  ])
  func `a soak goes with no other option`(arguments: [ByteString]) async throws {
    let (_, benchmarks, repository) = try sample()
    let outcome = try await benchmarks.run(arguments, in: repository)
    #expect(outcome.status == 64)
    #expect(outcome.errors.hasPrefix("--soak measures nothing, so "))
  }

  @Test func `any value of any option of the benchmarks ends in a status and a sentence`()
    async throws
  {
    let (_, benchmarks, repository) = try sample()
    let options = ["--filter", "--json", "--compare", "--plot"]
    for (option, value) in options.flatMap({ option in Self.values.map { (option, $0) } }) {
      // Nothing is measured where a file is not there or cannot be written, and with --list.
      let place =
        option == "--filter" || value.isEmpty ? value : "\(repository.path)/nowhere/\(value)"
      let ending = option == "--filter" ? ["--list"] : ["--filter", "no such row"]
      let outcome = try await benchmarks.run(
        [ByteString(option), ByteString(place)] + ending.map { ByteString($0) }, in: repository)
      #expect([0, 64, 66, 73].contains(outcome.status), "\(option) \(value)")
      #expect(outcome.status == 0 || outcome.errors.contains("."), "\(option) \(value)")
    }
  }
}
