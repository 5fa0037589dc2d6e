import LensedTestSupport
import Testing

@testable import Lensed

@Suite("StoreLock: one word that says who holds it", .timeLimit(.minutes(30)))
struct StoreLockTests {
  /// A number that only the lock guards.
  private final class Guarded: Sendable {
    let lock = StoreLock()
    let number = UnsafeCell(0)

    func withLock<Result>(_ body: () -> Result) -> Result? {
      lock.withLock(as: ThreadIdentity.current) {
        .some(body())
      } reentry: {
        nil
      }
    }

    var isHeld: Bool { lock.isHeld(by: ThreadIdentity.current) }
  }

  @Test func `nobody holds a new lock, and the holder alone holds it until it leaves`() {
    let guarded = Guarded()
    #expect(!guarded.isHeld)
    let inside = guarded.withLock {
      var elsewhere = true
      Threads.run(1) { _ in #expect(!guarded.isHeld) }
      elsewhere = guarded.isHeld
      return elsewhere
    }
    #expect(inside == true)
    #expect(!guarded.isHeld)
  }

  @Test func `a thread that takes it again is told so, and the lock stays usable`() {
    let guarded = Guarded()
    let inner = guarded.withLock { guarded.withLock { 1 } }
    #expect(inner == .some(nil))
    #expect(guarded.withLock { 2 } == 2)
  }

  @Test func `no increment of eight threads is lost`() {
    let guarded = Guarded()
    Threads.run(8) { _ in
      for _ in 0..<20_000 { _ = guarded.withLock { guarded.number.value += 1 } }
    }
    #expect(guarded.withLock { guarded.number.value } == 160_000)
  }

  @Test func `threads that had to sleep are woken, one after the other`() {
    let guarded = Guarded()
    let arrived = ThreadGate()
    let count = Recorder<Int>()
    Threads.run(6) { index in
      for turn in 0..<50 {
        _ = guarded.withLock {
          guarded.number.value += 1
          // Longer than a waiting thread spins.
          if index == 0 && turn == 0 { arrived.open() }
          for _ in 0..<200_000 { blackHole(turn) }
        }
      }
      count.append(index)
    }
    arrived.wait()
    #expect(count.values.count == 6)
    #expect(guarded.withLock { guarded.number.value } == 300)
  }

  @Test func `threads that are alive at once have different even identities, and none is zero`() {
    let seen = Recorder<UInt>()
    let all = ThreadGate()
    Threads.run(4) { _ in
      seen.append(ThreadIdentity.current)
      // None leaves before the last has come, so that no identity is given again.
      if seen.values.count == 4 { all.open() }
      all.wait()
      #expect(seen.values.contains(ThreadIdentity.current))
    }
    #expect(Set(seen.values).count == 4)
    #expect(seen.values.allSatisfy { $0 != 0 && $0.isMultiple(of: 2) })
  }
}

@inline(never)
private func blackHole(_ number: Int) {}
