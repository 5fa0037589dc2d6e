import Foundation

/// A second thread that sleeps.
///
/// Parts of the runtime and of the system library are cheaper while a process has one thread only.
/// No program that needs a lock is such a process, so nothing is measured in one.
final class Company {
  private let thread: Thread

  init() {
    thread = Thread {
      while !Thread.current.isCancelled { Thread.sleep(forTimeInterval: 0.5) }
    }
    thread.start()
  }

  deinit { thread.cancel() }
}
