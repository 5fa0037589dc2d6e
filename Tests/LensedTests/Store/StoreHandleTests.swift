import LensedTestSupport
import Synchronization
import Testing

@testable import Lensed

@Suite("A handle reads a state that is there, or nothing", .timeLimit(.minutes(5)))
struct StoreHandleTests {
  /// A state whose memory is written over as it is released.
  private struct Marked: Sendable {
    var words: [Int]
    var count = 0
    var padding = (1, 2, 3, 4, 5, 6, 7, 8)
  }

  private final class Holder: Middleware {
    let handle = Mutex<StoreHandle<Marked>?>(nil)

    func attached(to store: StoreHandle<Marked>) { handle.withLock { $0 = store } }
  }

  @Test func `while stores come and go on another thread`() {
    let current = Mutex<StoreHandle<Marked>?>(nil)
    let isOver = Atomic(false)
    let (reads, faults) = (Counter(), Counter())
    Threads.run(2) { thread in
      if thread == 0 {
        for round in 0..<4_000 {
          let holder = Holder()
          let store = Store(
            initialState: Marked(words: [round, round]), coverage: .partial, middleware: [holder])
          current.withLock { $0 = holder.handle.withLock { $0 } }
          store.dispatch(StrayAction())
        }
        isOver.store(true, ordering: .releasing)
      } else {
        while !isOver.load(ordering: .acquiring) {
          guard let state = current.withLock({ $0 })?.state else { continue }
          reads.increment()
          if state.words.count != 2 || state.words[0] != state.words[1] { faults.increment() }
        }
      }
    }
    #expect(faults.value == 0)
    #expect(reads.value > 0)
  }

  @Test func `after the store has gone there is nothing to read`() {
    let holder = Holder()
    var store: Store<Marked>? = Store(
      initialState: Marked(words: [1]), coverage: .partial, middleware: [holder])
    #expect(holder.handle.withLock { $0?.state?.words } == [1])
    withExtendedLifetime(store) {}
    store = nil
    #expect(holder.handle.withLock { $0?.state?.words } == nil)
  }
}
