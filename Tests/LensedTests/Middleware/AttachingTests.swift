import LensedTestSupport
import Synchronization
import Testing

@testable import Lensed

@Suite("Middleware can be attached to a store, and removed, at any time", .timeLimit(.minutes(30)))
struct AttachingTests {
  private struct Line: Sendable, Equatable {
    var plain = 0
  }

  private struct Step: Action {
    var marks: [String] = []
  }

  /// Marks the actions that it is asked about.
  private struct Marker: Middleware {
    typealias State = Line
    let name: String
    var asked: @Sendable () -> Void = {}
    var heard = Recorder<UInt64>()

    func willReduce(_ action: any Action, _ context: MiddlewareContext<Line>) -> Verdict {
      asked()
      guard var step = action as? Step else { return .proceed }
      step.marks.append(name)
      return .replace(with: step)
    }

    func didReduce(_ change: Change<Line>) { heard.append(change.revision) }
  }

  private let marks = Recorder<[String]>()

  private func makeStore(_ middleware: [any Middleware<Line>] = []) -> Store<Line> {
    let store = Store(initialState: Line(), coverage: .partial, middleware: middleware)
    try? store.register(
      Mutator(\.plain) { [marks] (_: inout Int, step: Step) in marks.append(step.marks) })
    return store
  }

  @Test func `it is asked and told from the next action on, after those before it`() {
    let store = makeStore([Marker(name: "a")])
    store.dispatch(Step())
    let (b, c) = (Marker(name: "b"), Marker(name: "c"))
    let first = store.attach(b)
    let second = store.attach(c)
    store.dispatch(Step())
    first.cancel()
    store.dispatch([Step(), Step()])
    second.cancel()
    store.dispatch([any Action]([Step()]))
    #expect(marks.values == [["a"], ["a", "b", "c"], ["a", "c"], ["a", "c"], ["a"]])
    #expect(b.heard.values == [2])
    #expect(c.heard.values == [2, 3])
  }

  @Test func `a store without middleware goes back to the fast path when it is removed`() {
    let store = makeStore()
    store.dispatch(Step())
    #expect(store.core.isFast(Step.self))
    let attached = store.attach(Marker(name: "a"))
    store.dispatch(Step())
    #expect(!store.core.isFast(Step.self))
    attached.cancel()
    store.dispatch(Step())
    #expect(store.core.isFast(Step.self))
  }

  @Test func `releasing the subscription removes it, and it can be attached again`() {
    final class Counter: Middleware {
      typealias State = Line
      let stores = Recorder<ScopedStore<Line>>()
      func attached(to store: ScopedStore<Line>) { stores.append(store) }
    }
    let (store, counter) = (makeStore(), Counter())
    do { withExtendedLifetime(store.attach(counter)) {} }
    let again = store.attach(counter)
    #expect(counter.stores.count == 2)
    #expect(counter.stores.last?.state == Line())
    again.cancel()
  }

  @Test
  func `an action that was judged before an attachment is judged by the new middleware alone`() {
    let (asking, goOn) = (ThreadGate(), ThreadGate())
    let first = Marker(
      name: "a",
      asked: {
        asking.open()
        goOn.wait()
      })
    let store = makeStore([first])
    let dispatcher = Threads.start { store.dispatch([Step(), Step()]) }
    asking.wait()
    let attached = store.attach(Marker(name: "b"))
    goOn.open()
    dispatcher.wait()
    #expect(marks.values == [["a", "b"], ["a", "b"]])
    attached.cancel()
  }

