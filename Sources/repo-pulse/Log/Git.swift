import Dispatch
import Foundation
import LensedPrograms

/// A git that runs beside this program: what it writes, how it ended, and a way to end it.
final class Git: Sendable {
  /// How git ended, and what it said about it.
  struct Ending: Sendable {
    var status: Int32
    var complaint: String
    var text = ""
  }

  let output: ByteChunks
  private let program: Program
  private let complaint: Task<String, Never>

  init(
    _ path: ByteString, _ arguments: [ByteString], environment: [String: String]
  ) throws(Program.Refusal) {
    program = try Program(
      path.bytes, arguments.map(\.bytes), environment: environment, output: .pipe, errors: .pipe)
    output = ByteChunks(pipe: program.output)
    let errors = ByteChunks(pipe: program.errors)
    complaint = Task {
      var words: [UInt8] = []
      while let chunk = try? await errors.next() { words += chunk.prefix(4_096 - words.count) }
      return String(decoding: words, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
  }

  /// Ends git at once: it only reads, and may have inherited that gentler signals are ignored.
  func terminate() { program.kill() }

  /// Waits for the end, after the output has been read.
  func ending() async -> Ending {
    Ending(status: await program.ended(), complaint: await complaint.value)
  }
}

/// The bytes of a pipe: one blocking read for each pull, away from the tasks' own threads.
struct ByteChunks: Sendable {
  let pipe: FileHandle?
  let queue = DispatchQueue(label: "repo-pulse.reader")

  /// Nil at the end.
  func next() async throws -> [UInt8]? {
    let bytes = try await withCheckedThrowingContinuation { continuation in
      queue.async {
        let descriptor = pipe?.fileDescriptor ?? -1
        continuation.resume(with: Result { try System.bytes(from: descriptor, upTo: 1 << 16) })
      }
    }
    return bytes.isEmpty ? nil : bytes
  }
}
