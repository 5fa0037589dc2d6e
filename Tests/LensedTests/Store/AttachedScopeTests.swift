import LensedTestSupport
import Synchronization
import Testing

@testable import Lensed

@Suite(
  "The scope that middleware is given reads whole states, and does nothing once the store has gone",
  .timeLimit(.minutes(30)))
struct AttachedScopeTests {
  /// A state whose memory is written over as it is released.
  private struct Marked: Sendable {
    var words: [Int]
    var count = 0
    var padding = (1, 2, 3, 4, 5, 6, 7, 8)
  }

  private final class Holder: Middleware {
    let store = Mutex<ScopedStore<Marked>?>(nil)

    func attached(to store: ScopedStore<Marked>) { self.store.withLock { $0 = store } }

    /// What it was attached to last.
    var scope: ScopedStore<Marked>? { store.withLock { $0 } }
  }

  @Test func `while stores come and go on another thread`() {
    let current = Mutex<ScopedStore<Marked>?>(nil)
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
          current.withLock { $0 = holder.scope }
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
        let attached = holder.scope
      else { return }
      let faults = Counter()
      Threads.run(4) { thread in
        switch thread {
        case 0: scope.dispatch(Hold(isHeld: isHeld, mayEnd: mayEnd))
        case 1:
          isHeld.wait()
          if attached.words != [round, round] { faults.increment() }
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

  @Test func `after the store has gone it shows the last state, and says that nothing is applied`()
    throws
  {
    let holder = Holder()
    var store: Store<Marked>? = Store(
      initialState: Marked(words: [1]), coverage: .partial, middleware: [holder])
    let scope = try #require(holder.scope)
    #expect(scope.words == [1])
    #expect(scope.dispatchTarget.isOpen)
    withExtendedLifetime(store) {}
    store = nil
    #expect(scope.words == [1])
    #expect(!scope.dispatchTarget.isOpen)
  }

  @Test func `it replaces the state, and nothing once the store has gone`() throws {
    let (holder, counts) = (Holder(), Recorder<Int>())
    var store: Store<Marked>? = Store(
      initialState: Marked(words: [1]), coverage: .partial, middleware: [holder])
    let subscription = store?.states(\.count).subscribe { counts.append($0) }
    let scope = try #require(holder.scope)
    scope.replaceState(Marked(words: [2], count: 7))
    #expect(store?.words == [2])
    store = nil
    scope.replaceState(Marked(words: [3], count: 9))
    #expect(scope.words == [2])
    #expect(counts.values == [0, 7])
    subscription?.cancel()
  }

  @Test func `the scope of a part refuses to replace the state, with a sentence`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = Store(initialState: Marked(words: [1]), coverage: .partial)
      store.scope(\.count).replaceState(1)
    }
    let text = result?.message ?? ""
    #expect(text.contains("replaceState(_:) was called on the scope of the part `count`"))
    #expect(text.contains("call it on the store, or on its `asScope`"))
  }

  @Test func `it dispatches what a store does, and nothing once the store has gone`()
    async throws
  {
    let commits = Counter()
    var store: Store<Desk>? = try Desk.makeStore()
    let scope = try #require(store?.asScope)
    let subscription = store?.states.subscribe { _ in commits.increment() }
    scope.dispatch(CountAction.add(1))
    scope.dispatch(CountAction.add(1) as any Action)
    scope.dispatch([CountAction.add(1), .add(1)])
    scope.dispatch([CountAction.add(1), TitleAction.rename("here")])
    try await scope.dispatch(AsyncStream { CountAction.add(1) }.prefix(2)).finish()
    // The first value, four commits, and two of the sequence.
    #expect((commits.value, scope.count, scope.title) == (7, 7, "here"))
    subscription?.cancel()
    store = nil
    let pulled = Counter()
    let counted = AsyncStream {
      pulled.increment()
      return CountAction.add(1)
    }
    try await scope.dispatch([CountAction.add(1), TitleAction.rename("gone")]).finish()
    try await scope.dispatch(counted.prefix(2)).finish()
    #expect((scope.count, scope.title, pulled.value, commits.value) == (7, "here", 0, 7))
  }
}
