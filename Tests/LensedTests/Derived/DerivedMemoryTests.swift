import AllocationCounter
import Lensed
import LensedTestSupport
import Testing

@Suite(
  "A store keeps of a derived value the value, and 200 bytes",
  .enabled(if: allocation_counter_available()), .timeLimit(.minutes(30)))
struct DerivedMemoryTests {
  // Alone in a process, so that the bytes are those of this test.

  @Test func `of two inputs`() async {
    await #expect(processExitsWith: .success) {
      let (store, count) = (try Desk.makeStore(Desk(count: 1, title: "T")), 10_000)
      let all = (0..<count).map { number in
        Derived(\Desk.count, \Desk.title) { $0 + $1.utf8.count + number }
      }
      _ = store[Derived(\Desk.count, \Desk.title) { $0 + $1.utf8.count }]
      let before = allocation_counter_bytes()
      for (number, derived) in all.enumerated() { #expect(store[derived] == number + 2) }
      let bytes = allocation_counter_bytes() - before
      let perValue = Double(bytes) / Double(count)
      #expect(perValue <= Double(200 + MemoryLayout<Int>.size))
      // The value, an object that holds it, and one that finds it again: not to be had for less.
      #expect(perValue >= 100)
      withExtendedLifetime(all) {}
    }
  }

  @Test func `and nothing more, however often it is computed`() async {
    await #expect(processExitsWith: .success) {
      let (store, count) = (try Desk.makeStore(Desk(count: 1, title: "T")), 1_000)
      let all = (0..<count).map { number in
        Derived(\Desk.count, \Desk.title) { $0 + $1.utf8.count + number }
      }
      func readAll() { for derived in all { _ = store[derived] } }
      func commitAndRead() {
        store.dispatch(CountAction.add(1))
        readAll()
      }
      for _ in 0..<3 { commitAndRead() }
      let before = allocation_counter_bytes()
      for _ in 0..<20 { commitAndRead() }
      // The allocator keeps some freed blocks as if they were used.
      #expect(allocation_counter_bytes() <= before + 4_096)
      #expect(all.indices.allSatisfy { store[all[$0]] == 25 + $0 })
    }
  }
}
