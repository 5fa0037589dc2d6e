import LensedTestSupport
import Testing

@testable import Lensed

@Suite(
  "A throttle lets an action through at once, and drops equal ones", .timeLimit(.minutes(30)))
struct ActionThrottleTests {
  private enum Buy: Action, Hashable { case buy(String) }
  private struct Loose: Action {}

  private let clock = ManualClock()

  private func make() -> (Store<Int>, ActionThrottle<Int>) {
    let throttle = ActionThrottle<Int>(for: .milliseconds(300), clock: clock)
    let store = Store(initialState: 0, coverage: .partial, middleware: [throttle])
    try? store.register(
      Mutator(lens: Lens<Int, Int>.identity) { (count: inout Int, _: Buy) in count += 1 }
        .on(Loose.self) { count, _ in count += 100 })
    return (store, throttle)
  }

  @Test func `the leading edge, per value, and what is dropped prolongs nothing`() {
    let (store, _) = make()
    store.dispatch(Buy.buy("a"))
    #expect(store.state == 1)
    clock.move(by: .milliseconds(200))
    store.dispatch(Buy.buy("a"))
    #expect(store.state == 1)
    store.dispatch(Buy.buy("b"))
    #expect(store.state == 2)
    clock.move(by: .milliseconds(100))
    store.dispatch(Buy.buy("a"))
    #expect(store.state == 3)
    store.dispatch(Buy.buy("b"))
    #expect(store.state == 3)
  }

  @Test func `within a list too`() {
    let (store, _) = make()
    store.dispatch([Buy.buy("a"), .buy("a"), .buy("b")])
    #expect(store.state == 2)
  }

  private struct Judge: Middleware {
    typealias State = Int
    let judge: @Sendable (any Action) -> Verdict

    func willReduce(_ action: any Action, _ context: MiddlewareContext<Int>) -> Verdict {
      judge(action)
    }
  }

  @Test func `behind what drops and replaces, its interval starts with an applied action`()
    throws
  {
    let isOnline = Locked(false)
    let gate = Judge { action in
      action is Buy && !isOnline.withLock { $0 } ? .drop : .proceed
    }
    let other = Judge { action in
      action as? Buy == .buy("a") ? .replace(with: Buy.buy("b")) : .proceed
    }
    for others in [[gate, other], [other, gate]] {
      isOnline.withLock { $0 = false }
      let throttle = ActionThrottle<Int>(for: .milliseconds(300), clock: clock)
      let store = try Store(initialState: 0, coverage: .partial, middleware: others + [throttle]) {
        Mutator(lens: Lens<Int, Int>.identity) { (count: inout Int, _: Buy) in count += 1 }
      }
      store.dispatch(Buy.buy("a"))
      #expect(store.state == 0)
      isOnline.withLock { $0 = true }
      store.dispatch(Buy.buy("a"))
      #expect(store.state == 1)
      store.dispatch(Buy.buy("b"))
      #expect(store.state == 1, "the one that was put in place of another was applied")
    }
  }

  @Test func `what cannot be compared is never dropped`() {
    let (store, _) = make()
    store.dispatch(Loose())
    store.dispatch(Loose())
    #expect(store.state == 200)
  }

  @Test func `what has expired is forgotten`() {
    let (store, throttle) = make()
    for index in 0..<1_000 {
      store.dispatch(Buy.buy("\(index)"))
      clock.move(by: .milliseconds(30))
    }
    #expect(store.state == 1_000)
    #expect(throttle.count <= 11)
  }
}
