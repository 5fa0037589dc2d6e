/// How many calls each thread has made for observers.
final class StormLoad: Sendable {
  private let calls = Fenced<[UInt: Int]>([:])

  /// Notes a call, by the thread that makes it.
  func note() {
    let thread = Threads.currentNumber
    calls.withLock { $0[thread, default: 0] += 1 }
  }

  /// How many calls the thread that asks has made.
  var own: Int {
    let thread = Threads.currentNumber
    return calls.withLock { $0[thread, default: 0] }
  }
}
