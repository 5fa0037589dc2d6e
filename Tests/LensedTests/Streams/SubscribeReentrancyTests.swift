import Lensed
import LensedTestSupport
import Synchronization
import Testing

@Suite("subscribe: what a callback may do", .timeLimit(.minutes(30)))
struct SubscribeReentrancyTests {
  /// Holds what is made while a callback runs.
  private final class Drawer: Sendable {
    let subscriptions = Mutex<[StoreSubscription]>([])

    func keep(_ subscription: StoreSubscription) {
      subscriptions.withLock { $0.append(subscription) }
    }

    func cancelAll() {
      for subscription in subscriptions.withLock({ $0 }) { subscription.cancel() }
    }
  }

  @Test func `a dispatch happens at once and is heard after the current commit`() throws {
    let store = try Desk.makeStore()
    let heard = Recorder<String>()
    let subscriptions = [
      store.states(\.count).subscribe { [weak store] count in
        heard.append("a \(count)")
        guard count == 1, let store else { return }
        store.dispatch(CountAction.add(1))
        heard.append("state \(store.count)")
      },
      store.states(\.count).subscribe { heard.append("b \($0)") },
    ]
    store.dispatch(CountAction.add(1))
    #expect(heard.values == ["a 0", "b 0", "a 1", "state 2", "b 1", "a 2", "b 2"])
    for subscription in subscriptions { subscription.cancel() }
  }

  @Test func `a dispatch from the first call is heard after that call`() throws {
    let store = try Desk.makeStore()
    let heard = Recorder<String>()
    let subscription = store.states(\.count).subscribe { [weak store] count in
      heard.append("begin \(count)")
      if count == 0 { store?.dispatch(CountAction.add(1)) }
      heard.append("end \(count)")
    }
    #expect(heard.values == ["begin 0", "end 0", "begin 1", "end 1"])
    subscription.cancel()
  }

  @Test func `a dispatch from the first call starts its effects`()
    async throws
  {
    let store = try Store(initialState: Desk()) {
      Desk.countMutator
      Desk.titleMutator
      Desk.notesMutator
      Effect<Desk>(on: CountAction.self) { _, _ in TitleAction.rename("counted") }
    }
    let started = Recorder<DispatchTask>()
    let subscription = store.states(\.count).subscribe { [weak store] count in
      if count == 0, let store { started.append(store.dispatch(CountAction.add(1))) }
    }
    #expect(started.values.count == 1)
    try await started.values[0].finish()
    #expect(store.title == "counted")
    subscription.cancel()
  }

  @Test func `a chain of a thousand dispatches does not deepen the stack, and keeps order`() throws
  {
    let store = try Desk.makeStore()
    let heard = Recorder<Int>()
    let subscription = store.states(\.count).subscribe { [weak store] count in
      heard.append(count)
      if count > 0 && count < 1_000 { store?.dispatch(CountAction.add(1)) }
    }
    store.dispatch(CountAction.add(1))
    #expect(heard.values == Array(0...1_000))
    subscription.cancel()
  }

  @Test func `a subscription made in a callback starts with the current value`() throws {
    let store = try Desk.makeStore()
    let (heard, drawer) = (Recorder<String>(), Drawer())
    let subscription = store.states(\.count).subscribe { [weak store] count in
      guard count == 1, let store else { return }
      drawer.keep(store.states(\.count).subscribe { heard.append("inner \($0)") })
      heard.append("made")
    }
    store.dispatch(CountAction.add(1))
    #expect(heard.values == ["inner 1", "made"])
    store.dispatch(CountAction.add(1))
    #expect(heard.values == ["inner 1", "made", "inner 2"])
    subscription.cancel()
    drawer.cancelAll()
  }

  @Test func `a subscription made after a dispatch in a callback hears nothing twice`() throws {
    let store = try Desk.makeStore()
    let (heard, drawer) = (Recorder<Int>(), Drawer())
    let subscription = store.states(\.count).subscribe { [weak store] count in
      guard count == 1, let store else { return }
      store.dispatch(CountAction.add(1))
      drawer.keep(store.states(\.count, repeats: .kept).subscribe { heard.append($0) })
      store.dispatch(CountAction.add(1))
    }
    store.dispatch(CountAction.add(1))
    #expect(heard.values == [2, 3])
    subscription.cancel()
    drawer.cancelAll()
  }

  @Test func `a callback may cancel its own subscription`() throws {
    let store = try Desk.makeStore()
    let (heard, drawer) = (Recorder<Int>(), Drawer())
    drawer.keep(
      store.states(\.count).subscribe { count in
        heard.append(count)
        if count == 1 { drawer.cancelAll() }
      })
    store.dispatch(CountAction.add(1))
    store.dispatch(CountAction.add(1))
    #expect(heard.values == [0, 1])
  }

  @Test func `a callback may cancel one that was yet to be called for the same commit`() throws {
    let store = try Desk.makeStore()
    let (heard, drawer) = (Recorder<Int>(), Drawer())
    let first = store.states(\.count).subscribe { count in
      if count == 1 { drawer.cancelAll() }
    }
    drawer.keep(store.states(\.count).subscribe { heard.append($0) })
    store.dispatch(CountAction.add(1))
    #expect(heard.values == [0])
    first.cancel()
  }

  @Test(.warnsOnPurpose) func `a callback may register and unregister mutators`() throws {
    let store = Store(initialState: Desk(), coverage: .partial)
    try store.register(Desk.countMutator)
    let heard = Recorder<String>()
    let subscription = store.states.subscribe { [weak store] desk in
      heard.append(desk.summary)
      guard desk.count == 1, desk.title.isEmpty, let store else { return }
      do {
        try store.register(Desk.titleMutator)
        store.dispatch(TitleAction.rename("T"))
        store.unregister(\.count)
      } catch {
        Issue.record(error)
      }
    }
    store.dispatch(CountAction.add(1))
    store.dispatch(CountAction.add(1))
    #expect(heard.values == [": 0", ": 1", "T: 1"])
    subscription.cancel()
  }

  @Test func `a callback may replace the state`() throws {
    let store = try Desk.makeStore()
    let heard = Recorder<Int>()
    let subscription = store.states(\.count).subscribe { [weak store] count in
      heard.append(count)
      if count == 1 { store?.replaceState(Desk(count: 10)) }
    }
    store.dispatch(CountAction.add(1))
    #expect(heard.values == [0, 1, 10])
    subscription.cancel()
  }
}
