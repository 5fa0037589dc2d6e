import Dispatch
import Foundation
import Synchronization

/// A program that runs beside this one, with nothing to read: what it writes, how it ended, and a way to end it.
///
/// Foundation's `Process` takes no arguments but UTF-8, and on Linux forgets some of several that start at once.
final class ChildProcess: Sendable {
  /// How it ended, and what it said about it.
  struct Ending: Sendable {
    /// -1 if a signal ended it.
    var status: Int32
    var complaint: String
    var text = ""
  }

  let output: ByteChunks

  private let id: pid_t
  /// Nil until it was asked for: only so long does the number stand for this program.
  private let status = Mutex<Int32?>(nil)
  private let complaint: Task<String, Never>

  init(
    _ program: ByteString, _ arguments: [ByteString], environment: [String: String]
  ) throws(System.Refusal) {
    let (output, outputEnd) = try ChildProcess.pipe()
    defer { close(outputEnd) }
    self.output = ByteChunks(of: output)
    let (errors, errorsEnd) = try ChildProcess.pipe()
    defer { close(errorsEnd) }
    let chunks = ByteChunks(of: errors)
    id = try ChildProcess.start(
      [program] + arguments, environment.map { ByteString("\($0.key)=\($0.value)") }, outputEnd,
      errorsEnd)
    complaint = Task {
      var words: [UInt8] = []
      while let chunk = try? await chunks.next() { words += chunk.prefix(4_096 - words.count) }
      return String(decoding: words, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
  }

  deinit {
    terminate()
    _ = wait()
  }

  /// Ends it at once: git only reads, and may have inherited that polite signals are ignored.
  func terminate() {
    status.withLock { if $0 == nil { kill(id, SIGKILL) } }
  }

  /// Waits for the end, after the output has been read.
  func ending() async -> Ending {
    let status = await withCheckedContinuation { continuation in
      DispatchQueue.global().async { [self] in continuation.resume(returning: wait()) }
    }
    return Ending(status: status, complaint: await complaint.value)
  }

  private func wait() -> Int32 {
    // The status is left to be taken under the lock, so that nobody ends a number that is another program's by then.
    if status.withLock({ $0 }) == nil {
      var information = unsafe siginfo_t()
      _ = try? System.retrying {
        unsafe Int(waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT))
      }
    }
    return status.withLock { known in
      if let known { return known }
      var raw: Int32 = -1
      _ = try? System.retrying { unsafe Int(waitpid(id, &raw, 0)) }
      let status = raw & 0x7F == 0 ? raw >> 8 & 0xFF : -1
      known = status
      return status
    }
  }

  // MARK: Starting

  /// Held while a program starts, and while a pipe is made: it would inherit ends that are not marked yet.
  private static let starting = Mutex(())

  /// The two ends of a pipe, neither of which a started program inherits.
  private static func pipe() throws(System.Refusal) -> (reading: Int32, writing: Int32) {
    try starting.withLock { _ throws(System.Refusal) in
      var ends: [Int32] = [-1, -1]
      _ = try System.retrying { unsafe Int(Foundation.pipe(&ends)) }
      // Where a standard descriptor was closed, a pipe would stand in for it.
      let moved = ends.map { end in
        defer { close(end) }
        return fcntl(end, F_DUPFD_CLOEXEC, 3)
      }
      if moved.contains(-1) {
        let number = errno
        for end in moved where end != -1 { close(end) }
        throw System.Refusal(number: number)
      }
      return (moved[0], moved[1])
    }
  }

  private static func start(
    _ words: [ByteString], _ variables: [ByteString], _ output: Int32, _ errors: Int32
  ) throws(System.Refusal) -> pid_t {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = unsafe posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    unsafe posix_spawn_file_actions_init(&actions)
    unsafe posix_spawnattr_init(&attributes)
    defer {
      unsafe posix_spawn_file_actions_destroy(&actions)
      unsafe posix_spawnattr_destroy(&attributes)
    }
    unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
    unsafe posix_spawn_file_actions_adddup2(&actions, errors, 2)
    var (none, pipeSignal) = (sigset_t(), sigset_t())
    unsafe sigemptyset(&none)
    unsafe sigemptyset(&pipeSignal)
    unsafe sigaddset(&pipeSignal, SIGPIPE)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setsigdefault(&attributes, &pipeSignal)
    unsafe posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
    // Lists of addresses as C has them, ended by none; they live as long as the call.
    let texts = unsafe [words, variables].map { words in
      unsafe words.map { unsafe strdup($0.terminated) } + [nil]
    }
    defer { unsafe texts.joined().forEach { unsafe free($0) } }
    var id = pid_t()
    let number = starting.withLock { _ in
      unsafe posix_spawn(&id, words[0].terminated, &actions, &attributes, texts[0], texts[1])
    }
    if number != 0 { throw System.Refusal(number: number) }
    return id
  }
}

/// The bytes of a pipe: one blocking read for each pull, away from the tasks' own threads.
struct ByteChunks: Sendable {
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
        continuation.resume(
          with: Result { try System.bytes(from: handle.fileDescriptor, upTo: 1 << 16) })
      }
    }
    return bytes.isEmpty ? nil : bytes
  }
}
