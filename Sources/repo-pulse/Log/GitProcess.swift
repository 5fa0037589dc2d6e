import Dispatch
import Foundation
import Synchronization

/// A git that runs beside this program: what it writes, how it ended, and a way to end it.
final class GitProcess: Sendable {
  /// How git ended, and what it said about it.
  struct Ending: Sendable {
    var status: Int32
    var complaint: String
    var text = ""
  }

  /// A number stands for this git only until its status was asked for.
  private enum Life {
    case running(pid_t)
    case ended(Int32)
  }

  let output: ByteChunks

  private let life: Mutex<Life>
  private let complaint: Task<String, Never>

  init(arguments: [ByteString], environment: [String: String]) throws(Failure) {
    guard let git = GitProcess.executable(in: environment["PATH"] ?? "") else {
      throw .noGit
    }
    do throws(System.Refusal) {
      let (output, outputEnd) = try System.pipe()
      defer { System.shut(outputEnd) }
      self.output = ByteChunks(of: output)
      let (errors, errorsEnd) = try System.pipe()
      defer { System.shut(errorsEnd) }
      let chunks = ByteChunks(of: errors)
      life = Mutex(
        .running(
          try System.start(
            git, arguments, environment: environment, output: outputEnd, errors: errorsEnd)))
      complaint = Task { await GitProcess.firstWords(of: chunks) }
    } catch {
      throw .git("git cannot be started: \(error.reason)")
    }
  }

  deinit {
    terminate()
    _ = status()
  }

  /// Ends git at once: it only reads, and may have inherited that polite signals are ignored.
  func terminate() {
    life.withLock { life in
      if case .running(let id) = life { System.end(id) }
    }
  }

  /// Waits for the end, after the output has been read.
  func ending() async -> Ending {
    let status = await withCheckedContinuation { continuation in
      DispatchQueue.global().async { [self] in
        if case .running(let id) = life.withLock({ $0 }) { System.waitForEnd(of: id) }
        continuation.resume(returning: self.status())
      }
    }
    return Ending(status: status, complaint: await complaint.value)
  }

  private func status() -> Int32 {
    life.withLock { life in
      switch life {
      case .ended(let status): return status
      case .running(let id):
        let status = System.status(of: id)
        life = .ended(status)
        return status
      }
    }
  }

  private static func firstWords(of chunks: ByteChunks) async -> String {
    var words: [UInt8] = []
    while let chunk = try? await chunks.next() {
      words += chunk.prefix(max(0, 4_096 - words.count))
    }
    return String(decoding: words, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// The git of an absolute folder: one of the current folder may be a repository's own program.
  private static func executable(in path: String) -> ByteString? {
    path.split(separator: ":").filter { $0.hasPrefix("/") }
      .map { ByteString("\($0)/git") }
      .first { System.isProgram($0) }
  }
}
