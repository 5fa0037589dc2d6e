import Lensed
import LensedTestSupport
import Testing

@Suite("Middleware is notified when it is detached", .timeLimit(.minutes(30)))
struct DetachingTests {
  private final class Diary: Middleware {
    typealias State = Desk
    let lines = Recorder<String>()
    let stores = Recorder<ScopedStore<Desk>>()

    func attached(to store: ScopedStore<Desk>) {
      stores.append(store)
      lines.append("attached")
    }

    func didReduce(_ change: Change<Desk>) { lines.append("told \(change.state.count)") }

    func detached() {
      lines.append("detached")
      stores.last?.dispatch(CountAction.add(10))
    }
  }

  private func makeStore(_ middleware: [any Middleware<Desk>] = []) -> Store<Desk> {
    let store = Store(initialState: Desk(), coverage: .partial, middleware: middleware)
    try? store.register(Desk.countMutator)
    return store
  }

  @Test func `it is notified once when its subscription ends, and of no commit after that`() {
    let (store, diary) = (makeStore(), Diary())
    let attached = store.attach(diary)
    store.dispatch(CountAction.add(1))
    attached.cancel()
    attached.cancel()
    store.dispatch(CountAction.add(1))
    #expect(diary.lines.values == ["attached", "told 1", "detached"])
    // What it dispatched itself was applied: it was called without the lock.
    #expect(store.count == 12)
  }

  @Test func `it can be attached again, to another store too, and is notified each time`() {
    let (first, second, diary) = (makeStore(), makeStore(), Diary())
    first.attach(diary).cancel()
    do { withExtendedLifetime(second.attach(diary)) {} }
    #expect(diary.lines.values == ["attached", "detached", "attached", "detached"])
    #expect(first.count == 10)
    #expect(second.count == 10)
  }

  @Test func `it is notified once when its store is released, whether given to it or attached`() {
    let (given, attached) = (Diary(), Diary())
    let subscription: StoreSubscription
    do {
      let store = makeStore([given])
      subscription = store.attach(attached)
      store.dispatch(CountAction.add(1))
    }
    subscription.cancel()
    #expect(given.lines.values == ["attached", "told 1", "detached"])
    #expect(attached.lines.values == ["attached", "told 1", "detached"])
    withExtendedLifetime(makeStore([given])) {}
    #expect(given.lines.values.suffix(2) == ["attached", "detached"])
  }

  @Test func `middleware that asks for it is attached before the others, wherever it stands`() {
    struct Named: Middleware {
      typealias State = Desk
      let name: String
      var attachesFirst = false
      let order: Recorder<String>
      func attached(to store: ScopedStore<Desk>) { order.append(name) }
    }
    let order = Recorder<String>()
    let store = makeStore([
      Named(name: "a", order: order), Named(name: "b", attachesFirst: true, order: order),
      Named(name: "c", order: order), Named(name: "d", attachesFirst: true, order: order),
    ])
    #expect(order.values == ["b", "d", "a", "c"])
    withExtendedLifetime(store) {}
  }

  @Test func `a recorder that was detached can go on in another store at once`() {
    let (first, second) = (makeStore(), makeStore())
    let recorder = SessionRecorder<Desk>()
    first.attach(recorder).cancel()
    let attached = second.attach(recorder)
    second.dispatch(CountAction.add(1))
    first.dispatch(CountAction.add(1))
    // The state of the first store; that of the second, and its commit.
    #expect(recorder.session?.steps.count == 2)
    attached.cancel()
  }

  /// The thread that committed is asked whether that is a step, and so is the one that undoes, before it does.
  @Test func `an undo that is overtaken by the end of its recording changes nothing`() {
    let (isAsked, goOn, calls) = (ThreadGate(), ThreadGate(), Recorder<Int>())
    let subscription = Locked<StoreSubscription?>(nil)
    let history = History(
      \Desk.count,
      recording: { _ in
        calls.append(calls.count)
        if calls.count == 1 {
          isAsked.open()
          goOn.wait()
        } else {
          subscription.withLock { $0 }?.cancel()
        }
        return true
      })
    let store = makeStore()
    let attached = store.attach(history)
    subscription.withLock { $0 = attached }
    let dispatcher = Threads.start { store.dispatch(CountAction.add(1)) }
    isAsked.wait()
    #expect(!history.undo())
    goOn.open()
    dispatcher.wait()
    #expect(store.count == 1)
    #expect(calls.count == 2)
  }

  @Test func `a detached history can undo and redo nothing`() {
    for history in [History<Desk>(), History(\Desk.count)] {
      let store = makeStore()
      let attached = store.attach(history)
      store.dispatch([CountAction.add(1)])
      store.dispatch(CountAction.add(1))
      history.undo()
      #expect(history.canUndo && history.canRedo)
      attached.cancel()
      #expect(!history.canUndo && !history.canRedo)
      #expect(!history.undo() && !history.redo())
    }
  }
}
