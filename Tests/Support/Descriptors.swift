import Foundation
import Testing

#if os(Linux) || os(macOS)
  /// The descriptors of this process.
  public enum Descriptors {
    /// How a listener fails for good.
    public enum Loss: CaseIterable, Codable, Sendable {
      /// It is closed, or its number is that of a file.
      case closed, becameAFile

      /// What accepting a client fails with then.
      public var code: CInt { self == .closed ? EBADF : ENOTSOCK }
    }

    /// The only socket of the process that listens.
    public static func listener() throws -> CInt {
      try #require(
        (0..<1_024).first { descriptor in
          var (listens, size) = (CInt(0), socklen_t(MemoryLayout<CInt>.size))
          // The value lives for the length of the call.
          let found = unsafe getsockopt(
            descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size)
          return found == 0 && listens != 0
        })
    }

    /// Has a listener fail for good.
    public static func lose(_ descriptor: CInt, by loss: Loss) {
      switch loss {
      case .closed: close(descriptor)
      case .becameAFile:
        let file = unsafe open("/dev/null", O_RDONLY)
        dup2(file, descriptor)
        close(file)
      }
    }

    /// Runs `body` in a task whose jobs run on threads of their own.
    ///
    /// On Linux, libdispatch looks once a second at a file of each thread of its pool, if a job waits for one: where no
    /// descriptor is free to open it, the process traps.
    public static func runTask(_ body: @escaping @Sendable () async throws -> Void) async throws {
      try await Task(executorPreference: ThreadPerJob(), operation: body).value
    }

    private final class ThreadPerJob: TaskExecutor {
      func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // The executor is alive here: the closure holds it.
        _ = Threads.start(stackSize: 1 << 20) {
          unsafe job.runSynchronously(on: self.asUnownedTaskExecutor())
        }
      }
    }

    /// Lets the process have so many, and takes those that are free.
    public static func takeAll(of count: Int) -> [CInt] {
      #if canImport(Glibc)
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
      #else
        let resource = RLIMIT_NOFILE
      #endif
      var limit = rlimit()
      _ = unsafe getrlimit(resource, &limit)
      limit.rlim_cur = rlim_t(count)
      _ = unsafe setrlimit(resource, &limit)
      var taken: [CInt] = []
      while case let descriptor = dup(STDERR_FILENO), descriptor >= 0 { taken.append(descriptor) }
      return taken
    }
  }
#endif
