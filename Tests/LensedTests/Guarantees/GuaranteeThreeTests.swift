import Lensed
import LensedTestSupport
import Testing

@Suite("Observers and middleware are notified in commit order", .timeLimit(.minutes(30)))
struct GuaranteeThreeTests {
  @Test func `every observer hears every commit in commit order, from any thread`() async throws {
    let store = try Desk.makeStore()
    let (parts, wholes) = (Recorder<Int>(), Recorder<Int>())
    let subscriptions = [
      store.states(\.count).subscribe { parts.append($0) },
      store.states.subscribe { wholes.append($0.count) },
    ]
    Threads.run(4) { _ in
      for _ in 0..<2_000 { store.dispatch(CountAction.add(1)) }
    }
    await parts.wait(untilLast: { $0 == 8_000 })
    await wholes.wait(untilLast: { $0 == 8_000 })
    #expect(parts.values == Array(0...8_000))
    #expect(wholes.values == Array(0...8_000))
    for subscription in subscriptions { subscription.cancel() }
  }

  @Test func `commits of two sub-states are heard in one order by all`() async throws {
    let store = try Desk.makeStore()
    let (first, second) = (Recorder<Desk>(), Recorder<Desk>())
    let subscriptions = [
      store.states.subscribe { first.append($0) }, store.states.subscribe { second.append($0) },
    ]
    Threads.run(4) { thread in
      for number in 0..<500 {
        if thread.isMultiple(of: 2) {
          store.dispatch(CountAction.add(1))
        } else {
          store.dispatch(TitleAction.rename("\(thread) \(number)"))
        }
      }
    }
    await first.waitForCount(2_001)
    await second.waitForCount(2_001)
    #expect(first.count == 2_001)
    #expect(first.values == second.values)
    #expect(first.values.map(\.count) == first.values.map(\.count).sorted())
    for subscription in subscriptions { subscription.cancel() }
  }

  @Test func `the calls of one subscription never overlap`() async throws {
    let store = try Desk.makeStore()
    let (inside, overlaps, calls) = (Guard(), Counter(), Counter())
    let subscription = store.states(\.count).subscribe { _ in
      if !inside.enter() { overlaps.increment() }
      calls.increment()
      inside.leave()
    }
    Threads.run(4) { _ in
      for _ in 0..<2_000 { store.dispatch(CountAction.add(1)) }
    }
    await calls.wait(for: 8_001)
    #expect(overlaps.value == 0)
    #expect(calls.value == 8_001)
    subscription.cancel()
  }

  @Test func `while another thread delivers, a dispatch may return before its callbacks`() throws {
    let store = try Desk.makeStore()
    let (inside, heard) = (ThreadGate(), Recorder<Int>())
    let subscription = store.states(\.count).subscribe { count in
      if count == 1 { inside.wait() }
      heard.append(count)
    }
    let other = Threads.start { store.dispatch(CountAction.add(1)) }
    inside.waitForWaiters()
    store.dispatch(CountAction.add(1))
    store.dispatch(CountAction.add(1))
    #expect(store.count == 3)
    #expect(heard.values == [0])
    inside.open()
    other.wait()
    #expect(heard.values == [0, 1, 2, 3])
    subscription.cancel()
  }

  @Test func `nothing overtakes the first value of a new subscription`() throws {
    let store = try Desk.makeStore()
    let (inside, heard) = (ThreadGate(), Recorder<Int>())
    let subscribed = Threads.start {
      let subscription = store.states(\.count).subscribe { count in
        if count == 0 { inside.wait() }
        heard.append(count)
      }
      store.dispatch(CountAction.add(1))
      subscription.cancel()
    }
    inside.waitForWaiters()
    store.dispatch(CountAction.add(1))
    store.dispatch(CountAction.add(1))
    #expect(heard.values.isEmpty)
    inside.open()
    subscribed.wait()
    #expect(heard.values == [0, 1, 2, 3])
  }

  @Test func `changes come in commit order, without a gap`() async throws {
    var store: Store<Desk>? = try Desk.makeStore()
    var changes = try #require(store).changes().makeAsyncIterator()
    do {
      let store = try #require(store)
      Threads.run(4) { _ in
        for _ in 0..<500 { store.dispatch(CountAction.add(1)) }
      }
    }
    store = nil
    var taken: [Change<Desk>] = []
    while let change = await changes.next() { taken.append(change) }
    #expect(taken.map(\.revision) == Array(1...2_000))
    #expect(taken.map(\.state.count) == Array(1...2_000))
  }

  @Test func `an asynchronous reader never goes back`() async throws {
    let store = try Desk.makeStore()
    var counts = store.states(\.count, repeats: .kept).makeAsyncIterator()
    let done = Threads.start {
      Threads.run(3) { _ in
        for _ in 0..<2_000 { store.dispatch(CountAction.add(1)) }
      }
    }
    var last = -1
    while last < 6_000 {
      let count = try #require(await counts.next())
      #expect(count > last)
      last = count
    }
    done.wait()
    #expect(last == 6_000)
  }
}
