import Lensed
import LensedTestSupport
import Testing

extension EffectWaitingTests {
  // MARK: Cost

  @Test(.enabled(if: countsAllocations))
  func `a dispatch allocates nothing while no run reads, and nothing once the last has ended`()
    async throws
  {
    await #expect(processExitsWith: .success) {
      let gate = Gate()
      let store = try EffectWaitingTests().makeStore(
        Effect(on: Ask.self) { _, context in
          try await gate.wait()
          _ = try await context.next(Confirm.self)
        }.keepingChanges())
      func cost() -> UInt64 { allocations(500) { store.dispatch(CountAction.add(1)) } }
      #expect(cost() == 0)
      let task = store.dispatch(Ask().row(7))
      #expect(cost() > 0)
      store.dispatch(Confirm().row(7))
      gate.open()
      try await task.finish()
      #expect(cost() == 0)
      #expect(store.others == 1_560)
    }
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
