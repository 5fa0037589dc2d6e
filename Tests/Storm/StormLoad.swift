/// How many calls each thread has made for observers, and the most in one call to the store.
final class StormLoad: Sendable {
  private let calls = Fenced<[UInt: Int]>([:])
  private let longest = Fenced(0)

  /// Notes a call, by the thread that makes it.
  func note() {
    let thread = Threads.currentNumber
    calls.withLock { $0[thread, default: 0] += 1 }
  }

  /// The most calls that one call to the store has made.
  var most: Int { longest.withLock { $0 } }

  /// Counts the calls for observers that the calling thread makes in a call to the store.
  func count(_ body: () -> Void) -> Int {
    let before = own
    body()
    let made = own - before
    longest.withLock { $0 = max($0, made) }
    return made
  }

  private var own: Int {
    let thread = Threads.currentNumber
    return calls.withLock { $0[thread, default: 0] }
  }
}
