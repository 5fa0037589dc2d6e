import Lensed
import LensedTestSupport

/// Stacks of 512 KB, as the threads of some systems have.
enum SmallStack {
  static let size = 512 << 10

  /// Runs `body` on a thread with a small stack, and waits for it.
  static func run(_ body: @escaping @Sendable () -> Void) {
    Threads.start(stackSize: size, body).wait()
  }

  /// Runs `body` in a task whose jobs run on small stacks.
  static func runTask(_ body: @escaping @Sendable () async throws -> Void) async throws {
    try await Task(executorPreference: Executor(), operation: body).value
  }

  private final class Executor: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      _ = Threads.start(stackSize: size) {
        // The executor is alive here: the closure holds it.
        unsafe job.runSynchronously(on: self.asUnownedTaskExecutor())
      }
    }
  }
}

/// A value that somebody else releases: whoever takes it last holds it last.
final class Parcel<Content: Sendable>: Sendable {
  private let content: Locked<Content?>

  init(_ content: Content) {
    self.content = Locked(content)
  }

  /// Takes it out; nil when it was taken before.
  func take() -> Content? {
    content.withLock { content in
      defer { content = nil }
      return content
    }
  }
}
