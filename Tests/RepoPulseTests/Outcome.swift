import Lensed

@testable import repo_pulse

/// What the command did: its status, and what it wrote.
struct Outcome {
  var status: Int32
  var output: String
  var errors: String
}

extension Output {
  /// An output that keeps what it is given.
  static func collecting(width: Int? = nil) -> Output { Output(collectingForWidth: width) }
}

extension Pulse {
  func run(_ arguments: [String]) async -> Int32 {
    await run(arguments.map { ByteString($0) })
  }
}

extension Options {
  init(_ arguments: [String]) throws(Failure) {
    try self.init(arguments.map { ByteString($0) })
  }
}

/// Runs the command where only a repository's environment counts.
func run(
  _ arguments: String..., in repository: TemporaryRepository, path: String? = nil
) async -> Outcome {
  var environment = repository.environment
  environment["PATH"] = path ?? environment["PATH"]
  let (output, errors) = (Output.collecting(), Output.collecting())
  let status = await Pulse(environment: environment, output: output, errors: errors)
    .run(arguments)
  return Outcome(status: status, output: output.collected, errors: errors.collected)
}

extension PulseState {
  var commitsByAuthor: [ByteString: Int] {
    Dictionary(uniqueKeysWithValues: authors.map { ($0.name, $0.commits) })
  }
}
