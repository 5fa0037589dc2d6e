import AllocationCounter
import Lensed
import LensedTestSupport
import Testing

extension EffectWaitingTests {
  // MARK: Cost

  @Test(.enabled(if: allocation_counter_available()))
  func `a dispatch allocates nothing while no run reads, and nothing once the last has ended`()
    async throws
  {
    let gate = Gate()
    let store = try makeStore(
      Effect(on: Ask.self) { _, context in
        try await gate.wait()
        _ = try await context.next(Confirm.self)
      }.keepingChanges())
    func allocations() -> UInt64 {
      for _ in 0..<20 { store.dispatch(CountAction.add(1)) }
      let before = allocation_counter_thread()
      for _ in 0..<500 { store.dispatch(CountAction.add(1)) }
      return allocation_counter_thread() - before
    }
    #expect(allocations() == 0)
    let task = store.dispatch(Ask().row(7))
    #expect(allocations() > 0)
    store.dispatch(Confirm().row(7))
    gate.open()
    try await task.finish()
    #expect(allocations() == 0)
    #expect(store.others == 1_560)
  }

  @Test func `a commit costs the same however much a run has yet to read`() async throws {
    let (reading, gate) = (Gate(), Gate())
    let store = try makeStore(
      Effect(on: Ask.self) { _, context in
        let iterator = context.changes().makeAsyncIterator()
        reading.open()
        try await gate.wait()
        withExtendedLifetime(iterator) {}
      }.keepingChanges())
    func dispatch(_ count: Int) { for _ in 0..<count { store.dispatch(CountAction.add(1)) } }
    // The fastest of many: the machine does other things meanwhile.
    func cost() -> Duration {
      let costs = (0..<20).map { _ in
        let start = ContinuousClock.now
        dispatch(20)
        return ContinuousClock.now - start
      }
      return costs.min() ?? .zero
    }
    let task = store.dispatch(Ask().row(7))
    try await reading.wait()
    dispatch(100)
    let first = cost()
    dispatch(30_000)
    // A copy of all that waits would cost a hundred times as much.
    #expect(cost() < first * 8)
    gate.open()
    try await task.finish()
  }

  // MARK: Limits

  @Test(arguments: [Duration.zero, .seconds(-1), .nanoseconds(1), .seconds(Int64.max)])
  func `what is there already is found, however short the limit is`(_ limit: Duration) async throws
  {
    let (gate, found) = (Gate(), Recorder<Int>())
    let store = try makeStore(
      Effect(on: Ask.self) { _, context in
        try await gate.wait()
        let first = try await context.next(Confirm.self, within: limit).isYes
        let second = try await context.next(
          Confirm.self, where: { _, row in row.answers == 3 }, within: limit
        ).isYes
        let row = try await context.until(within: limit) { $0.answers == 3 }
        found.append((first ? 1 : 0) + (second ? 10 : 0) + row.answers * 100)
      }.keepingChanges())
    let tasks = (0..<100).map { _ in store.dispatch(Ask().row(7)) }
    for answer in [false, true, true] { store.dispatch(Confirm(isYes: answer).row(7)) }
    gate.open()
    for task in tasks { try await task.finish(throwing: .effects) }
    #expect(found.values == Array(repeating: 310, count: 100))
  }
}
