import Lensed
import LensedTestSupport
import Testing

@Suite(
  "Memory stays flat", .enabled(if: ResidentSize.isExact), .timeLimit(.minutes(30)))
struct FlatMemoryTests {
  /// Actions without an end in memory; every thousandth comes after a suspension.
  private struct Steps: AsyncSequence, Sendable {
    let count: Int

    struct Iterator: AsyncIteratorProtocol {
      var left: Int

      mutating func next() async -> CountAction? {
        if left == 0 { return nil }
        if left.isMultiple(of: 1_000) { await Task.yield() }
        left -= 1
        return .add(1)
      }
    }

    func makeAsyncIterator() -> Iterator { Iterator(left: count) }
  }

  // In processes of their own, where no other test allocates meanwhile.

  @Test func `over a sequence of very many steps, with an observer and a reader`() async {
    await #expect(processExitsWith: .success) {
      let store = try Desk.makeStore()
      let (sizes, total) = (Recorder<Int>(), VerificationLength.big(1_000_000))
      let subscription = store.states(\.count).subscribe { count in
        if count > 0 && count.isMultiple(of: total / 10) { sizes.append(ResidentSize.now ?? .max) }
      }
      let reading = Task { [states = store.states(\.count)] in
        var last = 0
        for await count in states {
          last = count
          if count == total { break }
        }
        return last
      }
      try await store.dispatch(Steps(count: total)).finish()
      try #require(store.count == total)
      try #require(await reading.value == total)
      subscription.cancel()
      try ResidentSize.requireFlat(sizes.values)
    }
  }

  @Test func `over very many sequences of one step`() async {
    await #expect(processExitsWith: .success) {
      let store = try Desk.makeStore()
      var sizes: [Int] = []
      let rounds = VerificationLength.big(3_000)
      for round in 1...10 {
        for _ in 0..<rounds { try await store.dispatch(Steps(count: 1)).finish() }
        try #require(store.count == round * rounds)
        sizes.append(ResidentSize.now ?? .max)
      }
      try ResidentSize.requireFlat(sizes)
    }
  }

  @Test func `over dispatches while observers and readers come and go`() async {
    await #expect(processExitsWith: .success) {
      let store = try Desk.makeStore()
      var sizes: [Int] = []
      let rounds = VerificationLength.big(500)
      for round in 1...10 {
        for _ in 0..<rounds {
          let subscription = store.states(\.count).map { $0 }.subscribe { _ in }
          var counts = store.states(\.count).makeAsyncIterator()
          var changes = store.changes(buffering: .bounded(1, dropping: .oldest)).makeAsyncIterator()
          for _ in 0..<100 { store.dispatch(CountAction.add(1)) }
          try #require(await counts.next() == store.count)
          try #require(await changes.next()?.state.count == store.count)
          subscription.cancel()
        }
        try #require(store.count == round * rounds * 100)
        sizes.append(ResidentSize.now ?? .max)
      }
      try ResidentSize.requireFlat(sizes)
    }
  }
}
