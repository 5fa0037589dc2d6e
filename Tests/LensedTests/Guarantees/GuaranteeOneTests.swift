import Lensed
import LensedTestSupport
import Testing

@Suite("All reducers of an action run as one commit, one at a time", .timeLimit(.minutes(30)))
struct GuaranteeOneTests {
  private struct Ledger: Sendable, Equatable {
    var debit = 0
    var credit = 0
    var seen = 0
  }

  private struct Transfer: Action { let amount: Int }

  private static func makeStore(_ inside: Guard, overlaps: Counter) throws -> Store<Ledger> {
    try Store(initialState: Ledger()) {
      Mutator(\.debit) { (debit: inout Int, transfer: Transfer) in
        if !inside.enter() { overlaps.increment() }
        debit += transfer.amount
        inside.leave()
      }
      Mutator(\.credit) { (credit: inout Int, transfer: Transfer) in
        if !inside.enter() { overlaps.increment() }
        credit += transfer.amount
        inside.leave()
      }
      Mutator(lens: Lens(\.seen)) { (ledger: Ledger, _: Transfer) in ledger.debit + ledger.credit }
    }
  }

  @Test func `all reducers of one action run as one commit, in registration order`() throws {
    let store = try Self.makeStore(Guard(), overlaps: Counter())
    store.dispatch(Transfer(amount: 5))
    #expect(store.state == Ledger(debit: 5, credit: 5, seen: 10))
  }

  @Test func `threads never run reducers at the same time, and none of their commits is lost`()
    throws
  {
    let overlaps = Counter()
    let store = try Self.makeStore(Guard(), overlaps: overlaps)
    Threads.run(4) { _ in
      for _ in 0..<5_000 { store.dispatch(Transfer(amount: 1)) }
    }
    #expect(overlaps.value == 0)
    #expect(store.state == Ledger(debit: 20_000, credit: 20_000, seen: 40_000))
  }

  @Test func `nobody ever reads a state between two reducers of one action`() async throws {
    let store = try Self.makeStore(Guard(), overlaps: Counter())
    let (torn, heard) = (Counter(), Counter())
    let subscription = store.states.subscribe { ledger in
      if ledger.debit != ledger.credit { torn.increment() }
      heard.increment()
    }
    Threads.run(4) { thread in
      for _ in 0..<2_000 {
        if thread == 0 {
          let ledger = store.state
          if ledger.debit != ledger.credit || ledger.seen != 2 * ledger.debit { torn.increment() }
        } else {
          store.dispatch(Transfer(amount: 1))
        }
      }
    }
    await heard.wait(for: 6_001)
    #expect(torn.value == 0)
    #expect(heard.value == 6_001)
    #expect(store.debit == 6_000)
    subscription.cancel()
  }

  @Test func `when dispatch returns, the state includes it`() throws {
    struct Own: Action { let thread: Int }
    let store = try Store(initialState: [0, 0, 0, 0]) {
      Mutator(\.self) { (numbers: inout [Int], action: Own) in numbers[action.thread] += 1 }
    }
    let stale = Counter()
    let subscription = store.states.subscribe { _ in }
    Threads.run(4) { thread in
      for count in 1...2_000 {
        store.dispatch(Own(thread: thread))
        if store.state[thread] != count { stale.increment() }
      }
    }
    #expect(stale.value == 0)
    #expect(store.state == [2_000, 2_000, 2_000, 2_000])
    subscription.cancel()
  }

  @Test func `tasks, sequences and threads together lose nothing`() async throws {
    let store = try Desk.makeStore()
    let thread = Threads.start {
      for _ in 0..<2_000 { store.dispatch(CountAction.add(1)) }
    }
    try await withThrowingTaskGroup { group in
      for _ in 0..<10 {
        group.addTask {
          for _ in 0..<200 { store.dispatch([CountAction.add(1), .add(1)]) }
        }
        group.addTask {
          let numbers = AsyncStream<Int> { continuation in
            for number in 0..<200 { continuation.yield(number) }
            continuation.finish()
          }
          try await store.dispatch(numbers.map { _ in CountAction.add(1) }).finish()
        }
      }
      try await group.waitForAll()
    }
    thread.wait()
    #expect(store.count == 2_000 + 10 * 400 + 10 * 200)
  }
}
