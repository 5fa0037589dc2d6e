import Lensed
import LensedTestSupport
import Testing

@Suite("Between the first value and the next no commit is missed", .timeLimit(.minutes(30)))
struct GuaranteeFourTests {
  /// Three threads that dispatch while the fourth does something else, `rounds` times.
  private func storm(_ store: Store<Desk>, meanwhile: @escaping @Sendable (Int) -> Void) {
    Threads.run(4) { thread in
      if thread == 0 {
        for round in 0..<50 { meanwhile(round) }
      } else {
        for _ in 0..<1_000 { store.dispatch(CountAction.add(1)) }
      }
    }
  }

  @Test func `a subscription made in a storm misses nothing and hears nothing twice`() async throws
  {
    let store = try Desk.makeStore()
    let (kept, heard) = (Recorder<StoreSubscription>(), Recorder<Recorder<Int>>())
    storm(store) { _ in
      let own = Recorder<Int>()
      kept.append(store.states(\.count, repeats: .kept).subscribe { own.append($0) })
      heard.append(own)
    }
    #expect(store.count == 3_000)
    for own in heard.values {
      await own.wait(untilLast: { $0 == 3_000 })
      let values = own.values
      let first = try #require(values.first)
      #expect(values == Array(first...3_000))
    }
    for subscription in kept.values { subscription.cancel() }
  }

  @Test func `a subscription to the whole misses nothing either`() async throws {
    let store = try Desk.makeStore()
    let (kept, heard) = (Recorder<StoreSubscription>(), Recorder<Recorder<Int>>())
    storm(store) { _ in
      let own = Recorder<Int>()
      kept.append(store.states.subscribe { own.append($0.count) })
      heard.append(own)
    }
    for own in heard.values {
      await own.wait(untilLast: { $0 == 3_000 })
      let values = own.values
      let first = try #require(values.first)
      #expect(values == Array(first...3_000))
    }
    for subscription in kept.values { subscription.cancel() }
  }

  @Test func `a reader of changes made in a storm misses nothing`() async throws {
    var store: Store<Desk>? = try Desk.makeStore()
    let iterators = Recorder<Recording<Change<Desk>>>()
    do {
      let store = try #require(store)
      storm(store) { round in
        if round.isMultiple(of: 5) { iterators.append(Recording(store.changes())) }
      }
    }
    store = nil
    for recording in iterators.values {
      let revisions = await recording.waitForEnd().map(\.revision)
      if let first = revisions.first { #expect(revisions == Array(first...3_000)) }
    }
  }

  @Test func `an asynchronous reader made in a storm ends with the newest value`() async throws {
    var store: Store<Desk>? = try Desk.makeStore()
    let readings = Recorder<Recording<Int>>()
    do {
      let store = try #require(store)
      storm(store) { _ in readings.append(Recording(store.states(\.count))) }
      for reading in readings.values { await reading.heard.waitForCount(1) }
    }
    store = nil
    for reading in readings.values {
      let values = await reading.waitForEnd()
      #expect(values.last == 3_000)
      #expect(values == values.sorted())
    }
  }

  @Test func `subscribing and cancelling in a storm leaves the others whole`() async throws {
    let store = try Desk.makeStore()
    let heard = Recorder<Int>()
    let subscription = store.states(\.count).subscribe { heard.append($0) }
    storm(store) { _ in
      for _ in 0..<10 { store.states(\.count).subscribe { _ in }.cancel() }
    }
    await heard.wait(untilLast: { $0 == 3_000 })
    #expect(heard.values == Array(0...3_000))
    subscription.cancel()
  }

  @Test func `registering and unregistering in a storm leaves observers without a gap`()
    async throws
  {
    let store = Store(initialState: Desk(), coverage: .partial)
    try store.register(Desk.countMutator)
    let heard = Recorder<Int>()
    let subscription = store.states(\.count).subscribe { heard.append($0) }
    storm(store) { _ in
      do {
        try store.register(Desk.titleMutator)
        store.unregister(\.title)
      } catch {
        Issue.record(error)
      }
    }
    await heard.wait(untilLast: { $0 == 3_000 })
    #expect(heard.values == Array(0...3_000))
    subscription.cancel()
  }
}
