import LensedTestSupport
import Testing

@testable import Lensed

@Suite("ActionThrottle: actions whose own code acts", .timeLimit(.minutes(30)))
struct HostileThrottleTests {
  private struct Plain: Action, Hashable {
    var number = 0
  }

  private static let store = Locked<Store<Int>?>(nil)

  /// Releases the store at the end of a process, so that the leak check finds nothing.
  private static func release() {
    let last = store.withLock { $0.take() }
    _ = last
  }

  private static func act() {
    store.withLock { $0 }?.dispatch(Plain())
  }

  private struct Hashing: Action, Hashable {
    let number: Int

    static func == (left: Hashing, right: Hashing) -> Bool {
      act()
      return left.number == right.number
    }

    func hash(into hasher: inout Hasher) {
      act()
      // All fall on one value, so that they are compared.
      hasher.combine(0)
    }
  }

  private final class Leaving: Sendable {
    deinit { act() }
  }

  private struct Holding: Action, Hashable {
    let number: Int
    let leaving = Leaving()

    static func == (left: Holding, right: Holding) -> Bool { left.number == right.number }
    func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }

  private static func makeStore(_ clock: ManualClock) throws -> Store<Int> {
    let throttle = ActionThrottle<Int>(for: .milliseconds(300), clock: clock)
    let store = Store(initialState: 0, coverage: .partial, middleware: [throttle])
    try store.register(
      Mutator(lens: Lens<Int, Int>.identity) { (count: inout Int, _: Hashing) in count += 1 }
        .on(Holding.self) { count, _ in count += 1 })
    self.store.withLock { $0 = store }
    return store
  }

  @Test func `equality and hashing may dispatch`() async {
    await #expect(processExitsWith: .success) {
      let store = try Self.makeStore(ManualClock())
      for number in [1, 2, 1, 2, 3] { store.dispatch(Hashing(number: number)) }
      try #require(store.state == 3)
      Self.release()
    }
  }

  @Test func `a deinit may dispatch`() async {
    await #expect(processExitsWith: .success) {
      let clock = ManualClock()
      let store = try Self.makeStore(clock)
      for number in [1, 2, 1, 2, 3] {
        store.dispatch(Holding(number: number))
        clock.move(by: .milliseconds(200))
      }
      try #require(store.state == 5)
      Self.release()
    }
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `of equal actions that many threads dispatch at once, one passes`(seed: UInt64) throws {
    let clock = ManualClock()
    let throttle = ActionThrottle<Int>(for: .milliseconds(300), clock: clock)
    let store = Store(initialState: 0, coverage: .partial, middleware: [throttle])
    try store.register(
      Mutator(lens: Lens<Int, Int>.identity) { (count: inout Int, _: Colliding) in count += 1 })
    Threads.run(4) { thread in
      var random = SeededGenerator(seed: seed &+ UInt64(thread))
      for number in (0..<40).shuffled(using: &random) { store.dispatch(Colliding(number: number)) }
    }
    #expect(store.state == 40, "seed \(seed)")
    #expect(throttle.count == 40)
  }

  private struct Colliding: Action, Hashable {
    let number: Int
    func hash(into hasher: inout Hasher) { hasher.combine(number % 4) }
  }
}
