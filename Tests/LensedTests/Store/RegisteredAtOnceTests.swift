import Lensed
import LensedTestSupport
import LensedTesting
import Testing

/// What is registered comes in one step: no action, and no other registration, meets a part of it alone.
@Suite("register: all that comes, comes in one step", .timeLimit(.minutes(30)))
struct RegisteredAtOnceTests {
  private struct Pair: Sendable, Equatable {
    var left = 0
    var right = 0
  }

  /// Holds a store for a handler of its warnings.
  private final class Catcher<State: Sendable>: Middleware {
    let store = Locked<ScopedStore<State>?>(nil)
    func attached(to store: ScopedStore<State>) { self.store.withLock { $0 = store } }
    func detached() { store.withLock { $0 = nil } }
  }

  @Test func `what the handler of its warning dispatches meets its effects too`() async throws {
    let (catcher, starts) = (Catcher<Pair>(), Counter())
    let task = Locked<DispatchTask?>(nil)
    let counting = Feature<Int> {
      Mutator(\Int.self) { (count: inout Int, _: CountAction) in count += 1 }
      Effect(on: CountAction.self) { _, _ -> Void in _ = starts.increment() }
    }
    let store = try StoreBlueprint<Pair>(coverage: .partial) {}.makeStore(
      initialState: Pair(), middleware: [catcher],
      onWarning: { _ in
        let new = catcher.store.withLock { $0 }?.dispatch(CountAction.add(1))
        task.withLock { $0 = new }
      })
    try store.register(counting.lifted(\.left))
    try store.register(counting.lifted(\.right))
    try await task.withLock { $0 }?.finish()
    #expect(store.state == Pair(left: 1, right: 1))
    #expect(starts.value == 2)
  }

  @Test(.warnsOnPurpose) func `no action of another thread meets its reducer without its effect`()
    async throws
  {
    for _ in 0..<20 * VerificationLength.factor {
      let (starts, isOver) = (Counter(), Counter())
      let store = Store(initialState: Desk(), coverage: .partial)
      let counting = Feature<Desk> {
        Mutator(\.count) { (count: inout Int, _: ClearAction) in count += 1 }
        Effect(on: ClearAction.self) { _, _ -> Void in _ = starts.increment() }
      }
      Threads.run(2) { thread in
        if thread == 0 {
          #expect(throws: Never.self) { try store.register(counting) }
          _ = isOver.increment()
        } else {
          while isOver.value == 0 { store.dispatch(ClearAction()) }
        }
      }
      try await store.settled()
      #expect(store.count == starts.value)
    }
  }

  @Test func `what is replaced while it is registered is replaced whole`() async throws {
    for _ in 0..<20 * VerificationLength.factor {
      let (store, isReplaced) = (Store(initialState: Desk(), coverage: .partial), Counter())
      Threads.run(2) { thread in
        if thread == 0 {
          #expect(throws: Never.self) {
            try store.register(
              AsyncMutator(\Desk.count) { (count: Int, _: CountAction) in
                AsyncResult(value: count + 1_000)
              })
          }
        } else {
          for _ in 0..<10_000 where (try? store.replace(Desk.countMutator)) != nil {
            _ = isReplaced.increment()
            break
          }
        }
      }
      if isReplaced.value == 0 { try store.replace(Desk.countMutator) }
      try await store.dispatch(CountAction.add(1)).finish()
      #expect(store.count == 1)
    }
  }
}
