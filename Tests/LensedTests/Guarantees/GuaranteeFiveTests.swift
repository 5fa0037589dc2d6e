import Lensed
import LensedTestSupport
import Testing

@Suite(
  "An observer may dispatch, and is notified after the current commit", .timeLimit(.minutes(30)))
struct GuaranteeFiveTests {
  private struct Room: Sendable {
    var bell: Bell?
    var count = 0
  }

  private struct Ring: Action {
    var bell: Bell?
  }

  /// A store, and how often a bell that was let go has dispatched to it.
  private static func makeStore() throws -> (store: Store<Room>, bell: @Sendable () -> Bell) {
    let store = try Store(initialState: Room()) {
      Mutator(\.bell) { (_: inout Bell?, _: Ring) in }
      Mutator(\.count) { (count: inout Int, action: CountAction) in
        if case .add(let amount) = action { count += amount }
      }
    }
    let own = WeakReference(store)
    return (store, { Bell { own.object?.dispatch(CountAction.add(1)) } })
  }

  @Test func `an observer's dispatch happens at once and is heard after the current commit`() throws
  {
    let store = try Desk.makeStore()
    let heard = Recorder<String>()
    let subscriptions = [
      store.states(\.count).subscribe { [weak store] count in
        if count == 1 {
          store?.dispatch(CountAction.add(1))
          heard.append("at once \(store?.count ?? -1)")
        }
      },
      store.states(\.count).subscribe { heard.append("heard \($0)") },
    ]
    store.dispatch(CountAction.add(1))
    #expect(heard.values == ["heard 0", "at once 2", "heard 1", "heard 2"])
    for subscription in subscriptions { subscription.cancel() }
  }

  @Test func `a comparison may dispatch`() throws {
    let store = try Desk.makeStore()
    let heard = Recorder<Int>()
    let subscription = store.states(\.count)
      .removeDuplicates { [weak store] last, next in
        if next == 1 { store?.dispatch(TitleAction.rename("compared")) }
        return last == next
      }
      .subscribe { heard.append($0) }
    store.dispatch(CountAction.add(1))
    #expect(store.title == "compared")
    #expect(heard.values == [0, 1])
    subscription.cancel()
  }

  @Test func `a comparison of an asynchronous reader may dispatch`() async throws {
    let store = try Desk.makeStore()
    var counts = store.states(\.count)
      .removeDuplicates { [weak store] last, next in
        store?.dispatch(TitleAction.rename("\(last) \(next)"))
        return last == next
      }
      .makeAsyncIterator()
    #expect(await counts.next() == 0)
    store.dispatch(CountAction.add(1))
    #expect(await counts.next() == 1)
    #expect(store.title == "0 1")
  }

  @Test func `a deinit may dispatch when the state is replaced`() throws {
    let (store, bell) = try Self.makeStore()
    store.replaceState(Room(bell: bell(), count: 10))
    store.replaceState(Room(count: 20))
    #expect(store.count == 21)
  }

  @Test(.warnsOnPurpose) func `a deinit may dispatch when an action is let go`() throws {
    let (store, bell) = try Self.makeStore()
    for _ in 0..<3 { store.dispatch(Ring(bell: bell())) }
    store.dispatch([Ring(bell: bell()), Ring(bell: bell())])
    store.dispatch([Ring(bell: bell()), StrayAction()])
    do {
      let one: any Action = Ring(bell: bell())
      store.dispatch(one)
    }
    #expect(store.count == 7)
  }

  @Test func `a deinit may dispatch when a change is dropped, read or left`() async throws {
    let (store, bell) = try Self.makeStore()
    do {
      var oldest = store.changes(buffering: .bounded(1, dropping: .oldest)).makeAsyncIterator()
      for _ in 0..<3 { store.dispatch(Ring(bell: bell())) }
      _ = await oldest.next()
    }
    #expect(store.count == 3)
    do {
      var newest = store.changes(buffering: .bounded(1, dropping: .newest)).makeAsyncIterator()
      for _ in 0..<3 { store.dispatch(Ring(bell: bell())) }
      _ = await newest.next()
    }
    #expect(store.count == 6)
    do {
      let left = store.changes().makeAsyncIterator()
      for _ in 0..<3 { store.dispatch(Ring(bell: bell())) }
      withExtendedLifetime(left) {}
    }
    #expect(store.count == 9)
  }

  @Test func `a deinit may dispatch when a callback, a reducer or an operator is let go`() throws {
    let (store, bell) = try Self.makeStore()
    var subscription: StoreSubscription?
    do {
      let bell = bell()
      subscription = store.states(\.count).subscribe { [bell] _ in _ = bell }
    }
    subscription?.cancel()
    subscription = nil
    #expect(store.count == 1)
    store.unregister(\.bell)
    do {
      let bell = bell()
      try store.register(Mutator(\.bell) { [bell] (_: inout Bell?, _: Ring) in _ = bell })
    }
    for _ in 0..<3 { store.dispatch(Ring()) }
    #expect(store.unregister(\.bell))
    #expect(store.count == 2)
  }

  @Test func `a deinit may dispatch when a delivered state is let go`() throws {
    let (store, bell) = try Self.makeStore()
    let heard = Recorder<Int>()
    let subscription = store.states.subscribe { heard.append($0.count) }
    store.replaceState(Room(bell: bell()))
    // The only other holder of the bell is what was delivered.
    store.replaceState(Room(count: 5))
    #expect(store.count == 6)
    #expect(heard.values == [0, 0, 5, 6])
    subscription.cancel()
  }

  @Test func `a deinit may dispatch when the store goes`() throws {
    let own = WeakReference<Store<Room>>()
    let rung = Counter()
    do {
      let store = try Self.makeStore().store
      own.refer(to: store)
      store.replaceState(
        Room(
          bell: Bell {
            own.object?.dispatch(CountAction.add(1))
            rung.increment()
          }))
    }
    #expect(rung.value == 1)
  }

  @Test func `stores whose observers dispatch to each other from two threads do not deadlock`()
    throws
  {
    let (left, right) = (try Desk.makeStore(), try Desk.makeStore())
    let subscriptions = [
      left.states(\.count).subscribe { [weak right] _ in right?.dispatch(TitleAction.rename("l")) },
      right.states(\.count).subscribe { [weak left] _ in left?.dispatch(TitleAction.rename("r")) },
      left.states(\.title).subscribe { [weak right] _ in right?.dispatch(NoteAction.append(1)) },
      right.states(\.title).subscribe { [weak left] _ in left?.dispatch(NoteAction.append(1)) },
    ]
    Threads.run(4) { thread in
      let store = thread.isMultiple(of: 2) ? left : right
      for _ in 0..<500 { store.dispatch(CountAction.add(1)) }
    }
    #expect([left.count, right.count] == [1_000, 1_000])
    for subscription in subscriptions { subscription.cancel() }
  }

  @Test func `observers that dispatch in a storm lose nothing`() async throws {
    let store = try Desk.makeStore()
    let heard = Recorder<Int>()
    let subscriptions = [
      store.states(\.count).subscribe { [weak store] count in
        if count > 0 { store?.dispatch(NoteAction.append(count)) }
      },
      store.states(\.count).subscribe { heard.append($0) },
    ]
    Threads.run(4) { _ in
      for _ in 0..<500 { store.dispatch(CountAction.add(1)) }
    }
    await heard.wait(untilLast: { $0 == 2_000 })
    #expect(heard.values == Array(0...2_000))
    #expect(store.notes == Array(1...2_000))
    for subscription in subscriptions { subscription.cancel() }
  }
}
