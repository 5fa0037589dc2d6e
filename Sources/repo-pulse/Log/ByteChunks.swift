import Dispatch
import Foundation

/// The bytes of a pipe or file: one blocking read for each pull, away from the tasks' own threads.
struct ByteChunks: Sendable {
  private static let size = 1 << 16

  private let handle: FileHandle
  private let queue = DispatchQueue(label: "repo-pulse.reader")

  /// Closes the descriptor when the last copy is released.
  init(of descriptor: Int32) {
    handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  /// Nil at the end.
  func next() async throws -> [UInt8]? {
    let bytes = try await withCheckedThrowingContinuation { continuation in
      queue.async {
        continuation.resume(with: Result { try read() })
      }
    }
    return bytes.isEmpty ? nil : bytes
  }

  private func read() throws(Failure) -> [UInt8] {
    do throws(System.Refusal) {
      return try System.bytes(from: handle.fileDescriptor, upTo: ByteChunks.size)
    } catch {
      throw .unreadable(error.reason)
    }
  }
}
