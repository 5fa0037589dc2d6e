import LensedTestSupport
import Testing

@testable import Lensed

@Suite("Guarded: a value and its lock")
struct LockedTests {
  @Test func `no increment of four threads is lost`() {
    let count = Counter()
    Threads.run(4) { _ in
      for _ in 0..<10_000 { count.value.withLock { $0 += 1 } }
    }
    #expect(count.value.withLock { $0 } == 40_000)
  }

  @Test func `what the body returns comes out`() {
    let words = Locked(["a"])
    let count = words.withLock { words in
      words.append("b")
      return words.count
    }
    #expect(count == 2)
    #expect(words.withLock { $0 } == ["a", "b"])
  }

  @Test func `what the body throws comes out, and the lock is free again`() {
    struct Refusal: Error {}
    let number = Locked(1)
    #expect(throws: Refusal.self) {
      try number.withLock { (number) throws(Refusal) -> Void in
        number = 2
        throw Refusal()
      }
    }
    #expect(number.withLock { $0 } == 2)
  }

  private final class Counter: Sendable {
    let value = Locked(0)
  }
}
