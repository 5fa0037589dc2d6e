import Lensed
import LensedTestSupport
import Testing

@Suite("An array of actions is one commit", .timeLimit(.minutes(30)))
struct GuaranteeTwoTests {
  @Test func `members run in order, each seeing what the one before wrote`() throws {
    let store = try Desk.makeStore()
    store.dispatch([NoteAction.append(1), .append(2), .write(at: 1, 5), .append(3)])
    #expect(store.notes == [1, 5, 3])
  }

  @Test func `reducers take turns where one reads what another wrote`() throws {
    struct Ledger: Sendable, Equatable {
      var balance = 0
      var seen: [Int] = []
    }
    let store = try Store(initialState: Ledger()) {
      Mutator(\.balance) { (balance: inout Int, action: CountAction) in
        if case .add(let amount) = action { balance += amount }
      }
      Mutator(lens: Lens(\Ledger.seen)) { (ledger: Ledger, action: CountAction) in
        ledger.seen + [ledger.balance]
      }
    }
    store.dispatch([CountAction.add(1), .add(2), .add(3)])
    #expect(store.state == Ledger(balance: 6, seen: [1, 3, 6]))
  }

  @Test func `observers hear of it once`() throws {
    let store = try Desk.makeStore()
    let (whole, part, other) = (Recorder<Desk>(), Recorder<Int>(), Recorder<String>())
    let subscriptions = [
      store.states.subscribe { whole.append($0) },
      store.states(\.count, repeats: .kept).subscribe { part.append($0) },
      store.states(\.title, repeats: .kept).subscribe { other.append($0) },
    ]
    store.dispatch([CountAction.add(1), .add(1), .keep])
    store.dispatch([CountAction.add(1), TitleAction.rename("T"), CountAction.add(1)])
    store.dispatch([CountAction.add(1), [CountAction.add(1), .add(1)]] as [any Action])
    #expect(whole.values.map(\.count) == [0, 2, 4, 7])
    #expect(part.values == [0, 2, 4, 7])
    #expect(other.values == ["", "T"])
    for subscription in subscriptions { subscription.cancel() }
  }

  @Test func `nothing interleaves with it, of one type or of several`() throws {
    let store = try Desk.makeStore()
    Threads.run(4) { thread in
      for _ in 0..<200 {
        let notes = (0..<5).map { NoteAction.append(thread * 10 + $0) }
        if thread.isMultiple(of: 2) {
          store.dispatch(notes)
        } else {
          store.dispatch(notes.map { $0 as any Action })
        }
      }
    }
    let notes = store.notes
    #expect(notes.count == 4 * 200 * 5)
    for start in stride(from: 0, to: notes.count, by: 5) {
      let first = notes[start]
      #expect(Array(notes[start..<start + 5]) == Array(first..<first + 5))
    }
  }

  @Test func `nobody sees the middle of one`() throws {
    let store = try Desk.makeStore()
    let seen = Counter()
    let subscription = store.states(\.count, repeats: .kept).subscribe { count in
      if count != 0 { seen.increment() }
    }
    Threads.run(4) { thread in
      for _ in 0..<2_000 {
        if thread == 0 {
          if store.count != 0 { seen.increment() }
        } else {
          store.dispatch([CountAction.add(1), .add(-1)])
        }
      }
    }
    #expect(seen.value == 0)
    subscription.cancel()
  }

  @Test func `dispatchEach commits one by one`() throws {
    let store = try Desk.makeStore()
    let heard = Recorder<Int>()
    let subscription = store.states(\.count).subscribe { heard.append($0) }
    store.dispatchEach([CountAction.add(1), .add(1), .add(1)])
    #expect(heard.values == [0, 1, 2, 3])
    subscription.cancel()
  }

  @Test func `a list with an async member is one commit up to it, then one by one`() async throws {
    let (store, gate) = (try Desk.makeStore(), Gate())
    let heard = Recorder<Int>()
    let subscription = store.states(\.count).subscribe { heard.append($0) }
    let calls = Counter()
    let late = AsyncStream<CountAction> {
      if calls.increment() == 2 { return nil }
      try? await gate.wait()
      return .add(100)
    }
    let task = store.dispatch([
      CountAction.add(1), [CountAction.add(1), .add(1)], AsyncActions(late), CountAction.add(1_000),
      [CountAction.add(10_000), .add(10_000)],
    ])
    #expect(store.count == 3)
    #expect(heard.values == [0, 3])
    gate.open()
    try await task.finish()
    #expect(heard.values == [0, 3, 103, 203, 1_203, 21_203])
    subscription.cancel()
  }

  @Test(.warnsOnPurpose) func `a part of an unhandled and a handled member is a handled commit`()
    async throws
  {
    let store = try Desk.makeStore()
    var changes = store.changes().makeAsyncIterator()
    store.dispatch([StrayAction(), CountAction.add(1)])
    store.dispatch([StrayAction(), StrayAction()])
    #expect(await changes.next()?.isHandled == true)
    #expect(await changes.next()?.isHandled == false)
  }
}
