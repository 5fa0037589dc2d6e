import Foundation
import Lensed
import LensedTestSupport
import Testing

private typealias AppState = Contract.AppState
private typealias AppAction = Contract.AppAction
private typealias OtherAction = Contract.OtherAction

/// Middleware with every requirement, each given by the test.
private final class Clerk: Middleware {
  typealias Judge = @Sendable (any Action, MiddlewareContext<AppState>) -> Verdict

  private let judge: Judge
  private let told: @Sendable (Change<AppState>) -> Void
  let stores = Recorder<ScopedStore<AppState>>()

  init(
    judge: @escaping Judge = { _, _ in .proceed },
    told: @escaping @Sendable (Change<AppState>) -> Void = { _ in }
  ) {
    (self.judge, self.told) = (judge, told)
  }

  func willReduce(_ action: any Action, _ context: MiddlewareContext<AppState>) -> Verdict {
    judge(action, context)
  }
  func didReduce(_ change: Change<AppState>) { told(change) }
  func attached(to store: ScopedStore<AppState>) { stores.append(store) }
}

/// Attacked in depth by `MiddlewareTests`, `ActionLoggerTests` and `ActionThrottleTests`.
@Suite("Middleware sees, drops and replaces actions", .timeLimit(.minutes(30)))
struct MiddlewareContractTests {
  private struct Idle: Middleware {
    typealias State = AppState
  }

  @Test func `every requirement has a default, which lets all pass`() throws {
    let store = try Contract.makeStore(middleware: [Idle(), Idle()])
    store.dispatch(AppAction.increase(1))
    #expect(store.counter.value == 1)
  }

  @Test func `proceed, replace and drop, of a list member by member`() throws {
    let clerk = Clerk { action, _ in
      switch action {
      case AppAction.increase: .proceed
      case AppAction.decrease(let amount): .replace(with: AppAction.increase(amount * 10))
      default: .drop
      }
    }
    let store = try Contract.makeStore(middleware: [clerk])
    store.dispatch([AppAction.increase(1), AppAction.decrease(2), OtherAction.reset])
    #expect(store.counter.value == 21)
    #expect(store.dispatch(AppAction.clear, focusingOn: \.counter.value) == 21)
  }

  @Test func `the context has the state of the moment, and where the action came from`() throws {
    let seen = Recorder<String>()
    let clerk = Clerk { action, context in
      seen.append("\(context.state.counter.value) \(context.fileID) \(context.function)")
      seen.append("\(context.line)")
      return .proceed
    }
    let store = try Contract.makeStore(AppState(counter: 7), middleware: [clerk])
    let line = #line + 1
    store.dispatch(AppAction.increase(1))
    #expect(seen.values == ["7 \(#fileID) \(#function)", "\(line)"])
  }

  @Test func `several run in order, and each is told of the commit`() throws {
    let seen = Recorder<String>()
    let clerks = ["a", "b"].map { name in
      Clerk(
        judge: { _, _ in
          seen.append("\(name) asked")
          return .proceed
        }, told: { seen.append("\(name) told of \($0.state.counter.value)") })
    }
    try Contract.makeStore(middleware: clerks).dispatch(AppAction.increase(1))
    #expect(seen.values == ["a asked", "b asked", "a told of 1", "b told of 1"])
  }

  @Test func `it is given a scope of its store, which does not keep that alive`() throws {
    let clerk = Clerk()
    var store: Store<AppState>? = try Contract.makeStore(middleware: [clerk])
    let scope = try #require(clerk.stores.last)
    scope.dispatch(AppAction.increase(1))
    #expect(scope.state == AppState(counter: 1))
    #expect(store?.counter.value == 1)
    #expect(scope.dispatchTarget.isOpen)
    store = nil
    #expect(!scope.dispatchTarget.isOpen)
    #expect(clerk.stores.count == 1)
  }

  @Test func `one instance in two stores traps with a sentence`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let clerk = Clerk()
      let first = try Contract.makeStore(middleware: [clerk])
      let second = try Contract.makeStore(middleware: [clerk])
      _ = (first, second)
    }
    let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
    #expect(text.contains("make an instance for each store"))
  }

  @Test func `it runs outside the lock: another thread commits while it is asked`() async throws {
    let (committed, done) = (ThreadGate(), Recorder<Int>())
    let clerk = Clerk { action, _ in
      if action as? AppAction == .increase(1) { committed.wait() }
      return .proceed
    }
    let store = try Contract.makeStore(middleware: [clerk])
    _ = Threads.start {
      store.dispatch(AppAction.increase(1))
      done.append(store.counter.value)
    }
    _ = Threads.start {
      committed.waitForWaiters()
      store.dispatch(AppAction.increase(10))
      done.append(store.counter.value)
      committed.open()
    }
    #expect(await done.waitForCount(2) == [10, 11])
  }

  @Test func `didReduce follows commit order, and may run on another dispatcher's thread`()
    async throws
  {
    let (isDispatched, told) = (
      ThreadGate(), Recorder<(thread: ObjectIdentifier, revision: UInt64)>()
    )
    let clerk = Clerk(told: { change in
      if change.revision == 1 { isDispatched.wait() }
      told.append((ObjectIdentifier(Thread.current), change.revision))
    })
    let store = try Contract.makeStore(middleware: [clerk])
    _ = Threads.start { store.dispatch(AppAction.increase(1)) }
    _ = Threads.start {
      isDispatched.waitForWaiters()
      store.dispatch(AppAction.increase(1))
      isDispatched.open()
    }
    let calls = await told.waitForCount(2)
    #expect(calls.map(\.revision) == [1, 2])
    #expect(calls[0].thread == calls[1].thread, "who was delivering delivered that one too")
  }
}
