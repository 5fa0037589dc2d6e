import Foundation

/// A second thread, which sleeps.
///
/// Parts of the runtime and of the system library are cheaper in a process with one thread. A
/// program that needs a lock has more, so every benchmark runs beside this thread.
final class IdleThread {
  private let thread: Thread

  init() {
    thread = Thread {
      while !Thread.current.isCancelled { Thread.sleep(forTimeInterval: 0.5) }
    }
    thread.start()
  }

  deinit { thread.cancel() }
}
