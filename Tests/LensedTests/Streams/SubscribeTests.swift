import Lensed
import LensedTestSupport
import Testing

@Suite("subscribe: called back synchronously for every commit", .timeLimit(.minutes(30)))
struct SubscribeTests {
  @Test func `the current value comes before subscribe returns, on the calling thread`() throws {
    let store = try Desk.makeStore(Desk(count: 5))
    let heard = Recorder<Int>()
    let subscription = store.states(\.count).subscribe { heard.append($0) }
    #expect(heard.values == [5])
    subscription.cancel()
  }

  @Test func `each commit is heard before its dispatch returns`() throws {
    let store = try Desk.makeStore()
    let heard = Recorder<Int>()
    let subscription = store.states(\.count).subscribe { heard.append($0) }
    for count in 1...50 {
      store.dispatch(CountAction.add(1))
      #expect(heard.last == count)
    }
    #expect(heard.values == Array(0...50))
    subscription.cancel()
  }

  @Test(.warnsOnPurpose) func `the whole is heard when a reducer has run, and not otherwise`()
    throws
  {
    let store = try Desk.makeStore()
    let heard = Recorder<Desk>()
    let subscription = store.states.subscribe { heard.append($0) }
    store.dispatch(CountAction.keep)
    store.dispatch(StrayAction())
    store.dispatch(TitleAction.rename("T"))
    #expect(heard.values == [Desk(), Desk(), Desk(title: "T")])
    subscription.cancel()
  }

  @Test func `a part is heard when its owner ran, kept or removed repeats`() throws {
    let store = try Desk.makeStore()
    let (removed, kept) = (Recorder<Int>(), Recorder<Int>())
    let subscriptions = [
      store.states(\.count).subscribe { removed.append($0) },
      store.states(\.count, repeats: .kept).subscribe { kept.append($0) },
    ]
    store.dispatch(TitleAction.rename("T"))
    store.dispatch(CountAction.keep)
    store.dispatch(CountAction.add(1))
    store.dispatch(CountAction.keep)
    #expect(removed.values == [0, 1])
    #expect(kept.values == [0, 0, 1, 1])
    for subscription in subscriptions { subscription.cancel() }
  }

  @Test func `observers of one commit are called in the order they subscribed`() throws {
    let store = try Desk.makeStore()
    let heard = Recorder<String>()
    let subscriptions = [
      store.states(\.count).subscribe { heard.append("first \($0)") },
      store.states.subscribe { heard.append("second \($0.count)") },
      store.states(\.summary).subscribe { heard.append("third \($0)") },
    ]
    store.dispatch(CountAction.add(1))
    #expect(heard.values.suffix(3) == ["first 1", "second 1", "third : 1"])
    for subscription in subscriptions { subscription.cancel() }
  }

  @Test(.warnsOnPurpose) func `a computed property is heard after every handled commit`() throws {
    let store = try Desk.makeStore()
    let (every, differing) = (Recorder<String>(), Recorder<String>())
    let subscriptions = [
      store.states(\.summary, repeats: .kept).subscribe { every.append($0) },
      store.states(\.summary).subscribe { differing.append($0) },
    ]
    store.dispatch(NoteAction.append(1))
    store.dispatch(StrayAction())
    store.dispatch(TitleAction.rename("T"))
    #expect(every.values == [": 0", ": 0", "T: 0"])
    #expect(differing.values == [": 0", "T: 0"])
    for subscription in subscriptions { subscription.cancel() }
  }

  @Test func `a replacement is heard by all`() throws {
    let store = try Desk.makeStore()
    let (counts, desks) = (Recorder<Int>(), Recorder<Desk>())
    let subscriptions = [
      store.states(\.count).subscribe { counts.append($0) },
      store.states.subscribe { desks.append($0) },
    ]
    store.replaceState(Desk(count: 3))
    #expect(counts.values == [0, 3])
    #expect(desks.values == [Desk(), Desk(count: 3)])
    for subscription in subscriptions { subscription.cancel() }
  }

  @Test(.warnsOnPurpose) func `an observer is indifferent to owners that come and go`() throws {
    let store = Store(initialState: Desk(), coverage: .partial)
    let heard = Recorder<Int>()
    let subscription = store.states(\.count, repeats: .kept).subscribe { heard.append($0) }
    store.dispatch(CountAction.add(1))
    try store.register(Desk.countMutator)
    store.dispatch(CountAction.add(1))
    try store.register(Desk.titleMutator)
    store.dispatch(TitleAction.rename("T"))
    store.dispatch(CountAction.add(1))
    #expect(store.unregister(\.count))
    store.dispatch(CountAction.add(1))
    try store.register(Desk.countMutator)
    store.dispatch(CountAction.add(1))
    #expect(heard.values == [0, 1, 2, 3])
    subscription.cancel()
  }

  @Test func `after the store has gone nothing is called`() throws {
    var store: Store<Desk>? = try Desk.makeStore()
    let stream = try #require(store).states
    store = nil
    let heard = Recorder<Desk>()
    let subscription = stream.subscribe { heard.append($0) }
    #expect(heard.values.isEmpty)
    subscription.cancel()
  }
}