  @Test func `a new middleware may drop, or make asynchronous, what was judged before it`()
    async throws
  {
    struct Judge: Middleware {
      typealias State = Line
      let verdict: Verdict
      func willReduce(_ action: any Action, _ context: MiddlewareContext<Line>) -> Verdict {
        (action as? Step)?.marks == ["a"] ? verdict : .proceed
      }
    }
    let later = AsyncActions(
      AsyncStream { stream in
        stream.yield(Step(marks: ["later"]))
        stream.finish()
      })
    for (verdict, expected) in [
      (Verdict.drop, [[String]]()), (.replace(with: later), [["later", "a"]]),
    ] {
      let (asking, goOn) = (ThreadGate(), ThreadGate())
      let first = Marker(
        name: "a",
        asked: {
          asking.open()
          goOn.wait()
        })
      let store = makeStore([first])
      let tasks = Recorder<DispatchTask>()
      let before = marks.count
      let dispatcher = Threads.start { tasks.append(store.dispatch(Step())) }
      asking.wait()
      let attached = store.attach(Judge(verdict: verdict))
      goOn.open()
      dispatcher.wait()
      try await tasks.values[0].finish()
      #expect(Array(marks.values.dropFirst(before)) == expected)
      attached.cancel()
    }
  }

  @Test func `a history that is attached later begins there, and ends with its subscription`() {
    let store = makeStore()
    store.dispatch(Step())
    let history = History<Line>()
    let attached = store.attach(history)
    store.dispatch(Step())
    #expect(history.entries.count == 2)
    #expect(history.undo())
    attached.cancel()
    store.dispatch(Step())
    #expect(history.entries.count == 2)
    #expect(!history.redo())
  }

  @Test func `attached middleware keeps no store alive`() {
    weak var gone: Store<Line>?
    let subscription: StoreSubscription
    do {
      let store = makeStore()
      gone = store
      subscription = store.attach(Marker(name: "a"))
    }
    #expect(gone == nil)
    subscription.cancel()
  }

  /// The reducer itself looks whether `attach` had returned when it began.
  @Test func `on many threads, what begins to be reduced after attach returned has met it`() {
    let rounds = 60 * VerificationLength.factor
    for round in 0..<rounds {
      let flags = Flags()
      let slow: [any Middleware<Line>] =
        round.isMultiple(of: 2) ? [Marker(name: "a", asked: { Threads.yield() })] : []
      let store = Store(initialState: Line(), coverage: .partial, middleware: slow)
      try? store.register(
        Mutator(\.plain) { (_: inout Int, step: Step) in
          if flags.isAttached && !step.marks.contains("b") { flags.miss() }
        })
      let stop = Flags()
      let threads = (0..<3).map { thread in
        Threads.start {
          while !stop.isAttached {
            if thread == 0 { store.dispatch([Step(), Step()]) } else { store.dispatch(Step()) }
          }
        }
      }
      Threads.yield()
      let attached = store.attach(Marker(name: "b"))
      flags.attach()
      Threads.yield()
      stop.attach()
      for thread in threads { thread.wait() }
      #expect(flags.missed == 0, "round \(round)")
      attached.cancel()
    }
  }

  @Test func `on many threads, at most one call of each begins after cancel returned`() {
    for round in 0..<(60 * VerificationLength.factor) {
      let flags = Flags()
      let store = makeStore()
      let attached = store.attach(
        Marker(name: "b", asked: { if flags.isAttached { flags.miss() } }))
      let stop = Flags()
      let threads = (0..<3).map { _ in
        Threads.start { while !stop.isAttached { store.dispatch(Step()) } }
      }
      Threads.yield()
      attached.cancel()
      flags.attach()
      Threads.yield()
      stop.attach()
      for thread in threads { thread.wait() }
      #expect(flags.missed <= 3, "round \(round)")
      store.dispatch(Step())
      #expect(marks.last == [])
    }
  }

  private final class Flags: Sendable {
    private let attached = Atomic(false)
    private let misses = Atomic(0)
    var isAttached: Bool { attached.load(ordering: .acquiring) }
    var missed: Int { misses.load(ordering: .acquiring) }
    func attach() { attached.store(true, ordering: .releasing) }
    func miss() { misses.wrappingAdd(1, ordering: .relaxed) }
  }
}

extension StoreCore {
  fileprivate func isFast(_ type: any Action.Type) -> Bool {
    withLock("looked") { _ in
      cache.fastEntry(of: ObjectIdentifier(type)) != nil
    }
  }
}
