import LensedTestSupport
import Synchronization
import Testing

@testable import Lensed

@Suite("A handle reads a state that is there, or nothing", .timeLimit(.minutes(30)))
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
          let store = try? Store(
            initialState: Marked(words: [round, round]), coverage: .partial, middleware: [holder],
            onWarning: { _ in }
          ) {}
          current.withLock { $0 = holder.handle.withLock { $0 } }
          store?.dispatch(StrayAction())
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

  private struct Hold: Action {
    let isHeld: ThreadGate
    let mayEnd: ThreadGate
  }

  @Test func `while the store goes, and both wait for a commit to end`() {
    for round in 0..<300 {
      let holder = Holder()
      let (isHeld, mayEnd) = (ThreadGate(), ThreadGate())
      let store = Mutex<Store<Marked>?>(
        Store(
          initialState: Marked(words: [round, round]), coverage: .partial, middleware: [holder]))
      store.withLock { store in
        try? store?.register(
          Mutator(\.count) { (count: inout Int, hold: Hold) in
            hold.isHeld.open()
            hold.mayEnd.wait()
            count += 1
          })
      }
      guard let scope = store.withLock({ $0?.scope(\.self) }),
        let handle = holder.handle.withLock({ $0 })
      else { return }
      let faults = Counter()
      Threads.run(4) { thread in
        switch thread {
        case 0: scope.dispatch(Hold(isHeld: isHeld, mayEnd: mayEnd))
        case 1:
          isHeld.wait()
          if let state = handle.state, state.words != [round, round] { faults.increment() }
        case 2:
          isHeld.wait()
          let last = store.withLock { store in exchange(&store, with: nil) }
          withExtendedLifetime(last) {}
        default:
          isHeld.wait()
          for _ in 0..<20 { Threads.yield() }
          mayEnd.open()
        }
      }
      #expect(faults.value == 0)
    }
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

  @Test func `it replaces the state, and nothing once the store has gone`() throws {
    let (holder, counts) = (Holder(), Recorder<Int>())
    var store: Store<Marked>? = Store(
      initialState: Marked(words: [1]), coverage: .partial, middleware: [holder])
    let subscription = store?.states(\.count).subscribe { counts.append($0) }
    let handle = try #require(holder.handle.withLock { $0 })
    handle.replaceState(Marked(words: [2], count: 7))
    #expect(store?.words == [2])
    store = nil
    handle.replaceState(Marked(words: [3], count: 9))
    #expect(handle.state?.words == nil)
    #expect(counts.values == [0, 7])
    subscription?.cancel()
  }

  @Test func `it dispatches what a store does, and nothing once the store has gone`()
    async throws
  {
    final class Holder: Middleware {
      let handle = Mutex<StoreHandle<Desk>?>(nil)

      func attached(to store: StoreHandle<Desk>) { handle.withLock { $0 = store } }
    }
    let (holder, commits) = (Holder(), Counter())
    var store: Store<Desk>? = try Desk.makeStore()
    let attached = store?.attach(holder)
    let subscription = store?.states.subscribe { _ in commits.increment() }
    let handle = try #require(holder.handle.withLock { $0 })
    handle.dispatch(CountAction.add(1))
    handle.dispatch(CountAction.add(1) as any Action)
    handle.dispatch([CountAction.add(1), .add(1)])
    handle.dispatch([CountAction.add(1), TitleAction.rename("here")])
    try await handle.dispatch(AsyncStream { CountAction.add(1) }.prefix(2)).finish()
    // The first value, four commits, and two of the sequence.
    #expect((commits.value, handle.state?.count, handle.state?.title) == (7, 7, "here"))
    withExtendedLifetime(attached) { subscription?.cancel() }
    store = nil
    let pulled = Counter()
    let counted = AsyncStream {
      pulled.increment()
      return CountAction.add(1)
    }
    try await handle.dispatch([CountAction.add(1), TitleAction.rename("gone")]).finish()
    try await handle.dispatch(counted.prefix(2)).finish()
    #expect((handle.state, pulled.value, commits.value) == (nil, 0, 7))
  }
}
