import Dispatch
import LensedTestSupport

/// A thread of its own, which a schedule moves from one stop to the next.
///
/// Code that it runs calls `stop()` where another actor may take its steps.
final class SteppedThread: ScheduledActor, Sendable {
  @TaskLocal private static var current: SteppedThread?

  private let turn = DispatchSemaphore(value: 0)
  private let stopped = DispatchSemaphore(value: 0)
  private let ends = Counter()
  var isBlocked: Bool { false }
  var isDone: Bool { ends.value > 0 }

  init(_ body: @escaping @Sendable () -> Void) {
    _ = Threads.start { [self] in
      turn.wait()
      SteppedThread.$current.withValue(self, operation: body)
      ends.increment()
      stopped.signal()
    }
  }

  func step() {
    turn.signal()
    stopped.wait()
  }

  /// Ends the step of the calling thread, if a schedule moves it.
  static func stop() {
    guard let current else { return }
    current.stopped.signal()
    current.turn.wait()
  }
}
