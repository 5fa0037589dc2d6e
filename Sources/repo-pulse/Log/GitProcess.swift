import Foundation

/// A git that runs beside this program: what it writes, how it ended, and a way to end it.
final class GitProcess: Sendable {
  /// How git ended, and what it said about it.
  struct Ending: Sendable {
    var status: Int32
    var complaint: String
    var text = ""
  }

  let output: ByteChunks

  private let process = Process()
  private let status: AsyncStream<Int32>
  private let complaint: Task<String, Never>

  init(arguments: [String], environment: [String: String]) throws(Failure) {
    guard let git = GitProcess.executable(in: environment["PATH"] ?? "") else {
      throw .noGit
    }
    let (output, errors) = (Pipe(), Pipe())
    let (status, ended) = AsyncStream.makeStream(of: Int32.self)
    process.executableURL = URL(fileURLWithPath: git)
    process.arguments = arguments
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = errors
    process.terminationHandler = { process in
      ended.yield(process.terminationReason == .exit ? process.terminationStatus : -1)
      ended.finish()
    }
    self.output = ByteChunks(output.fileHandleForReading)
    self.status = status
    complaint = Task { [chunks = ByteChunks(errors.fileHandleForReading)] in
      await GitProcess.firstWords(of: chunks)
    }
    do {
      try process.run()
    } catch {
      throw .git("git cannot be started: \(error.localizedDescription)")
    }
  }

  deinit {
    terminate()
  }

  /// Ends git at once: it only reads, and may have inherited that polite signals are ignored.
  func terminate() {
    if process.isRunning {
      kill(process.processIdentifier, SIGKILL)
    }
  }

  /// Waits for the end, once, after the output has been read.
  func ending() async -> Ending {
    let status = await status.first { _ in true } ?? -1
    return Ending(status: status, complaint: await complaint.value)
  }

  private static func firstWords(of chunks: ByteChunks) async -> String {
    var words: [UInt8] = []
    while let chunk = try? await chunks.next() {
      words += chunk.prefix(max(0, 4_096 - words.count))
    }
    return String(decoding: words, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private static func executable(in path: String) -> String? {
    path.split(separator: ":")
      .map { "\($0)/git" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}
